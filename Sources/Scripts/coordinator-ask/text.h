/* Byte strings that grow. Running out of memory ends the process. */
#ifndef TEXT_H
#define TEXT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>

struct text {
  char *bytes; /* NULL while empty; otherwise a NUL follows the last byte */
  size_t length, room;
};

void text_add(struct text *text, const void *bytes, size_t length);
void text_string(struct text *text, const char *string);
void text_byte(struct text *text, char byte);
void text_number(struct text *text, long long number);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The bytes, "" while empty. */
const char *text_bytes(const struct text *text);
void text_free(struct text *text);

/* Memory from malloc() and realloc(), or the end of the process. */
void *memory(void *old, size_t size);
char *copied(const char *bytes, size_t length);

/* Appends one zeroed element to an array, whose length doubles at powers of two, and returns a pointer to it. */
#define APPEND(array, count) \
  ((array) = grown((array), (count), sizeof *(array)), memset(&(array)[(count)], 0, sizeof *(array)), &(array)[(count)++])
void *grown(void *array, size_t count, size_t size);

/* How many of the first bytes are whole characters, if they are the beginning of a text in UTF-8. */
size_t whole_characters(const char *bytes, size_t length);

/* Writes all bytes; false if that fails. */
bool write_all(int descriptor, const char *bytes, size_t length);

/* Reads a decimal number that has nothing before or after it; false if it is none, or greater than `limit`. */
bool read_number(const char *bytes, size_t length, unsigned long long limit, unsigned long long *number);

#endif
