/* Menus, lists, confirmations and messages on the terminal. */
#include "answer.h"
#include "command.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static void show_heading(const struct question *question) {
  say("\n%s\n", question->title);
  if (question->body != NULL && *question->body != 0) say("%s\n", question->body);
  for (size_t i = 0; i < question->block_count; i++) {
    bool bullet = strcmp(question->blocks[i].kind, "bullet") == 0;
    say("%s%s\n", bullet ? "  - " : "\n", question->blocks[i].text);
  }
  if (question->code != NULL) say("%s\n", question->code);
  if (question->picture != NULL) say("(%s)\n", question->picture_text);
  for (size_t i = 0; i < question->message_count; i++) {
    const struct message *message = &question->messages[i];
    const struct field *field = message->field == NULL ? NULL : find_field(question, message->field);
    say("%s: %s%s%s\n", message->level, field == NULL ? "" : field->title, field == NULL ? "" : " ", message->text);
  }
}

static void show_row(size_t number, const char *title, const char *more, const char *disabled) {
  bool has_more = more != NULL && *more != 0;
  say("  %zu  %s%s%s%s%s%s\n", number, title, has_more ? " - " : "", has_more ? more : "", disabled == NULL ? "" : " (",
      disabled == NULL ? "" : disabled, disabled == NULL ? "" : ")");
}

/* The first number of an answer, if it is one from 1 to `count`. */
static bool is_number(const char *line, size_t count, size_t *index) {
  unsigned long long number;
  if (!read_number(line, strlen(line), count, &number) || number == 0) return false;
  *index = (size_t)number - 1;
  return true;
}

static char *trimmed(char *line) {
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) line[--length] = 0;
  return line + strspn(line, " \t");
}

static const struct action *action_named(const struct question *question, const char *line, size_t offset) {
  size_t index;
  if (is_number(line, offset + question->action_count, &index) && index >= offset) return &question->actions[index - offset];
  const struct action *action = find_action(question, line);
  for (size_t i = 0; action == NULL && i < question->action_count; i++) {
    if (strcmp(question->actions[i].title, line) == 0) action = &question->actions[i];
  }
  return action;
}

/* Whether the action may be chosen: it is not disabled, and its question is answered with yes. */
static bool is_sure(const struct action *action) {
  char *line;
  if (action->disabled != NULL) {
    say("%s\n", action->disabled);
    return false;
  }
  if (action->sure == NULL) return true;
  say("%s [y/N] ", action->sure);
  return read_reply(&line) == REPLY_LINE && (*line == 'y' || *line == 'Y');
}

const struct action *choose_action(const struct question *question, const char *prompt) {
  char *line;
  for (size_t i = 0; i < question->action_count; i++) {
    const struct action *action = &question->actions[i];
    show_row(i + 1, action->title, action->summary, action->disabled);
  }
  for (;;) {
    say("%s", prompt);
    if (read_reply(&line) == REPLY_TIMEOUT) return NULL;
    line = trimmed(line);
    const struct action *action = action_named(question, line, 0);
    /* Where there is one thing to do, an empty line does it. */
    if (action == NULL && *line == 0 && question->action_count == 1) action = &question->actions[0];
    if (action == NULL) {
      if (*line != 0) say("'%s' is none of these.\n", line);
      continue;
    }
    if (!is_sure(action)) continue;
    if (strcmp(action->role, "cancel") == 0) cancel_script();
    return action;
  }
}

static const struct item *item_named(const struct question *question, const char *word) {
  size_t index;
  if (is_number(word, question->item_count, &index)) return &question->items[index];
  const struct item *item = find_item(question, word);
  for (size_t i = 0; item == NULL && i < question->item_count; i++) {
    if (strcmp(question->items[i].title, word) == 0) item = &question->items[i];
  }
  return item;
}

