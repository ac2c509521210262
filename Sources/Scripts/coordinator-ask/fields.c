/* Reads the fields of a form from the command line. */
#include "ask-options.h"
#include "json.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>

enum detail {
  LENGTH, RANGE, COUNT, PATTERN, OPTIONAL, VALUE, HELP_TEXT, EXAMPLE, MESSAGE, UNIT, PURPOSE, REVEALABLE, SHOWN_IF, SAME_AS, OPTION,
  SUBMIT, ASSIGNMENTS,
};

/* Takes KEY or KEY=TITLE. Without a title, the key with a capital letter and without hyphens is the title. */
static void take_field(void *context, int what, const char *value) {
  struct question *question = context;
  char *key, *title;
  split_pair(value, &key, &title, false);
  checked_name(key, "the key");
  if (find_field(question, key) != NULL) wrong("the key '%s' occurs twice", key);
  struct field *field = APPEND(question->fields, question->field_count);
  field->kind = &field_kinds[what];
  field->key = key;
  field->title = title;
  if (field->kind->type == TYPE_SCHEMA) {
    struct text schema = {0};
    if (title == NULL || !json_whole(title, strlen(title), &schema) || *schema.bytes != '{')
      wrong("the --schema of '%.100s' is KEY=JSON, where JSON is an object, such as '%.100s={\"type\":\"boolean\",\"title\":\"Fast\"}'", key, key);
    field->schema = schema.bytes;
    field->title = key;
  } else if (title == NULL) {
    char *own = copied(key, strlen(key));
    for (char *byte = own; *byte != 0; byte++) {
      if (*byte == '-' || *byte == '_' || *byte == '.') *byte = ' ';
    }
    if (*own >= 'a' && *own <= 'z') *own = (char)(*own - 'a' + 'A');
    field->title = own;
  }
}

/* Reads MIN..MAX or, for numbers that are not negative, MIN-MAX. Either may be missing; one number is both. */
static struct bounds read_bounds(const struct field *field, const char *option, const char *value, bool whole) {
  const char *dots = strstr(value, ".."), *dash = *value == 0 ? NULL : strchr(value + 1, '-');
  const char *middle = dots != NULL ? dots : *value == '-' && whole ? value : dash, *after;
  struct bounds bounds = {0};
  bool integer, good = true;
  after = middle == NULL ? value + strlen(value) : middle + (dots != NULL ? 2 : 1);
  size_t length = middle == NULL ? strlen(value) : (size_t)(middle - value);
  if (length > 0) {
    bounds.low = copied(value, length);
    good = json_is_number(bounds.low, &integer) && (!whole || (integer && *bounds.low != '-'));
  }
  if (middle == NULL) bounds.high = bounds.low;
  else if (*after != 0) {
    bounds.high = after;
    good = good && json_is_number(after, &integer) && (!whole || (integer && *after != '-'));
  }
  if (!good || (bounds.low == NULL && bounds.high == NULL))
    wrong("the %s '%.100s' of '%s' is not MIN..MAX, such as 1..64", option, value, field->key);
  if (bounds.low != NULL && bounds.high != NULL && strtod(bounds.low, NULL) > strtod(bounds.high, NULL))
    wrong("the %s '%.100s' of '%s' allows nothing: it is MIN..MAX, and MIN is more than MAX", option, value, field->key);
  return bounds;
}

static void take_shown_if(struct field *field, const char *value) {
  char *key, *rest;
  split_pair(value, &key, &rest, true);
  field->shown_key = key;
  for (char *at = rest; at != NULL;) {
    char *comma = strchr(at, ',');
    if (comma != NULL) *comma = 0;
    *APPEND(field->shown_values, field->shown_count) = at;
    at = comma == NULL ? NULL : comma + 1;
  }
}

_Noreturn static void wrong_kind(const struct field *field, const char *option, const char *about) {
  wrong("the %s of '%s', a %s, is about %s", option, field->key, field->kind->option, about);
}

