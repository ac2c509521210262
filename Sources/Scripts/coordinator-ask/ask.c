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

/* Whether the cursor may begin on the default: never on an action that destroys something. */
static bool is_first_choice(const struct question *question) {
  const struct action *action = question->default_count == 1 ? find_action(question, question->defaults[0]) : NULL;
  return question->default_count == 1 && strcmp(question->kind, "form") != 0 && !question->multiple
         && (action == NULL || strcmp(action->role, "destructive") != 0);
}

/* Drops the rows among the defaults that no longer exist. The rows of the standard input change, those of the command
   line are the author's. */
static void drop_lost_defaults(struct question *question) {
  size_t kept = 0;
  for (size_t i = 0; i < question->default_count; i++) {
    const char *id = question->defaults[i];
    bool is_lost = question->items_from_stdin && find_item(question, id) == NULL && find_action(question, id) == NULL;
    if (is_lost) notice("list %s: the --default '%.100s' is not among the rows, and is left out", question->name, id);
    else question->defaults[kept++] = id;
  }
  question->default_count = kept;
}

/* Returns the ids of what can be chosen, for a message. */
static const char *choices_of(const struct question *question) {
  struct text ids = {0};
  for (size_t i = 0; i < question->item_count + question->action_count && ids.length < 200; i++) {
    const char *id = i < question->item_count ? question->items[i].id : question->actions[i - question->item_count].id;
    text_format(&ids, "%s%.100s", i == 0 ? "" : ", ", id);
  }
  return text_bytes(&ids);
}

static void check_default(const struct question *question) {
  bool action = question->default_count == 1 && find_action(question, question->defaults[0]) != NULL;
  bool needs_timeout = question->default_count > 0 && question->timeout == NULL && !is_first_choice(question);
  if (needs_timeout && strcmp(question->kind, "form") == 0)
    wrong("the --default of a form needs a --timeout; fields begin with --value");
  if (needs_timeout && question->multiple)
    wrong("--default needs a --timeout where several rows are chosen; rows chosen at first are --initial");
  if (question->default_count > 1 && !question->multiple)
    wrong("there are several --default, '%.100s' and '%.100s', but one answer", question->defaults[0], question->defaults[1]);
  /* The engine knows the rows of a question about the language. */
  for (size_t i = 0; !action && question->languages == NULL && i < question->default_count; i++) {
    if (find_item(question, question->defaults[i]) == NULL)
      wrong("the --default '%.100s' cannot be chosen, but only %s", question->defaults[i], choices_of(question));
  }
  if (needs_timeout)
    wrong("the --default '%.100s' is destructive, and Enter must not choose it: name another answer", question->defaults[0]);
}

void put_question(struct question *question, struct record *record) {
  drop_lost_defaults(question);
  check_default(question);
  struct text screen = {0}, digest = {0};
  add_screen(&screen, question);
  size_t length = screen.length;
  if (question->languages != NULL) text_string(&screen, question->languages);
  text_format(&digest, "%016llx", (unsigned long long)digest_of(&screen));
  struct operation operation = {"ask", "ask", question->name, digest.bytes, {0}};
  struct text *rest = &operation.rest;
  text_format(rest, ",\"digest\":\"%s\",\"output\":\"%s\",\"screen\":", digest.bytes, question->output);
  /* The default is not part of the digest: with another default, it is still the same question. */
  text_add(rest, screen.bytes, length - 1);
  if (is_first_choice(question)) json_member(rest, "default", question->defaults[0]);
  text_byte(rest, '}');
  if (question->languages != NULL) {
    text_string(rest, ",\"languages\":");
    text_string(rest, question->languages);
  }
  if (question->review) text_string(rest, ",\"review\":true");
  if (question->timeout != NULL) text_format(rest, ",\"timeout\":%s", question->timeout);
  if (question->default_count > 0 && question->timeout != NULL) {
    text_string(rest, ",\"default\":");
    add_default(rest, question);
  }
  perform_operation(&operation, record, NULL, NULL);
}

int ask_question(struct question *question) {
  struct record record;
  put_question(question, &record);
  return print_record(&record);
}
