/* The kinds of fields, and their JSON Schemas. */
#include "question.h"
#include "json.h"
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most significant digits that a double can keep. */
enum { MOST_DIGITS = 17 };

const struct field_kind field_kinds[] = {
  [KIND_TEXT] = {"--text", TYPE_STRING, false, false, false, NULL},
  [KIND_MULTILINE] = {"--multiline", TYPE_STRING, false, false, true, NULL},
  [KIND_SECRET] = {"--secret", TYPE_STRING, false, true, false, NULL},
  [KIND_INTEGER] = {"--integer", TYPE_INTEGER, false, false, false, NULL},
  [KIND_NUMBER] = {"--number", TYPE_NUMBER, false, false, false, NULL},
  [KIND_FLAG] = {"--flag", TYPE_FLAG, false, false, false, NULL},
  [KIND_CHOICE] = {"--choice", TYPE_CHOICE, false, false, false, NULL},
  [KIND_SEVERAL] = {"--several", TYPE_CHOICE, true, false, false, NULL},
  [KIND_TEXTS] = {"--texts", TYPE_STRING, true, false, false, NULL},
  [KIND_INTEGERS] = {"--integers", TYPE_INTEGER, true, false, false, NULL},
  [KIND_NUMBERS] = {"--numbers", TYPE_NUMBER, true, false, false, NULL},
  [KIND_DATE] = {"--date", TYPE_STRING, false, false, false, "date"},
  [KIND_TIME] = {"--time", TYPE_STRING, false, false, false, "time-local"},
  [KIND_DATE_TIME] = {"--date-time", TYPE_STRING, false, false, false, "date-time"},
  [KIND_DURATION] = {"--duration", TYPE_STRING, false, false, false, "duration"},
  [KIND_EMAIL] = {"--email", TYPE_STRING, false, false, false, "email"},
  [KIND_PHONE] = {"--phone", TYPE_STRING, false, false, false, "phone"},
  [KIND_HOST] = {"--host", TYPE_STRING, false, false, false, "hostname"},
  [KIND_IP] = {"--ip", TYPE_STRING, false, false, false, "ip"},
  [KIND_URL] = {"--url", TYPE_STRING, false, false, false, "uri"},
  [KIND_FILE] = {"--file", TYPE_STRING, false, false, false, "file-path"},
  [KIND_UUID] = {"--uuid", TYPE_STRING, false, false, false, "uuid"},
  [KIND_SCHEMA] = {"--schema", TYPE_SCHEMA, false, false, false, NULL},
};

/* Copies the significant digits of a number. Returns how many there are; `room` if there are more. */
static size_t digits_of(const char *number, char *digits, size_t room) {
  size_t count = 0, significant = 0;
  for (; *number != 0 && *number != 'e' && *number != 'E'; number++) {
    if (*number < '0' || *number > '9' || (*number == '0' && count == 0)) continue;
    if (count == room) return room;
    digits[count++] = *number;
    if (*number != '0') significant = count;
  }
  return significant;
}

/* Whether the engine keeps all digits: as an integer of 64 bits, or as a double. */
static bool is_exact(const char *number, bool integer) {
  char digits[MOST_DIGITS + 1], kept[MOST_DIGITS + 1], printed[MOST_DIGITS + 16];
  errno = 0;
  if (integer && (strtoll(number, NULL, 10), errno == 0)) return true;
  size_t count = digits_of(number, digits, sizeof digits);
  if (count > MOST_DIGITS || integer) return false;
  if (count == 0) return true;
  snprintf(printed, sizeof printed, "%.*e", (int)count - 1, strtod(number, NULL));
  return digits_of(printed, kept, sizeof kept) == count && memcmp(digits, kept, count) == 0;
}

const char *fault_of(const struct field *field, const char *value) {
  bool integer;
  switch (field->kind->type) {
    case TYPE_INTEGER:
      if (!json_is_number(value, &integer) || !integer) return "must be a whole number, such as 12";
      return is_exact(value, true) ? NULL : "must be from -9223372036854775808 to 9223372036854775807";
    case TYPE_NUMBER:
      if (!json_is_number(value, &integer)) return "must be a number, such as 1.5";
      return is_exact(value, integer) ? NULL : "has more digits than a number keeps: use --text";
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

/* Whether each value is printed on a line, which a line feed in the value would split. */
static bool prints_lines(const struct field *field) {
  return field->kind->list && field->kind->type == TYPE_STRING && assignments_are_asked_for();
}

/* A text that is not optional needs a character, unless --length says otherwise. An author may accept an empty secret,
   and formats never accept an empty text. */
static void add_lengths(struct text *json, const struct field *field) {
  struct bounds length = field->length;
  bool is_plain = !field->kind->list && !field->kind->secret && field->kind->format == NULL;
  if (is_plain && !field->optional && length.low == NULL) length.low = "1";
  add_bounds(json, &length, "maxLength", "minLength");
}

/* Adds the constraints of one value, in alphabetical order; for a list, those of its entries. */
static void add_constraints(struct text *json, const struct field *field) {
  static const char *const types[] = {"string", "integer", "number", "boolean"};
  json_member(json, "format", field->kind->format);
  if (field->kind->type == TYPE_STRING) add_lengths(json, field);
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
  json_member(json, "x-same-as", field->same_key);
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
