/* A question: the screen that a command line describes, and how its answer is printed. */
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
  const char *low, *high; /* as in JSON; NULL for none */
};

enum type { TYPE_STRING, TYPE_INTEGER, TYPE_NUMBER, TYPE_FLAG, TYPE_CHOICE, TYPE_SCHEMA };

struct field_kind {
  const char *option;
  enum type type;
  bool list, secret, multiline;
  const char *format;
};
extern const struct field_kind field_kinds[];

struct field {
  const struct field_kind *kind;
  const char *key, *title;
  bool optional, revealable;
  struct bounds length, range, count;
  const char *pattern, *description, *example, *message, *unit, *purpose, *shown_key;
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
};

struct question {
  const char *kind, *name, *title, *body, *accent, *code;
  const char *picture, *picture_text; /* JSON, and its description */
  const char *timeout, *output;
  unsigned long long step, steps; /* 0 for none */
  bool multiple, items_from_stdin;
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
const struct action *find_action(const struct question *question, const char *id);
const struct item *find_item(const struct question *question, const char *id);
struct field *find_field(const struct question *question, const char *key);
const struct choice *find_choice(const struct field *field, const char *id);
/* The action that sends a form. */
const struct action *primary_action(const struct question *question);
/* Whether its answer is one of several actions. */
bool has_alternatives(const struct question *question);

/* A PNG or JPEG file, as the JSON of a screen's picture. */
const char *read_picture(const char *path, const char *description);

/* Reads the rows of a list from the standard input, to its end. */
void read_items(struct question *question);

/* Whether a value has the type of a field, so that it can be written as JSON of it; else why not. What else it must be, its
   schema says to whoever shows the field. */
const char *fault_of(const struct field *field, const char *value);
/* A value as JSON of the field's type. */
void add_value(struct text *json, const struct field *field, const char *value);
void add_field_schema(struct text *json, const struct field *field);

/* The screen as JSON, with keys in alphabetical order. */
void add_screen(struct text *json, const struct question *question);
/* The answer after the timeout. */
void add_default(struct text *json, const struct question *question);

/* Asks: the replay file, the engine, or the terminal. Returns the exit status. */
int ask_question(struct question *question);

#endif
