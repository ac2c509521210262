/* Reads the command lines of menu, list, form, confirm, message and review. */
#include "ask-options.h"
#include "run.h"
#include "shell.h"

#include <string.h>

/* Takes NAME and TITLE. Returns false for all later words. */
static bool takes_heading(struct question *question, const char *word) {
  if (question->name == NULL) name_question(question->name = checked_name(word, "the name"));
  else if (question->title == NULL) question->title = word;
  else return false;
  return true;
}

/* Whether the next word is the title, which may look like an option. */
static bool is_title(const void *context) {
  const struct question *question = context;
  return question->name != NULL && question->title == NULL && assignments_are_asked_for();
}

static void other_of_menu(void *context, const char *word) {
  if (takes_heading(context, word)) return;
  char *id, *title;
  split_pair(word, &id, &title, true);
  add_action(context, id, title, "normal");
}

static void other_of_list(void *context, const char *word) {
  struct question *question = context;
  if (takes_heading(question, word)) return;
  char *id, *title;
  split_pair(word, &id, &title, true);
  if (find_item(question, id) != NULL) wrong("the id '%.100s' occurs twice", id);
  if (strchr(id, '\n') != NULL) wrong("the id '%.100s' has a line feed, but the id of a row is printed on a line", id);
  struct item *item = APPEND(question->items, question->item_count);
  item->id = id;
  item->title = title;
}

static bool names_action(const char *word) {
  size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
  return length > 0 && *word != '-' && word[length] == '=';
}

static void other_of_message(void *context, const char *word) {
  struct question *question = context;
  if (takes_heading(question, word)) return;
  /* A text may contain '=' anywhere, but an id is neither a sentence nor a path. A word behind "--" is a text, whatever
     it looks like. */
  bool is_body = !names_action(word) || (options_have_ended() && assignments_are_asked_for());
  if (question->body == NULL && question->action_count == 0 && is_body) question->body = word;
  else other_of_menu(context, word);
}

static void other_of_form(void *context, const char *word) {
  if (!takes_heading(context, word)) wrong("'%.100s' is one word too many", word);
}

static void read_question(
  struct question *question, char **words, const struct option *const *tables, void (*other)(void *context, const char *word)) {
  if (*words == NULL) wrong("the name is missing");
  take_words(words, tables, question, other, is_title, false);
  if (question->name == NULL) wrong("the name is missing");
  if (question->title == NULL) wrong("the title is missing");
}

int run_menu(char **words) {
  struct question question = {.kind = "menu", .output = "value"};
  const struct option *const tables[] = {common_options, action_options, NULL};
  read_question(&question, words, tables, other_of_menu);
  if (question.action_count == 0) wrong("there is nothing to choose: each choice is an ID=TITLE");
  return ask_question(&question);
}

/* With --items=-, the words of the command line are actions, not rows. */
static void make_actions_of_items(struct question *question) {
  for (size_t i = 0; i < question->item_count; i++) {
    struct action *action = add_action(question, question->items[i].id, question->items[i].title, "normal");
    action->summary = question->items[i].subtitle;
    action->disabled = question->items[i].disabled;
  }
  question->items = NULL;
  question->item_count = 0;
}

/* A list without rows, because the command that lists them found none, could not be answered. Adds a way out. */
static void explain_empty_list(struct question *question) {
  struct message *message = APPEND(question->messages, question->message_count);
  message->level = "warning";
  message->text = "There is nothing to choose.";
  add_action(question, "cancel", "Cancel", "cancel");
  notice("the list '%s' has no rows and no actions, so it can only be cancelled", question->name);
}

int run_list(char **words) {
  struct question question = {.kind = "list", .output = "value"};
  const struct option *const tables[] = {common_options, action_options, list_options, NULL};
  read_question(&question, words, tables, other_of_list);
  if (question.items_from_stdin) {
    make_actions_of_items(&question);
    read_items(&question);
    /* The script could not distinguish the row from the action. */
    for (size_t i = 0; i < question.item_count && assignments_are_asked_for(); i++) {
      if (find_action(&question, question.items[i].id) != NULL) question.items[i].disabled = "This name has another meaning here.";
    }
  }
  if (question.item_count == 0 && question.action_count == 0) {
    if (!question.items_from_stdin) wrong("there is nothing to choose: each row is an ID=TITLE, or --items=- reads the rows");
    if (!question.multiple || question.least > 0) explain_empty_list(&question);
  }
  if (question.multiple && question.most > question.item_count)
    question.most = question.item_count > question.least ? question.item_count : question.least;
  for (size_t i = question.initial_count; i-- > 0;) {
    /* Ignores initial choices that no longer exist. */
    if (find_item(&question, question.initial[i]) == NULL) {
      notice("list %s: the --initial '%.100s' is not among the rows, and is left out", question.name, question.initial[i]);
      memmove(&question.initial[i], &question.initial[i + 1], (question.initial_count - i - 1) * sizeof(char *));
      question.initial_count--;
    }
  }
  return ask_question(&question);
}

int run_form(char **words) {
  struct question question = {.kind = "form"};
  const struct option *const tables[] = {common_options, action_options, field_options, field_details, NULL};
  read_question(&question, words, tables, other_of_form);
  finish_fields(&question);
  return ask_question(&question);
}

struct confirmation {
  struct question question; /* the first member, so that a pointer to the whole points to it */
  const char *yes, *no, *role;
};

static void take_confirm(void *context, int what, const char *value) {
  struct confirmation *confirmation = context;
  if (what == YES) confirmation->yes = value;
  else if (what == NO) confirmation->no = value;
  else confirmation->role = "destructive";
}

int run_confirm(char **words) {
  static const struct option confirm_options[] = {
    {"--yes", A_VALUE, take_confirm, YES}, {"--no", A_VALUE, take_confirm, NO},
    {"--destructive", NO_VALUE, take_confirm, DESTRUCTIVE}, {0}};
  struct confirmation confirmation = {
    .question = {.kind = "menu", .output = "status"}, .yes = "Yes", .no = "No", .role = "normal"};
  const struct option *const tables[] = {confirm_options, common_options, NULL};
  read_question(&confirmation.question, words, tables, other_of_form);
  add_action(&confirmation.question, "yes", confirmation.yes, confirmation.role);
  add_action(&confirmation.question, "no", confirmation.no, "normal");
  return ask_question(&confirmation.question);
}

int run_message(char **words) {
  struct question question = {.kind = "message", .output = "status"};
  const struct option *const tables[] = {common_options, action_options, NULL};
  read_question(&question, words, tables, other_of_message);
  if (question.action_count == 0) add_action(&question, "okay", "Okay", "primary");
  if (has_alternatives(&question) && question.output[0] != 'j') question.output = "value";
  return ask_question(&question);
}

int run_review(char **words) {
  struct question question = {.kind = "message", .output = "status", .review = true};
  const struct option *const tables[] = {common_options, action_options, NULL};
  read_question(&question, words, tables, other_of_message);
  if (question.action_count == 0) add_action(&question, "continue", "Continue", "primary");
  if (has_alternatives(&question) && question.output[0] != 'j') question.output = "value";
  if (in_run() && !engine_has("review")) notice("this coordinator-scripts is older than ask review, and does not show the answers");
  return ask_question(&question);
}
