/* Reads the pictures of screens. */
#include "question.h"
#include "command.h"
#include "json.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PICTURE = 256 << 10 };

static void add_base64(struct text *json, const unsigned char *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    size_t count = length - i < 3 ? length - i : 3;
    unsigned long group = (unsigned long)bytes[i] << 16 | (count > 1 ? (unsigned long)bytes[i + 1] << 8 : 0)
      | (count > 2 ? bytes[i + 2] : 0);
    for (size_t digit = 0; digit < 4; digit++)
      text_byte(json, digit <= count ? digits[group >> (18 - 6 * digit) & 63] : '=');
  }
}

const char *read_picture(const char *path, const char *description) {
  struct text file = {0}, json = {0};
  char buffer[16384];
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = descriptor < 0 ? -1 : 1;
  while (count > 0 && file.length <= MOST_PICTURE) {
    count = read(descriptor, buffer, sizeof buffer);
    if (count > 0) text_add(&file, buffer, (size_t)count);
  }
  if (count < 0) wrong("the picture '%.200s' cannot be read: %m", path);
  if (file.length > MOST_PICTURE) wrong("the picture '%.200s' has more than 256 KiB: reduce its size", path);
  close(descriptor);
  bool png = file.length > 8 && memcmp(file.bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
  if (!png && (file.length < 3 || memcmp(file.bytes, "\xff\xd8\xff", 3) != 0))
    wrong("the picture '%.200s' is neither PNG nor JPEG", path);
  text_string(&json, "{\"base64\":\"");
  add_base64(&json, (unsigned char *)file.bytes, file.length);
  text_byte(&json, '"');
  json_member(&json, "description", description);
  json_member(&json, "type", png ? "image/png" : "image/jpeg");
  text_byte(&json, '}');
  text_free(&file);
  return json.bytes;
}
