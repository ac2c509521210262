/* Hides secrets in texts. */
#include "child.h"

#include <string.h>

/* Returns the length of the longest secret that a text contains at an offset; 0 if there is none. */
static size_t secret_at(const struct secrets *secrets, const struct text *text, size_t offset) {
  size_t longest = 0;
  for (size_t i = 0; i < secrets->count; i++) {
    size_t length = secrets->parts[i].length;
    if (length < SHORTEST_HIDDEN || length <= longest || length > text->length - offset) continue;
    if (memcmp(text->bytes + offset, secrets->bytes + secrets->parts[i].begin, length) == 0) longest = length;
  }
  return longest;
}

void hide_secrets(const struct secrets *secrets, struct text *text) {
  static const char instead[] = "(secret)";
  struct text clean = {0};
  size_t end = 0; /* of the last secret */
  for (size_t i = 0; i < text->length; i++) {
    size_t length = secret_at(secrets, text, i);
    if (length == 0) continue;
    /* Of secrets that overlap, no rest stays. */
    if (i >= end) {
      text_add(&clean, text->bytes + end, i - end);
      text_add(&clean, instead, sizeof instead - 1);
    }
    if (i + length > end) end = i + length;
  }
  if (end == 0) return;
  text_add(&clean, text->bytes + end, text->length - end);
  explicit_bzero(text->bytes, text->length);
  text_free(text);
  *text = clean;
}
