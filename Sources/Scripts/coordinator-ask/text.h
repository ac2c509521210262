/* Byte strings that grow. The process ends if it runs out of memory. */
#ifndef TEXT_H
#define TEXT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>

struct text {
  char *bytes; /* NULL while empty; otherwise NUL-terminated */
  size_t length, room;
};

void text_add(struct text *text, const void *bytes, size_t length);
void text_string(struct text *text, const char *string);
void text_byte(struct text *text, char byte);
void text_number(struct text *text, long long number);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the bytes; "" while empty. */
const char *text_bytes(const struct text *text);
void text_free(struct text *text);

/* Allocates or reallocates memory. Ends the process if that fails. */
void *memory(void *old, size_t size);
char *copied(const char *bytes, size_t length);

/* Appends a zeroed element to an array, whose capacity doubles at powers of two, and returns a pointer to the
   element. */
#define APPEND(array, count) \
  ((array) = grown((array), (count), sizeof *(array)), memset(&(array)[(count)], 0, sizeof *(array)), &(array)[(count)++])
void *grown(void *array, size_t count, size_t size);

/* Returns the length of the longest prefix that does not end within a UTF-8 character. */
size_t whole_characters(const char *bytes, size_t length);

/* Writes all bytes. Returns false if that fails. */
bool write_all(int descriptor, const char *bytes, size_t length);

/* Reads a decimal number that makes up the whole string. Returns false if there is none, or if it exceeds `limit`. */
bool read_number(const char *bytes, size_t length, unsigned long long limit, unsigned long long *number);

#endif
