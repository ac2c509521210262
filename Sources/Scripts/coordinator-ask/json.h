/* Writes JSON into texts, and reads it. */
#ifndef JSON_H
#define JSON_H

#include "text.h"

/* A string with quotes. What is not UTF-8 becomes U+FFFD, and NUL is left out, as shells do. */
void json_string(struct text *json, const char *bytes, size_t length);
void json_quoted(struct text *json, const char *string);

/* Begins a member of an object, or an element of an array, with a comma where one is needed. */
void json_key(struct text *json, const char *key);
void json_element(struct text *json);
/* A member that is a string; nothing if it is NULL. */
void json_member(struct text *json, const char *key, const char *string);

/* JSON that is being read. */
struct json {
  const char *at, *end;
};

/* Reads any value, and writes it to `out` without white space; false if it is none, or too deep. */
bool json_copy(struct json *json, struct text *out);
/* Reads a string, and writes its bytes. */
bool json_read_string(struct json *json, struct text *out);
/* Whether these bytes are a number, such as -1.5e3, and whether they are an integer. */
bool json_is_number(const char *bytes, bool *integer);
/* Whether the whole is one value; if so it is written to `out`. */
bool json_whole(const char *bytes, size_t length, struct text *out);
/* Finds the value of a member of an object. */
bool json_find(const char *object, size_t length, const char *key, struct json *value);
/* Moves past the element that begins an array, or follows another one; false at its end. Starts after '['. */
bool json_next_element(struct json *array, struct text *element);

#endif
