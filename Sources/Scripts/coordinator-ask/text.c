#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *memory(void *old, size_t size) {
  void *new = realloc(old, size);
  if (new == NULL) {
    static const char message[] = "ask: out of memory\n";
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(3);
  }
  return new;
}

char *copied(const char *bytes, size_t length) {
  char *copy = memory(NULL, length + 1);
  if (length > 0) memcpy(copy, bytes, length);
  copy[length] = 0;
  return copy;
}

void *grown(void *array, size_t count, size_t size) {
  return (count & (count - 1)) == 0 ? memory(array, (count == 0 ? 1 : 2 * count) * size) : array;
}

void text_add(struct text *text, const void *bytes, size_t length) {
  if (length == 0) return;
  if (text->room - text->length <= length) {
    size_t room = text->room == 0 ? 256 : text->room;
    while (room - text->length <= length) room *= 2;
    text->bytes = memory(text->bytes, room);
    text->room = room;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void text_string(struct text *text, const char *string) {
  text_add(text, string, strlen(string));
}

void text_byte(struct text *text, char byte) {
  text_add(text, &byte, 1);
}

void text_number(struct text *text, long long number) {
  text_format(text, "%lld", number);
}

void text_format(struct text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    char *bytes = memory(NULL, (size_t)length + 1);
    vsnprintf(bytes, (size_t)length + 1, format, again);
    text_add(text, bytes, (size_t)length);
    free(bytes);
  }
  va_end(again);
}

const char *text_bytes(const struct text *text) {
  return text->bytes == NULL ? "" : text->bytes;
}

void text_free(struct text *text) {
  free(text->bytes);
  *text = (struct text){0};
}

size_t whole_characters(const char *bytes, size_t length) {
  size_t begin = length;
  while (begin > 0 && length - begin < 3 && ((unsigned char)bytes[begin - 1] & 0xc0) == 0x80) begin--;
  if (begin == 0) return length;
  unsigned char lead = (unsigned char)bytes[begin - 1];
  size_t needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  return needed > length - begin + 1 ? begin - 1 : length;
}

bool write_all(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    length -= (size_t)count;
  }
  return true;
}

bool read_number(const char *bytes, size_t length, unsigned long long limit, unsigned long long *number) {
  unsigned long long result = 0;
  if (length == 0) return false;
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] < '0' || bytes[i] > '9') return false;
    unsigned digit = (unsigned)(bytes[i] - '0');
    if (result > (limit - digit) / 10 || digit > limit) return false;
    result = 10 * result + digit;
  }
  *number = result;
  return true;
}