/* Takes the rows that a line names, separated by commas where several may be chosen. False if it is to be repeated. */
static bool take_rows(const struct question *question, char *line, struct answer *answer) {
  answer->ids = memory(NULL, (question->item_count + question->initial_count + 1) * sizeof *answer->ids);
  answer->id_count = 0;
  if (*line == 0) {
    for (size_t i = 0; i < question->initial_count; i++) answer->ids[answer->id_count++] = question->initial[i];
    if (!question->multiple && answer->id_count > 1) answer->id_count = 1;
  }
  for (char *word = line; *line != 0 && word != NULL;) {
    char *comma = question->multiple ? strchr(word, ',') : NULL;
    if (comma != NULL) *comma = 0;
    const struct item *item = item_named(question, trimmed(word));
    if (item == NULL || item->disabled != NULL) {
      if (item != NULL) say("%s\n", item->disabled);
      else say("'%s' is none of these.\n", trimmed(word));
      return false;
    }
    bool known = false;
    for (size_t i = 0; i < answer->id_count; i++) known |= answer->ids[i] == item->id;
    if (!known) answer->ids[answer->id_count++] = item->id;
    word = comma == NULL ? NULL : comma + 1;
  }
  size_t least = question->multiple ? (size_t)question->least : 1, most = question->multiple ? (size_t)question->most : 1;
  if (answer->id_count >= least && answer->id_count <= most) return true;
  if (*line != 0 || question->multiple) say("Choose %zu to %zu.\n", least, most);
  return false;
}

static bool ask_list(const struct question *question, struct answer *answer) {
  char *line;
  const char *group = NULL;
  for (size_t i = 0; i < question->item_count; i++) {
    const struct item *item = &question->items[i];
    if (item->group != NULL && (group == NULL || strcmp(group, item->group) != 0)) say(" %s\n", item->group);
    group = item->group;
    show_row(i + 1, item->title, item->subtitle, item->disabled);
  }
  for (size_t i = 0; i < question->action_count; i++) {
    const struct action *action = &question->actions[i];
    show_row(question->item_count + i + 1, action->title, action->summary, action->disabled);
  }
  for (;;) {
    say(question->multiple ? "Numbers or names, separated by commas: " : "Number or name: ");
    if (read_reply(&line) == REPLY_TIMEOUT) return false;
    line = trimmed(line);
    const struct item *item = item_named(question, line);
    const struct action *action = item == NULL ? action_named(question, line, question->item_count) : NULL;
    if (action != NULL) {
      if (!is_sure(action)) continue;
      if (strcmp(action->role, "cancel") == 0) cancel_script();
      answer->event = action->id;
      return true;
    }
    if (take_rows(question, line, answer)) break;
  }
  answer->event = "select";
  return true;
}

static bool is_confirmation(const struct question *question) {
  return question->action_count == 2 && strcmp(question->output, "status") == 0 && find_action(question, "yes") != NULL
    && find_action(question, "no") != NULL;
}

static bool ask_confirmation(const struct question *question, struct answer *answer) {
  char *line;
  say("%s / %s [y/N] ", question->actions[0].title, question->actions[1].title);
  if (read_reply(&line) == REPLY_TIMEOUT) return false;
  line = trimmed(line);
  bool yes = strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0 || strcasecmp(line, question->actions[0].title) == 0;
  answer->event = yes ? "yes" : "no";
  return true;
}

int ask_on_terminal(const struct question *question) {
  struct answer answer = {0};
  bool answered;
  open_terminal();
  if (question->timeout != NULL) start_timeout(question->timeout);
  show_heading(question);
  if (strcmp(question->kind, "list") == 0) answered = ask_list(question, &answer);
  else if (strcmp(question->kind, "form") == 0) answered = fill_in(question, &answer);
  else if (is_confirmation(question)) answered = ask_confirmation(question, &answer);
  else {
    bool one = strcmp(question->kind, "message") == 0 && question->action_count == 1;
    const struct action *action = choose_action(question, one ? "Enter: " : "Number or name: ");
    answered = action != NULL;
    if (answered) answer.event = action->id;
  }
  if (!answered) {
    answer = (struct answer){0};
    take_default_answer(question, &answer);
  }
  return print_answer(question, &answer);
}