static void take_detail(void *context, int what, const char *value) {
  struct question *question = context;
  if (what == SUBMIT) {
    char *id, *title;
    split_pair(value, &id, &title, true);
    if (primary_action(question) != NULL)
      wrong("there is one --submit only: '%.100s' sends the form already, so '%.100s' is an --action", primary_action(question)->id, id);
    add_action(question, id, title, "primary");
    return;
  }
  if (what == ASSIGNMENTS) {
    if (question->output != NULL && assignments_are_asked_for()) wrong("--assignments and --json exclude each other: each says how the answer is printed");
    question->output = "assignments";
    return;
  }
  if (question->field_count == 0)
    wrong("%s follows no field: give it behind the one that it is about", field_details[what].name);
  struct field *field = &question->fields[question->field_count - 1];
  enum type type = field->kind->type;
  switch ((enum detail)what) {
    case LENGTH:
      if (type != TYPE_STRING) wrong_kind(field, "--length", "texts; numbers have --range");
      field->length = read_bounds(field, "--length", value, true);
      break;
    case RANGE:
      if (type != TYPE_INTEGER && type != TYPE_NUMBER) wrong_kind(field, "--range", "numbers; texts have --length");
      field->range = read_bounds(field, "--range", value, false);
      break;
    case COUNT:
      if (!field->kind->list) wrong_kind(field, "--count", "--several, --texts, --integers and --numbers");
      field->count = read_bounds(field, "--count", value, true);
      break;
    case PATTERN:
      if (type != TYPE_STRING) wrong_kind(field, "--pattern", "texts");
      field->pattern = value;
      break;
    case OPTIONAL: field->optional = true; break;
    case VALUE:
      if (field->kind->secret) wrong("the secret '%s' has no --value: only the user gives it", field->key);
      if (*value != 0) *APPEND(field->values, field->value_count) = value;
      break;
    case HELP_TEXT: field->description = value; break;
    case EXAMPLE: field->example = value; break;
    case MESSAGE: field->message = value; break;
    case UNIT: field->unit = value; break;
    case PURPOSE: field->purpose = value; break;
    case REVEALABLE: field->revealable = true; break;
    case SHOWN_IF: take_shown_if(field, value); break;
    case SAME_AS: field->same_key = value; break;
    case OPTION: {
      if (type != TYPE_CHOICE) wrong_kind(field, "--option", "--choice and --several");
      char *id, *title;
      split_pair(value, &id, &title, true);
      if (find_choice(field, id) != NULL) wrong("the choice '%.100s' of '%s' occurs twice", id, field->key);
      struct choice *choice = APPEND(field->choices, field->choice_count);
      choice->id = id;
      choice->title = title;
      break;
    }
    case SUBMIT:
    case ASSIGNMENTS: break;
  }
}

const struct option field_options[] = {
  {"--text", A_VALUE, take_field, KIND_TEXT}, {"--multiline", A_VALUE, take_field, KIND_MULTILINE},
  {"--secret", A_VALUE, take_field, KIND_SECRET}, {"--integer", A_VALUE, take_field, KIND_INTEGER},
  {"--number", A_VALUE, take_field, KIND_NUMBER}, {"--flag", A_VALUE, take_field, KIND_FLAG},
  {"--choice", A_VALUE, take_field, KIND_CHOICE}, {"--several", A_VALUE, take_field, KIND_SEVERAL},
  {"--texts", A_VALUE, take_field, KIND_TEXTS}, {"--integers", A_VALUE, take_field, KIND_INTEGERS},
  {"--numbers", A_VALUE, take_field, KIND_NUMBERS}, {"--date", A_VALUE, take_field, KIND_DATE},
  {"--time", A_VALUE, take_field, KIND_TIME}, {"--date-time", A_VALUE, take_field, KIND_DATE_TIME},
  {"--duration", A_VALUE, take_field, KIND_DURATION}, {"--email", A_VALUE, take_field, KIND_EMAIL},
  {"--phone", A_VALUE, take_field, KIND_PHONE}, {"--host", A_VALUE, take_field, KIND_HOST},
  {"--ip", A_VALUE, take_field, KIND_IP}, {"--url", A_VALUE, take_field, KIND_URL},
  {"--file", A_VALUE, take_field, KIND_FILE}, {"--uuid", A_VALUE, take_field, KIND_UUID},
  {"--schema", A_VALUE, take_field, KIND_SCHEMA}, {0}};

const struct option field_details[] = {
  {"--length", A_VALUE, take_detail, LENGTH}, {"--range", A_VALUE, take_detail, RANGE},
  {"--count", A_VALUE, take_detail, COUNT}, {"--pattern", A_VALUE, take_detail, PATTERN},
  {"--optional", NO_VALUE, take_detail, OPTIONAL}, {"--value", A_VALUE, take_detail, VALUE},
  {"--help-text", A_VALUE, take_detail, HELP_TEXT}, {"--example", A_VALUE, take_detail, EXAMPLE},
  {"--message", A_VALUE, take_detail, MESSAGE}, {"--unit", A_VALUE, take_detail, UNIT},
  {"--purpose", A_VALUE, take_detail, PURPOSE}, {"--revealable", NO_VALUE, take_detail, REVEALABLE},
  {"--shown-if", A_VALUE, take_detail, SHOWN_IF}, {"--same-as", A_VALUE, take_detail, SAME_AS},
  {"--option", A_VALUE, take_detail, OPTION}, {"--submit", A_VALUE, take_detail, SUBMIT},
  {"--assignments", NO_VALUE, take_detail, ASSIGNMENTS}, {0}};

