/* Writes JSON to texts, and reads it. */
#ifndef JSON_H
#define JSON_H

#include "text.h"

/* Whether bytes are UTF-8 without NUL, so that a string can have them all. */
bool is_json_text(const char *bytes, size_t length);
/* Writes a string with quotes. Invalid UTF-8 becomes U+FFFD, and NUL is omitted, as shells do. */
void json_string(struct text *json, const char *bytes, size_t length);
void json_quoted(struct text *json, const char *string);

/* Begins a member of an object, or an element of an array, with a comma if one is needed. */
void json_key(struct text *json, const char *key);
void json_element(struct text *json);
/* Adds a member that is a string, or nothing if `string` is NULL. */
void json_member(struct text *json, const char *key, const char *string);

/* JSON that is being read: the rest of the text. */
struct json {
  const char *at, *end;
};

/* Reads any value, and writes it to `out` without white space. Returns false if the JSON is invalid or too deep. */
bool json_copy(struct json *json, struct text *out);
/* Reads a string, and writes its bytes to `out`. Returns false if the JSON is not a string. */
bool json_read_string(struct json *json, struct text *out);
/* Returns whether a string is a number, such as -1.5e3, and sets whether it is an integer. */
bool json_is_number(const char *bytes, bool *integer);
/* Returns whether the text is exactly one value, and writes the value to `out` if so. */
bool json_whole(const char *bytes, size_t length, struct text *out);
/* Finds the value of a member. Returns false if the object has no such member. */
bool json_find(const char *object, size_t length, const char *key, struct json *value);
/* Reads the first element of an array whose `[` has been read, or the next one. Returns false at the end of the
   array. */
bool json_next_element(struct json *array, struct text *element);

#endif
