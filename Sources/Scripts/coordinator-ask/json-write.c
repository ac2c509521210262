/* Writes JSON. */
#include "json.h"

#include <string.h>

/* Returns the length in bytes of the UTF-8 sequence at `bytes`; 0 if it is invalid. */
static size_t sequence(const unsigned char *bytes, size_t length) {
  if (bytes[0] < 0x80) return 1;
  size_t count = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
  if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || count > length) return 0;
  for (size_t i = 1; i < count; i++) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  }
  if (bytes[0] == 0xe0 && bytes[1] < 0xa0) return 0;
  if (bytes[0] == 0xed && bytes[1] > 0x9f) return 0; /* surrogates */
  if (bytes[0] == 0xf0 && bytes[1] < 0x90) return 0;
  if (bytes[0] == 0xf4 && bytes[1] > 0x8f) return 0;
  return count;
}

static void escape(struct text *json, unsigned char byte) {
  switch (byte) {
    case 0: break;
    case '"': text_add(json, "\\\"", 2); break;
    case '\\': text_add(json, "\\\\", 2); break;
    case '\n': text_add(json, "\\n", 2); break;
    case '\r': text_add(json, "\\r", 2); break;
    case '\t': text_add(json, "\\t", 2); break;
    default: text_format(json, "\\u%04x", byte);
  }
}

bool is_json_text(const char *bytes, size_t length) {
  const unsigned char *at = (const unsigned char *)bytes;
  for (size_t i = 0, count; i < length; i += count) {
    count = sequence(at + i, length - i);
    if (count == 0 || at[i] == 0) return false;
  }
  return true;
}

void json_string(struct text *json, const char *string, size_t length) {
  const unsigned char *bytes = (const unsigned char *)string;
  text_byte(json, '"');
  size_t begin = 0, i = 0;
  while (i < length) {
    size_t count = sequence(bytes + i, length - i);
    if (count > 1 || (count == 1 && bytes[i] >= 0x20 && bytes[i] != '"' && bytes[i] != '\\')) {
      i += count;
      continue;
    }
    text_add(json, bytes + begin, i - begin);
    if (count == 0) text_string(json, "\xef\xbf\xbd");
    else escape(json, bytes[i]);
    begin = ++i;
  }
  if (begin < length) text_add(json, bytes + begin, length - begin);
  text_byte(json, '"');
}

void json_quoted(struct text *json, const char *string) {
  json_string(json, string, strlen(string));
}

void json_element(struct text *json) {
  char last = json->length == 0 ? '[' : json->bytes[json->length - 1];
  if (last != '[' && last != '{') text_byte(json, ',');
}

void json_key(struct text *json, const char *key) {
  json_element(json);
  json_quoted(json, key);
  text_byte(json, ':');
}

void json_member(struct text *json, const char *key, const char *string) {
  if (string == NULL) return;
  json_key(json, key);
  json_quoted(json, string);
}
