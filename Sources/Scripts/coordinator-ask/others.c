/* The subcommands run, sleep, now, random, uuid and patched. */
#include "command.h"
#include "json.h"
#include "run.h"
#include "shell.h"
#include "timer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static const struct option *const no_tables[] = {NULL};

enum { CHILD_NAME, CHILD_JSON, CHILD_VALUE, CHILD_ASSIGNMENTS };

struct child_flow {
  const char *flow, *name;
  const char *output; /* how the result is printed; NULL if no option specifies it */
  char **keys;        /* the members of the result to print; all if no keys are given */
  size_t key_count;
  struct text input;
};

/* Takes KEY,KEY… */
static void take_keys(struct child_flow *child, const char *list) {
  struct variables variables = {0};
  for (const char *at = list; at != NULL;) {
    const char *comma = strchr(at, ',');
    char *key = copied(at, comma == NULL ? strlen(at) : (size_t)(comma - at));
    checked_name(key, "the key");
    check_variable(&variables, key);
    *APPEND(child->keys, child->key_count) = key;
    at = comma == NULL ? NULL : comma + 1;
  }
}

static void take_child(void *context, int what, const char *value) {
  static const char *const outputs[] = {[CHILD_JSON] = "json", [CHILD_VALUE] = "value", [CHILD_ASSIGNMENTS] = "assignments"};
  struct child_flow *child = context;
  if (what == CHILD_NAME) {
    child->name = checked_name(value, "the name");
    return;
  }
  if (child->output != NULL) wrong("only one of --json, --value and --assignments says what is printed");
  child->output = outputs[what];
  if (what == CHILD_VALUE) *APPEND(child->keys, child->key_count) = (char *)checked_name(value, "the key");
  else if (what == CHILD_ASSIGNMENTS && value != NULL) take_keys(child, value);
}

static void other_of_child(void *context, const char *word) {
  struct child_flow *child = context;
  if (child->flow == NULL) child->flow = checked_name(word, "the flow");
  else if (child->output != NULL && child->key_count == 0 && strchr(word, '=') == NULL)
    wrong("'%.100s' is neither KEY=VALUE nor KEY:=JSON; keys of the result are given as --assignments=KEY,KEY", word);
  else add_assignment(&child->input, word);
}

static int perform(const struct operation *operation) {
  struct record record;
  perform_operation(operation, &record, NULL, NULL);
  return print_record(&record);
}

int run_child(char **words) {
  static const struct option options[] = {
    {"--name", A_VALUE, take_child, CHILD_NAME}, {"--json", NO_VALUE, take_child, CHILD_JSON},
    {"--value", A_VALUE, take_child, CHILD_VALUE}, {"--assignments", MAYBE_VALUE, take_child, CHILD_ASSIGNMENTS}, {0}};
  static const struct option *const tables[] = {options, NULL};
  struct child_flow child = {0};
  take_help(words);
  text_byte(&child.input, '{');
  take_words(words, tables, &child, other_of_child, NULL, false);
  text_byte(&child.input, '}');
  if (child.flow == NULL) wrong("the flow is missing");
  if (!in_run()) unable("a flow runs another one only if coordinatord runs it: coordinatorctl run NAME");
  struct operation operation = {"child", "child", child.name == NULL ? child.flow : child.name, "-", {0}};
  text_string(&operation.rest, ",\"flow\":");
  json_quoted(&operation.rest, child.flow);
  text_string(&operation.rest, ",\"input\":");
  text_add(&operation.rest, child.input.bytes, child.input.length);
  if (child.key_count > 0 && !engine_has("result-keys"))
    unable("coordinator-scripts is older than this program, and would print more than --value and --assignments=KEY say;"
           " start it again: systemctl --user restart coordinator-scripts");
  if (child.output == NULL) child.output = assignments_are_asked_for() ? "status" : "assignments";
  text_format(&operation.rest, ",\"output\":\"%s\"", child.output);
  if (child.key_count > 0) {
    text_string(&operation.rest, ",\"keys\":[");
    for (size_t i = 0; i < child.key_count; i++) {
      json_element(&operation.rest);
      json_quoted(&operation.rest, child.keys[i]);
    }
    text_byte(&operation.rest, ']');
  }
  return perform(&operation);
}

struct two_words {
  const char *first, *second;
};

static void other_of_two(void *context, const char *word) {
  struct two_words *words = context;
  if (words->first == NULL) words->first = word;
  else if (words->second == NULL) words->second = word;
  else wrong("'%.100s' is one word too many", word);
}

static void sleep_for(const char *seconds) {
  unsigned long long times;
  int timer = start_timer(seconds);
  while (timer >= 0 && read(timer, &times, sizeof times) < 0 && errno == EINTR) continue;
}

int run_sleep(char **words) {
  struct two_words given = {0};
  bool integer;
  take_help(words);
  take_words(words, no_tables, &given, other_of_two, NULL, false);
  if (given.second == NULL) wrong("a name and a number of seconds are needed");
  checked_name(given.first, "the name");
  if (!json_is_number(given.second, &integer) || *given.second == '-') wrong("'%.100s' is not a number of seconds", given.second);
  if (!in_run()) {
    sleep_for(given.second);
    return 0;
  }
  struct operation operation = {"timer", "timer", given.first, "-", {0}};
  text_format(&operation.rest, ",\"seconds\":%s,\"output\":\"status\"", given.second);
  return perform(&operation);
}

/* Outside of a run, adds the value that an engine would record. */
static void add_own_value(struct text *text, const char *name) {
  unsigned char bytes[16];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (strcmp(name, "now") == 0) {
    text_format(text, "%lld.%06ld", (long long)now.tv_sec, now.tv_nsec / 1000);
    return;
  }
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) unable("the kernel has no random numbers");
  if (strcmp(name, "random") == 0) {
    unsigned long long number = 0;
    for (int i = 0; i < 6; i++) number = number << 8 | bytes[i];
    text_format(text, "%.15f", (double)number / (double)(1ull << 48));
    return;
  }
  bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
  bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
  for (int i = 0; i < 16; i++) text_format(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

int run_value(char **words) {
  take_help(words);
  if (*words != NULL) wrong("'%.100s' is one word too many", *words);
  if (!in_run()) {
    struct text text = {0};
    add_own_value(&text, current->name);
    text_byte(&text, '\n');
    return write_all(STDOUT_FILENO, text.bytes, text.length) ? 0 : STATUS_UNABLE;
  }
  struct operation operation = {"value", "value", current->name, "-", {0}};
  text_string(&operation.rest, ",\"output\":\"value\"");
  return perform(&operation);
}

int run_patched(char **words) {
  struct two_words given = {0};
  take_help(words);
  take_words(words, no_tables, &given, other_of_two, NULL, false);
  if (given.first == NULL) wrong("the name is missing");
  if (given.second != NULL) wrong("'%.100s' is one word too many", given.second);
  checked_name(given.first, "the name");
  /* A script on a terminal has no log, so it is at the log's end. */
  if (!in_run()) return 0;
  struct operation operation = {"patch", "patched", given.first, "-", {0}};
  text_string(&operation.rest, ",\"output\":\"status\"");
  return perform(&operation);
}
