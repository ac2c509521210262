/* The parts of a question, and the rows of a list that the standard input provides. */
#include "question.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The maximum size of a message to the engine, which contains the rows. */
enum { MOST_INPUT = 1 << 20 };

struct action *add_action(struct question *question, const char *id, const char *title, const char *role) {
  checked_name(id, "the id");
  if (find_action(question, id) != NULL) wrong("the id '%s' occurs twice", id);
  struct action *action = APPEND(question->actions, question->action_count);
  action->id = id;
  action->title = title;
  action->role = role;
  return action;
}

const struct action *find_action(const struct question *question, const char *id) {
  for (size_t i = 0; i < question->action_count; i++) {
    if (strcmp(question->actions[i].id, id) == 0) return &question->actions[i];
  }
  return NULL;
}

const struct item *find_item(const struct question *question, const char *id) {
  for (size_t i = 0; i < question->item_count; i++) {
    if (strcmp(question->items[i].id, id) == 0) return &question->items[i];
  }
  return NULL;
}

struct field *find_field(const struct question *question, const char *key) {
  for (size_t i = 0; i < question->field_count; i++) {
    if (strcmp(question->fields[i].key, key) == 0) return &question->fields[i];
  }
  return NULL;
}

const struct choice *find_choice(const struct field *field, const char *id) {
  for (size_t i = 0; i < field->choice_count; i++) {
    if (strcmp(field->choices[i].id, id) == 0) return &field->choices[i];
  }
  return NULL;
}

const struct action *primary_action(const struct question *question) {
  for (size_t i = 0; i < question->action_count; i++) {
    if (strcmp(question->actions[i].role, "primary") == 0) return &question->actions[i];
  }
  return NULL;
}

bool has_alternatives(const struct question *question) {
  size_t count = 0;
  for (size_t i = 0; i < question->action_count; i++) count += strcmp(question->actions[i].role, "cancel") != 0;
  return count > 1;
}

/* A set of the ids of rows, which finds duplicates quickly: a hash table with linear probing. */
struct ids {
  const char **slots;
  size_t room, count;
};

static size_t slot_of(const struct ids *ids, const char *id) {
  size_t hash = 5381;
  for (const char *byte = id; *byte != 0; byte++) hash = 33 * hash + (unsigned char)*byte;
  size_t slot = hash & (ids->room - 1);
  while (ids->slots[slot] != NULL && strcmp(ids->slots[slot], id) != 0) slot = (slot + 1) & (ids->room - 1);
  return slot;
}

static bool is_new(struct ids *ids, const char *id) {
  if (2 * ids->count >= ids->room) {
    struct ids larger = {NULL, ids->room == 0 ? 64 : 2 * ids->room, ids->count};
    larger.slots = memory(NULL, larger.room * sizeof *larger.slots);
    memset(larger.slots, 0, larger.room * sizeof *larger.slots);
    for (size_t i = 0; i < ids->room; i++) {
      if (ids->slots[i] != NULL) larger.slots[slot_of(&larger, ids->slots[i])] = ids->slots[i];
    }
    free(ids->slots);
    *ids = larger;
  }
  size_t slot = slot_of(ids, id);
  if (ids->slots[slot] != NULL) return false;
  ids->slots[slot] = id;
  ids->count++;
  return true;
}

/* Adds a row from ID, or from ID TAB TITLE TAB SUBTITLE TAB GROUP. Ignores empty and duplicate ids. */
static void add_line(struct question *question, struct ids *ids, char *line) {
  char *parts[4] = {line, NULL, NULL, NULL};
  for (int i = 1; i < 4; i++) {
    char *tab = strchr(parts[i - 1], '\t');
    if (tab == NULL) break;
    *tab = 0;
    parts[i] = tab + 1;
  }
  if (*line == 0 || !is_new(ids, line)) return;
  struct item *item = APPEND(question->items, question->item_count);
  item->id = line;
  item->title = parts[1] == NULL || *parts[1] == 0 ? line : parts[1];
  item->subtitle = parts[2] == NULL || *parts[2] == 0 ? NULL : parts[2];
  item->group = parts[3] == NULL || *parts[3] == 0 ? NULL : parts[3];
}

void read_items(struct question *question) {
  struct text input = {0};
  struct ids ids = {0};
  char buffer[16384];
  ssize_t count;
  while ((count = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
    text_add(&input, buffer, (size_t)count);
    if (input.length > MOST_INPUT) wrong("--items=- reads at most 1 MiB, and there is more: choose rows before, such as with head -n 1000");
  }
  if (count < 0) wrong("the standard input, which --items=- reads, cannot be read: %m");
  for (char *line = input.bytes; line != NULL && line < input.bytes + input.length;) {
    char *end = memchr(line, '\n', (size_t)(input.bytes + input.length - line));
    if (end != NULL) *end = 0;
    add_line(question, &ids, line);
    line = end == NULL ? NULL : end + 1;
  }
  free(ids.slots);
}
