/* Shortens the output of a step or look, and hides its secrets. */
#include "child.h"
#include "json.h"

#include <string.h>

/* The shortened output may end with the beginning of a secret, which hide_secrets() would not recognize. Returns its
   length without that. */
static size_t without_part_of_secret(const struct child *child) {
  const struct text *output = &child->output;
  size_t longest = 0;
  for (size_t i = 0; i < child->secrets.count; i++) {
    const char *secret = child->secrets.bytes + child->secrets.parts[i].begin;
    size_t length = child->secrets.parts[i].length, most = length < SHORTEST_HIDDEN ? 0 : length - 1;
    for (size_t part = most < output->length ? most : output->length; part > longest; part--) {
      if (memcmp(output->bytes + output->length - part, secret, part) == 0) longest = part;
    }
  }
  return output->length - longest;
}

/* Returns how many of the first bytes fit into a message; in JSON, a control character takes six bytes. */
static size_t recordable(const struct text *output, size_t length) {
  struct text json = {0};
  for (;;) {
    json.length = 0;
    json_string(&json, text_bytes(output), length);
    if (json.length <= MOST_RECORDED) break;
    length = length * MOST_RECORDED / json.length;
  }
  text_free(&json);
  return length;
}

void finish_output(struct child *child) {
  struct text *output = &child->output;
  child->cut = child->printed > MOST_OUTPUT;
  size_t length = child->cut ? without_part_of_secret(child) : output->length;
  output->length = length;
  if (!child->secret_result) hide_secrets(&child->secrets, output);
  length = recordable(output, output->length);
  child->cut |= length < output->length;
  if (!child->cut) return;
  char *end = memrchr(text_bytes(output), '\n', length);
  output->length = end != NULL ? (size_t)(end - output->bytes) + 1 : whole_characters(text_bytes(output), length);
}
