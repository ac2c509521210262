#include "question.h"
#include "json.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>

const struct field_kind field_kinds[] = {
  {"--text", TYPE_STRING, false, false, false, NULL},
  {"--multiline", TYPE_STRING, false, false, true, NULL},
  {"--secret", TYPE_STRING, false, true, false, NULL},
  {"--integer", TYPE_INTEGER, false, false, false, NULL},
  {"--number", TYPE_NUMBER, false, false, false, NULL},
  {"--flag", TYPE_FLAG, false, false, false, NULL},
  {"--choice", TYPE_CHOICE, false, false, false, NULL},
  {"--several", TYPE_CHOICE, true, false, false, NULL},
  {"--texts", TYPE_STRING, true, false, false, NULL},
  {"--integers", TYPE_INTEGER, true, false, false, NULL},
  {"--numbers", TYPE_NUMBER, true, false, false, NULL},
  {"--date", TYPE_STRING, false, false, false, "date"},
  {"--time", TYPE_STRING, false, false, false, "time-local"},
  {"--date-time", TYPE_STRING, false, false, false, "date-time"},
  {"--duration", TYPE_STRING, false, false, false, "duration"},
  {"--email", TYPE_STRING, false, false, false, "email"},
  {"--phone", TYPE_STRING, false, false, false, "phone"},
  {"--host", TYPE_STRING, false, false, false, "hostname"},
  {"--ip", TYPE_STRING, false, false, false, "ip"},
  {"--url", TYPE_STRING, false, false, false, "uri"},
  {"--file", TYPE_STRING, false, false, false, "file-path"},
  {"--uuid", TYPE_STRING, false, false, false, "uuid"},
  {"--schema", TYPE_SCHEMA, false, false, false, NULL},
  {0},
};

const char *fault_of(const struct field *field, const char *value) {
  bool integer;
  switch (field->kind->type) {
    case TYPE_INTEGER: return json_is_number(value, &integer) && integer ? NULL : "must be a whole number";
    case TYPE_NUMBER: return json_is_number(value, &integer) ? NULL : "must be a number";
    case TYPE_FLAG: return strcmp(value, "true") == 0 || strcmp(value, "false") == 0 ? NULL : "must be true or false";
    case TYPE_CHOICE: return find_choice(field, value) != NULL ? NULL : "must be one of the choices";
    case TYPE_SCHEMA: {
      struct text json = {0};
      return json_whole(value, strlen(value), &json) ? NULL : "must be JSON";
    }
    case TYPE_STRING: break;
  }
  return NULL;
}

void add_value(struct text *json, const struct field *field, const char *value) {
  switch (field->kind->type) {
    case TYPE_STRING:
    case TYPE_CHOICE: json_quoted(json, value); break;
    case TYPE_SCHEMA: json_whole(value, strlen(value), json); break;
    default: text_string(json, value);
  }
}

static void add_bounds(struct text *json, const struct bounds *bounds, const char *high, const char *low) {
  if (bounds->high != NULL) {
    json_key(json, high);
    text_string(json, bounds->high);
  }
  if (bounds->low != NULL) {
    json_key(json, low);
    text_string(json, bounds->low);
  }
}

/* Whether each of its values is printed on a line, so that a line feed in one would make two of it. */
static bool prints_lines(const struct field *field) {
  return field->kind->list && field->kind->type == TYPE_STRING && assignments_are_asked_for();
}

/* What constrains one value, in alphabetical order; of a list, the schema of its entries. */
static void add_constraints(struct text *json, const struct field *field) {
  static const char *const types[] = {"string", "integer", "number", "boolean"};
  json_member(json, "format", field->kind->format);
  if (field->kind->type == TYPE_STRING) add_bounds(json, &field->length, "maxLength", "minLength");
  else add_bounds(json, &field->range, "maximum", "minimum");
  if (field->kind->type == TYPE_CHOICE) {
    json_key(json, "oneOf");
    text_byte(json, '[');
    for (size_t i = 0; i < field->choice_count; i++) {
      json_element(json);
      text_byte(json, '{');
      json_member(json, "const", field->choices[i].id);
      json_member(json, "title", field->choices[i].title);
      text_byte(json, '}');
    }
    text_byte(json, ']');
  }
  json_member(json, "pattern", field->pattern != NULL ? field->pattern : prints_lines(field) ? "^[^\\n\\r]*$" : NULL);
  if (field->kind->list) {
    if (field->kind->type != TYPE_CHOICE) json_member(json, "type", types[field->kind->type]);
    return;
  }
  json_member(json, "title", field->title);
  if (field->kind->type != TYPE_CHOICE) json_member(json, "type", types[field->kind->type]);
}

static void add_true(struct text *json, const char *key, bool holds) {
  if (!holds) return;
  json_key(json, key);
  text_string(json, "true");
}

static void add_hints(struct text *json, const struct field *field) {
  add_true(json, "writeOnly", field->kind->secret);
  json_member(json, "x-message", field->message);
  add_true(json, "x-multiline", field->kind->multiline);
  json_member(json, "x-purpose", field->purpose);
  add_true(json, "x-required-if-shown", field->shown_key != NULL && !field->optional);
  add_true(json, "x-revealable", field->revealable);
  if (field->shown_key != NULL) {
    json_key(json, "x-shown-if");
    text_byte(json, '{');
    json_key(json, field->shown_key);
    text_byte(json, '[');
    for (size_t i = 0; i < field->shown_count; i++) {
      json_element(json);
      text_string(json, field->shown_values[i]);
    }
    text_string(json, "]}");
  }
  json_member(json, "x-unit", field->unit);
}

void add_field_schema(struct text *json, const struct field *field) {
  if (field->kind->type == TYPE_SCHEMA) {
    text_string(json, field->schema);
    return;
  }
  text_byte(json, '{');
  json_member(json, "description", field->description);
  if (field->example != NULL) {
    json_key(json, "examples");
    text_byte(json, '[');
    add_value(json, field, field->example);
    text_byte(json, ']');
  }
  if (field->kind->list) {
    json_key(json, "items");
    text_byte(json, '{');
    add_constraints(json, field);
    text_byte(json, '}');
    add_bounds(json, &field->count, "maxItems", "minItems");
    json_member(json, "title", field->title);
    json_member(json, "type", "array");
    add_true(json, "uniqueItems", field->kind->type == TYPE_CHOICE);
  } else {
    add_constraints(json, field);
  }
  add_hints(json, field);
  text_byte(json, '}');
}
