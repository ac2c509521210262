/* A question: the screen that a command line describes, and the form in which its answer is printed. */
#ifndef QUESTION_H
#define QUESTION_H

#include "text.h"

struct action {
  const char *id, *title, *role, *summary, *sure, *disabled;
};

struct item {
  const char *id, *title, *subtitle, *group, *disabled;
};

struct choice {
  const char *id, *title;
};

struct bounds {
  const char *low, *high; /* as in JSON; NULL if there is none */
};

enum type { TYPE_STRING, TYPE_INTEGER, TYPE_NUMBER, TYPE_FLAG, TYPE_CHOICE, TYPE_SCHEMA };

enum kind {
  KIND_TEXT, KIND_MULTILINE, KIND_SECRET, KIND_INTEGER, KIND_NUMBER, KIND_FLAG, KIND_CHOICE, KIND_SEVERAL, KIND_TEXTS,
  KIND_INTEGERS, KIND_NUMBERS, KIND_DATE, KIND_TIME, KIND_DATE_TIME, KIND_DURATION, KIND_EMAIL, KIND_PHONE, KIND_HOST,
  KIND_IP, KIND_URL, KIND_FILE, KIND_UUID, KIND_SCHEMA,
};

struct field_kind {
  const char *option;
  enum type type;
  bool list, secret, multiline;
  const char *format;
};
extern const struct field_kind field_kinds[]; /* by `enum kind` */

struct field {
  const struct field_kind *kind;
  const char *key, *title;
  bool optional, revealable;
  struct bounds length, range, count;
  const char *pattern, *description, *example, *message, *unit, *purpose, *shown_key, *same_key;
  const char *schema;
  const char **values, **shown_values;
  size_t value_count, shown_count;
  struct choice *choices;
  size_t choice_count;
};

struct message {
  const char *level, *text, *field;
};

struct block {
  const char *kind, *text;
  const char *style, *link; /* of the whole text; NULL for none */
};

struct question {
  const char *kind, *name, *title, *body, *accent, *code;
  const char *picture, *picture_text; /* the picture as JSON, and its description */
  const char *timeout, *output;
  const char *languages; /* the languages that the engine shows as rows, as JSON; NULL for all other questions */
  unsigned long long step, steps; /* 0 if there is none */
  bool multiple, items_from_stdin, review;
  unsigned long long least, most;
  struct action *actions;
  struct item *items;
  struct field *fields;
  struct message *messages;
  struct block *blocks;
  const char **initial, **defaults;
  size_t action_count, item_count, field_count, message_count, block_count, initial_count, default_count;
};

struct action *add_action(struct question *question, const char *id, const char *title, const char *role);
/* Each of these returns the part with an id or a key; NULL if there is none. */
const struct action *find_action(const struct question *question, const char *id);
const struct item *find_item(const struct question *question, const char *id);
struct field *find_field(const struct question *question, const char *key);
const struct choice *find_choice(const struct field *field, const char *id);
/* Returns the action that submits a form; NULL if there is none. */
const struct action *primary_action(const struct question *question);
/* Returns whether the answer is one of several actions. */
bool has_alternatives(const struct question *question);

/* Reads a PNG or JPEG file. Returns the picture of a screen as JSON. */
const char *read_picture(const char *path, const char *description);

/* Reads the rows of a list from the standard input, to its end. */
void read_items(struct question *question);

/* Returns why a value does not have the type of its field, so that it cannot be written as JSON; NULL if it does.
   Checks no other constraints, which renderers know from the schema. */
const char *fault_of(const struct field *field, const char *value);
/* Adds a value as JSON of its field's type. */
void add_value(struct text *json, const struct field *field, const char *value);
void add_field_schema(struct text *json, const struct field *field);

/* Adds the screen as JSON, with its keys in alphabetical order. */
void add_screen(struct text *json, const struct question *question);
/* Adds the answer that the timeout gives. */
void add_default(struct text *json, const struct question *question);

struct record;
/* Asks the question. Returns what is to be printed, and the exit status, in `record`. */
void put_question(struct question *question, struct record *record);
/* Asks the question, and prints the answer. Returns the exit status. */
int ask_question(struct question *question);

#endif
