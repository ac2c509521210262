/* Forms on the terminal. */
#include "answer.h"
#include "command.h"
#include "json.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static bool is_shown(const struct question *question, const struct answer *answer, const struct field *field) {
  if (field->shown_key == NULL) return true;
  for (size_t i = 0; i < question->field_count; i++) {
    const struct entered *entered = &answer->fields[i];
    if (strcmp(question->fields[i].key, field->shown_key) != 0 || !entered->shown || entered->count == 0) continue;
    struct text json = {0};
    bool found = false;
    add_value(&json, &question->fields[i], entered->values[0]);
    for (size_t value = 0; value < field->shown_count; value++) found |= strcmp(json.bytes, field->shown_values[value]) == 0;
    text_free(&json);
    return found;
  }
  return false;
}

static void show_prompt(const struct field *field) {
  if (field->description != NULL) say("  %s\n", field->description);
  for (size_t i = 0; i < field->choice_count; i++) say("  %zu  %s\n", i + 1, field->choices[i].title);
  say("%s%s%s%s", field->title, field->unit == NULL ? "" : " (", field->unit == NULL ? "" : field->unit,
      field->unit == NULL ? "" : ")");
  if (field->kind->type == TYPE_FLAG) say(" (y/n)");
  if (field->kind->list) say(", separated by commas");
  if (field->kind->multiline) say(", ended by a line with a dot");
  if (field->optional) say(" (optional)");
  if (field->value_count > 0) {
    say(" [");
    for (size_t i = field->kind->list ? 0 : field->value_count - 1; i < field->value_count; i++)
      say("%s%s", i > 0 && field->kind->list ? "," : "", field->values[i]);
    say("]");
  }
  say(": ");
}

/* What a word means: the number or title of a choice, or y and n. */
static const char *meaning(const struct field *field, const char *word) {
  unsigned long long number;
  if (field->kind->type == TYPE_FLAG) {
    if (strcasecmp(word, "y") == 0 || strcasecmp(word, "yes") == 0) return "true";
    if (strcasecmp(word, "n") == 0 || strcasecmp(word, "no") == 0) return "false";
  }
  if (field->kind->type != TYPE_CHOICE || find_choice(field, word) != NULL) return word;
  if (read_number(word, strlen(word), field->choice_count, &number) && number > 0) return field->choices[number - 1].id;
  for (size_t i = 0; i < field->choice_count; i++) {
    if (strcmp(field->choices[i].title, word) == 0) return field->choices[i].id;
  }
  return word;
}

static bool has_bound(const char *bound, size_t count, bool low) {
  unsigned long long number;
  if (bound == NULL || !read_number(bound, strlen(bound), 1 << 30, &number)) return true;
  return low ? count >= number : count <= number;
}

/* Takes what was typed, or says what is wrong with it. */
static bool take_entry(const struct field *field, char *line, struct entered *entered) {
  entered->values = NULL;
  entered->count = 0;
  for (char *word = line; *line != 0 && word != NULL;) {
    char *comma = field->kind->list ? strchr(word, ',') : NULL;
    if (comma != NULL) *comma = 0;
    if (field->kind->list) word += strspn(word, " ");
    const char *value = meaning(field, word), *fault = fault_of(field, value);
    if (fault != NULL) {
      say("%s %s.\n", field->title, fault);
      return false;
    }
    *APPEND(entered->values, entered->count) = copied(value, strlen(value));
    word = comma == NULL ? NULL : comma + 1;
  }
  if (*line == 0 && field->value_count > 0) {
    size_t count = field->kind->list ? field->value_count : 1;
    entered->values = field->values + (field->value_count - count);
    entered->count = count;
  }
  if (field->kind->list) {
    if (has_bound(field->count.low, entered->count, true) && has_bound(field->count.high, entered->count, false)) return true;
    say("%s has another number of values.\n", field->title);
    return false;
  }
  if (entered->count > 0 || field->optional) return true;
  if (field->kind->type == TYPE_STRING && fault_of(field, "") == NULL && field->kind->format == NULL) {
    *APPEND(entered->values, entered->count) = "";
    return true;
  }
  say("%s is required.\n", field->title);
  return false;
}

/* Lines up to one that is a dot. NULL after the timeout. */
static char *read_lines(void) {
  struct text text = {0};
  char *line;
  for (;;) {
    if (read_reply(&line) == REPLY_TIMEOUT) return NULL;
    if (strcmp(line, ".") == 0) return copied(text_bytes(&text), text.length);
    if (text.length > 0) text_byte(&text, '\n');
    text_string(&text, line);
  }
}

static bool ask_field(const struct field *field, struct entered *entered) {
  char *line;
  do {
    show_prompt(field);
    if (field->kind->multiline) line = read_lines();
    else if (read_reply(&line) == REPLY_TIMEOUT) line = NULL;
    if (line == NULL) return false;
  } while (!take_entry(field, line, entered));
  return true;
}

bool fill_in(const struct question *question, struct answer *answer) {
  const struct action *primary = primary_action(question);
  answer->fields = memory(NULL, (question->field_count + 1) * sizeof *answer->fields);
  memset(answer->fields, 0, (question->field_count + 1) * sizeof *answer->fields);
  if (question->action_count > 1 || primary->sure != NULL || primary->disabled != NULL) {
    const struct action *action = choose_action(question, "Number or name: ");
    if (action == NULL) return false;
    answer->event = action->id;
    if (action != primary) return true;
  }
  answer->event = primary->id;
  for (size_t i = 0; i < question->field_count; i++) {
    const struct field *field = &question->fields[i];
    answer->fields[i].shown = is_shown(question, answer, field);
    if (!answer->fields[i].shown) continue;
    if (field->kind->secret) say("(%s: asked for by the step that uses it)\n", field->title);
    else if (!ask_field(field, &answer->fields[i])) return false;
  }
  return true;
}
