#include "answer.h"
#include "command.h"
#include "json.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void take_default_answer(const struct question *question, struct answer *answer) {
  if (question->default_count == 0) {
    answer->event = NULL;
    return;
  }
  const char *first = question->defaults[0];
  if (find_action(question, first) == NULL) {
    answer->event = "select";
    answer->ids = question->defaults;
    answer->id_count = question->default_count;
    return;
  }
  answer->event = first;
  if (question->field_count == 0) return;
  answer->fields = memory(NULL, question->field_count * sizeof *answer->fields);
  for (size_t i = 0; i < question->field_count; i++) {
    const struct field *field = &question->fields[i];
    size_t count = field->kind->list || field->value_count == 0 ? field->value_count : 1;
    answer->fields[i] = (struct entered){field->values + (field->value_count - count), count, true};
  }
}

/* Whether the fields of a form were sent. */
static bool has_fields(const struct question *question, const struct answer *answer) {
  return answer->fields != NULL && find_action(question, answer->event) == primary_action(question);
}

static struct text joined(const struct entered *entered) {
  struct text text = {0};
  for (size_t i = 0; i < entered->count; i++) {
    if (i > 0) text_byte(&text, '\n');
    text_string(&text, entered->values[i]);
  }
  return text;
}

static void add_value_lines(struct text *text, const struct question *question, const struct answer *answer) {
  for (size_t i = 0; i < answer->id_count; i++) {
    text_string(text, answer->ids[i]);
    text_byte(text, '\n');
  }
  if (strcmp(question->kind, "form") != 0) {
    if (answer->ids == NULL) text_format(text, "%s\n", answer->event);
    return;
  }
  for (size_t i = 0; has_fields(question, answer) && i < question->field_count; i++) {
    if (question->fields[i].kind->secret || answer->fields[i].count == 0) continue;
    struct text value = joined(&answer->fields[i]);
    text_format(text, "%s\n", text_bytes(&value));
    text_free(&value);
  }
}

static void add_assignments(struct text *text, const struct question *question, const struct answer *answer) {
  if (has_alternatives(question)) add_assignment_line(text, "action", answer->event, strlen(answer->event));
  for (size_t i = 0; i < question->field_count; i++) {
    if (question->fields[i].kind->secret) continue;
    struct text value = {0};
    if (has_fields(question, answer)) value = joined(&answer->fields[i]);
    add_assignment_line(text, question->fields[i].key, text_bytes(&value), value.length);
    text_free(&value);
  }
}

static void add_payload(struct text *json, const struct question *question, const struct answer *answer) {
  text_byte(json, '{');
  if (answer->ids != NULL || strcmp(answer->event, "select") == 0) {
    json_key(json, question->multiple ? "ids" : "id");
    if (question->multiple) text_byte(json, '[');
    for (size_t i = 0; i < answer->id_count; i++) {
      if (question->multiple) json_element(json);
      json_quoted(json, answer->ids[i]);
    }
    if (question->multiple) text_byte(json, ']');
  }
  for (size_t i = 0; has_fields(question, answer) && i < question->field_count; i++) {
    const struct field *field = &question->fields[i];
    const struct entered *entered = &answer->fields[i];
    if (!entered->shown || (entered->count == 0 && !field->kind->list && !field->kind->secret)) continue;
    json_key(json, field->key);
    if (field->kind->secret) text_string(json, "{\"secret\":true}");
    else if (field->kind->list) {
      text_byte(json, '[');
      for (size_t value = 0; value < entered->count; value++) {
        json_element(json);
        add_value(json, field, entered->values[value]);
      }
      text_byte(json, ']');
    } else add_value(json, field, entered->values[0]);
  }
  text_byte(json, '}');
}

int print_answer(const struct question *question, const struct answer *answer) {
  struct text text = {0};
  bool json = strcmp(question->output, "json") == 0;
  if (json && answer->event == NULL) {
    text_string(&text, "{\"timeout\":true}\n");
  } else if (json) {
    text_byte(&text, '{');
    json_member(&text, "event", answer->event);
    json_key(&text, "payload");
    add_payload(&text, question, answer);
    text_string(&text, "}\n");
  }
  if (!json && answer->event != NULL) {
    if (strcmp(question->output, "value") == 0) add_value_lines(&text, question, answer);
    if (strcmp(question->output, "assignments") == 0) add_assignments(&text, question, answer);
  }
  if (!write_all(STDOUT_FILENO, text_bytes(&text), text.length)) return STATUS_UNABLE;
  if (answer->event == NULL) return STATUS_TIMEOUT;
  return strcmp(question->output, "status") == 0 && strcmp(answer->event, "no") == 0 ? STATUS_NO : 0;
}