/* Checks the types of initial values, because a renderer cannot show a value of another type; users can correct lengths
   and ranges. Drops choices that no longer exist. */
static void check_values(const struct question *question, struct field *field) {
  size_t kept = 0;
  for (size_t i = 0; i < field->value_count; i++) {
    const char *fault = fault_of(field, field->values[i]);
    if (fault != NULL && field->kind->type == TYPE_CHOICE) {
      notice("form %s: the --value '%.100s' of '%s' is not among its choices, and is left out", question->name, field->values[i], field->key);
      continue;
    }
    if (fault != NULL) wrong("the --value '%.100s' of '%s' %s", field->values[i], field->key, fault);
    field->values[kept++] = field->values[i];
  }
  field->value_count = kept;
}

static bool is_text(const struct field *field) {
  return field->kind->type == TYPE_STRING && !field->kind->list;
}

static void check_same_as(const struct question *question, const struct field *field) {
  const struct field *other = find_field(question, field->same_key);
  if (other == NULL || other == field) wrong("the --same-as '%.100s' of '%s' is no other field of the form", field->same_key, field->key);
  if (!is_text(field) || !is_text(other)) wrong("the --same-as '%.100s' of '%s': both must be texts, or both secrets", field->same_key, field->key);
  if (field->kind->secret != other->kind->secret)
    wrong("the --same-as '%.100s' of '%s': one of them is secret, and the other is not", other->key, field->key);
}

static void check_field(const struct question *question, struct field *field) {
  if (field->kind->type == TYPE_CHOICE && field->choice_count == 0)
    wrong("%s %s needs at least one --option ID=TITLE", field->kind->option, field->key);
  check_values(question, field);
  if (field->example != NULL && fault_of(field, field->example) != NULL)
    wrong("the --example '%.100s' of '%s' %s", field->example, field->key, fault_of(field, field->example));
  if (field->same_key != NULL) check_same_as(question, field);
  if (field->shown_key == NULL) return;
  const struct field *other = find_field(question, field->shown_key);
  if (other == NULL || other == field) wrong("the --shown-if '%.100s' of '%s' is no other field of the form", field->shown_key, field->key);
  for (size_t i = 0; i < field->shown_count; i++) {
    const char *fault = fault_of(other, field->shown_values[i]);
    if (fault != NULL) wrong("the --shown-if of '%s': the value '%.100s' of '%s' %s", field->key, field->shown_values[i], other->key, fault);
    struct text json = {0};
    add_value(&json, other, field->shown_values[i]);
    field->shown_values[i] = json.bytes;
  }
}

/* Prints assignments only if the script asks for them, and never because of the number of fields: a script that passes
   a single value to eval would execute it. */
static void choose_output(struct question *question) {
  struct variables variables = {0};
  size_t open = 0;
  bool asked = question->output != NULL && strcmp(question->output, "assignments") == 0;
  if (asked && has_alternatives(question) && assignments_are_asked_for()) check_variable(&variables, "action");
  for (size_t i = 0; i < question->field_count; i++) {
    if (question->fields[i].kind->secret) continue;
    open++;
    if (asked && assignments_are_asked_for()) check_variable(&variables, question->fields[i].key);
  }
  if (question->output != NULL) return;
  if (open <= 1 && !has_alternatives(question)) {
    question->output = open == 1 ? "value" : "status";
  } else if (!assignments_are_asked_for()) {
    question->output = "assignments";
  } else {
    wrong("a form with several %s prints them only with --assignments, as name='value' for eval, or --json",
          open > 1 ? "fields" : "actions");
  }
}

/* A message FIELD=TEXT belongs to the field, if the form has that field. Without a text, there is no message. */
static void assign_messages(struct question *question) {
  size_t kept = 0;
  for (size_t i = 0; i < question->message_count; i++) {
    struct message message = question->messages[i];
    const char *equals = strchr(message.text, '=');
    const char *key = equals == NULL ? NULL : copied(message.text, (size_t)(equals - message.text));
    if (key != NULL && find_field(question, key) != NULL) {
      message.field = key;
      message.text = equals + 1;
    }
    if (*message.text != 0) question->messages[kept++] = message;
  }
  question->message_count = kept;
}

void finish_fields(struct question *question) {
  if (primary_action(question) == NULL) {
    add_action(question, "submit", "Continue", "primary");
    /* The action that submits the form comes first. */
    struct action submit = question->actions[question->action_count - 1];
    memmove(question->actions + 1, question->actions, (question->action_count - 1) * sizeof submit);
    question->actions[0] = submit;
  }
  for (size_t i = 0; i < question->field_count; i++) check_field(question, &question->fields[i]);
  assign_messages(question);
  choose_output(question);
}
