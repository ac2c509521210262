/* Asks a question: takes the answer from the replay file or the engine of the run, or, outside of a run, from the
   terminal. */
#include "command.h"
#include "json.h"
#include "question.h"
#include "run.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t digest_of(const struct text *text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < text->length; i++) hash = (hash ^ (unsigned char)text->bytes[i]) * 0x100000001b3;
  return hash;
}

static void check_default(const struct question *question) {
  bool action = question->default_count == 1 && find_action(question, question->defaults[0]) != NULL;
  if (question->default_count > 1 && !question->multiple) wrong("one --default is enough");
  for (size_t i = 0; !action && i < question->default_count; i++) {
    if (find_item(question, question->defaults[i]) == NULL)
      wrong("the --default '%.100s' cannot be chosen", question->defaults[i]);
  }
}

int ask_question(struct question *question) {
  check_default(question);
  struct text screen = {0}, digest = {0};
  add_screen(&screen, question);
  text_format(&digest, "%016llx", (unsigned long long)digest_of(&screen));
  struct operation operation = {"ask", "ask", question->name, digest.bytes, {0}};
  struct text *rest = &operation.rest;
  text_format(rest, ",\"digest\":\"%s\",\"output\":\"%s\",\"screen\":", digest.bytes, question->output);
  text_add(rest, screen.bytes, screen.length);
  if (question->timeout != NULL) text_format(rest, ",\"timeout\":%s", question->timeout);
  if (question->default_count > 0) {
    text_string(rest, ",\"default\":");
    add_default(rest, question);
  }
  struct record record;
  perform_operation(&operation, &record, NULL, NULL);
  return print_record(&record);
}
