/* Hides secrets in texts. */
#include "child.h"

#include <string.h>

void hide_secret(const struct child *child, struct text *text) {
  static const char instead[] = "(secret)";
  size_t length = child->secret_length;
  if (length < 4 || text->length < length) return;
  struct text clean = {0};
  size_t begin = 0;
  for (size_t i = 0; i + length <= text->length;) {
    if (memcmp(text->bytes + i, child->secret, length) != 0) {
      i++;
      continue;
    }
    text_add(&clean, text->bytes + begin, i - begin);
    text_add(&clean, instead, sizeof instead - 1);
    begin = i += length;
  }
  if (begin == 0) return;
  text_add(&clean, text->bytes + begin, text->length - begin);
  explicit_bzero(text->bytes, text->length);
  text_free(text);
  *text = clean;
}
