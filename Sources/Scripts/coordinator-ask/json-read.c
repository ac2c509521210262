/* Reads JSON. */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The maximum nesting depth; the contract allows eight levels. */
enum { DEEPEST = 64 };

static bool copy(struct json *json, struct text *out, int depth);

static void skip_space(struct json *json) {
  while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != 0) json->at++;
}

static bool take(struct json *json, char byte) {
  if (json->at == json->end || *json->at != byte) return false;
  json->at++;
  return true;
}

static bool read_hex(struct json *json, unsigned *unit) {
  if (json->end - json->at < 4) return false;
  *unit = 0;
  for (int i = 0; i < 4; i++) {
    char digit = *json->at++;
    unsigned value = digit >= '0' && digit <= '9' ? (unsigned)(digit - '0')
      : digit >= 'a' && digit <= 'f' ? (unsigned)(digit - 'a') + 10
      : digit >= 'A' && digit <= 'F' ? (unsigned)(digit - 'A') + 10 : 16;
    if (value == 16) return false;
    *unit = 16 * *unit + value;
  }
  return true;
}

static void add_code_point(struct text *out, unsigned point) {
  char bytes[4];
  size_t length = 0;
  if (point < 0x80) bytes[length++] = (char)point;
  else if (point < 0x800) bytes[length++] = (char)(0xc0 | point >> 6);
  else if (point < 0x10000) bytes[length++] = (char)(0xe0 | point >> 12);
  else bytes[length++] = (char)(0xf0 | point >> 18);
  if (point >= 0x10000) bytes[length++] = (char)(0x80 | (point >> 12 & 0x3f));
  if (point >= 0x800) bytes[length++] = (char)(0x80 | (point >> 6 & 0x3f));
  if (point >= 0x80) bytes[length++] = (char)(0x80 | (point & 0x3f));
  text_add(out, bytes, length);
}

static bool read_unit(struct json *json, struct text *out) {
  unsigned unit, second;
  if (!read_hex(json, &unit)) return false;
  if (unit >= 0xd800 && unit < 0xdc00 && json->end - json->at >= 6 && json->at[0] == '\\' && json->at[1] == 'u') {
    struct json ahead = {json->at + 2, json->end};
    if (!read_hex(&ahead, &second)) return false;
    if (second >= 0xdc00 && second < 0xe000) {
      json->at = ahead.at;
      add_code_point(out, 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00));
      return true;
    }
  }
  add_code_point(out, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
  return true;
}

bool json_read_string(struct json *json, struct text *out) {
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  skip_space(json);
  if (!take(json, '"')) return false;
  while (json->at < json->end) {
    char byte = *json->at++;
    if (byte == '"') return true;
    if ((unsigned char)byte < 0x20) return false;
    if (byte != '\\') {
      text_byte(out, byte);
      continue;
    }
    if (json->at == json->end) return false;
    byte = *json->at++;
    const char *found = byte == 0 ? NULL : strchr(escapes, byte);
    if (found != NULL) text_byte(out, meant[found - escapes]);
    else if (byte != 'u' || !read_unit(json, out)) return false;
  }
  return false;
}

static bool copy_string(struct json *json, struct text *out) {
  struct text string = {0};
  bool good = json_read_string(json, &string);
  if (good) json_string(out, text_bytes(&string), string.length);
  text_free(&string);
  return good;
}

static bool copy_digits(struct json *json, struct text *out) {
  const char *begin = json->at;
  while (json->at < json->end && *json->at >= '0' && *json->at <= '9') text_byte(out, *json->at++);
  return json->at > begin;
}

static bool copy_numeral(struct json *json, struct text *out, bool *integer) {
  *integer = true;
  if (take(json, '-')) text_byte(out, '-');
  if (take(json, '0')) text_byte(out, '0');
  else if (!copy_digits(json, out)) return false;
  if (take(json, '.')) {
    *integer = false;
    text_byte(out, '.');
    if (!copy_digits(json, out)) return false;
  }
  if (json->at < json->end && (*json->at == 'e' || *json->at == 'E')) {
    *integer = false;
    text_byte(out, *json->at++);
    if (json->at < json->end && (*json->at == '+' || *json->at == '-')) text_byte(out, *json->at++);
    return copy_digits(json, out);
  }
  return true;
}

/* Refuses numbers that no double can represent, because the recipient would refuse the whole message. */
static bool copy_number(struct json *json, struct text *out, bool *integer) {
  size_t begin = out->length;
  return copy_numeral(json, out, integer) && isfinite(strtod(text_bytes(out) + begin, NULL));
}

static bool copy_members(struct json *json, struct text *out, char end, int depth) {
  text_byte(out, *json->at++);
  skip_space(json);
  while (json->at == json->end || *json->at != end) {
    json_element(out);
    if (end == '}') {
      if (!copy_string(json, out)) return false;
      skip_space(json);
      if (!take(json, ':')) return false;
      text_byte(out, ':');
    }
    if (!copy(json, out, depth + 1)) return false;
    skip_space(json);
    if (!take(json, ',')) break;
    skip_space(json);
    if (json->at < json->end && *json->at == end) return false;
  }
  text_byte(out, end);
  return take(json, end);
}

static bool copy(struct json *json, struct text *out, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  bool integer;
  skip_space(json);
  if (depth > DEEPEST || json->at == json->end) return false;
  if (*json->at == '"') return copy_string(json, out);
  if (*json->at == '{') return copy_members(json, out, '}', depth);
  if (*json->at == '[') return copy_members(json, out, ']', depth);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, words[i], length) != 0) continue;
    json->at += length;
    text_string(out, words[i]);
    return true;
  }
  return copy_number(json, out, &integer);
}

bool json_copy(struct json *json, struct text *out) {
  return copy(json, out, 0);
}

bool json_whole(const char *bytes, size_t length, struct text *out) {
  struct json json = {bytes, bytes + length};
  if (!copy(&json, out, 0)) return false;
  skip_space(&json);
  return json.at == json.end;
}

bool json_is_number(const char *bytes, bool *integer) {
  struct json json = {bytes, bytes + strlen(bytes)};
  struct text out = {0};
  bool good = copy_number(&json, &out, integer) && json.at == json.end;
  text_free(&out);
  return good;
}

bool json_find(const char *object, size_t length, const char *key, struct json *value) {
  struct json json = {object, object + length};
  bool found = false, good = true;
  skip_space(&json);
  if (!take(&json, '{')) return false;
  skip_space(&json);
  while (good && !found && json.at < json.end && *json.at != '}') {
    struct text name = {0}, skipped = {0};
    good = json_read_string(&json, &name);
    skip_space(&json);
    good = good && take(&json, ':');
    skip_space(&json);
    value->at = json.at;
    good = good && copy(&json, &skipped, 0);
    value->end = json.at;
    found = good && strlen(key) == name.length && memcmp(key, text_bytes(&name), name.length) == 0;
    skip_space(&json);
    take(&json, ',');
    skip_space(&json);
    text_free(&name);
    text_free(&skipped);
  }
  return found;
}

bool json_next_element(struct json *array, struct text *element) {
  skip_space(array);
  if (array->at < array->end && *array->at == ',') array->at++;
  skip_space(array);
  return array->at < array->end && *array->at != ']' && copy(array, element, 0);
}
