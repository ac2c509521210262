/* run, sleep, now, random, uuid and patched. */
#include "command.h"
#include "json.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static const struct option *const no_tables[] = {NULL};

enum { CHILD_NAME, CHILD_JSON };

struct child_flow {
  const char *flow, *name;
  bool json;
  struct text input;
};

static void take_child(void *context, int what, const char *value) {
  struct child_flow *child = context;
  if (what == CHILD_NAME) child->name = checked_name(value, "the name");
  else child->json = true;
}

static void other_of_child(void *context, const char *word) {
  struct child_flow *child = context;
  if (child->flow == NULL) child->flow = checked_name(word, "the flow");
  else add_assignment(&child->input, word);
}

static bool is_help(char **words) {
  if (*words == NULL || strcmp(*words, "--help") != 0) return false;
  print_help(current);
  return true;
}

static int perform(const struct operation *operation) {
  struct record record;
  perform_operation(operation, &record, NULL, NULL);
  return print_record(&record);
}

int run_child(char **words) {
  static const struct option options[] = {
    {"--name", A_VALUE, take_child, CHILD_NAME}, {"--json", NO_VALUE, take_child, CHILD_JSON}, {0}};
  static const struct option *const tables[] = {options, NULL};
  struct child_flow child = {0};
  if (is_help(words)) return 0;
  text_byte(&child.input, '{');
  take_words(words, tables, &child, other_of_child, false);
  text_byte(&child.input, '}');
  if (child.flow == NULL) wrong("the flow is missing");
  if (!in_run()) unable("a flow runs another one only if coordinatord runs it: coordinatorctl run NAME");
  struct operation operation = {"child", "child", child.name == NULL ? child.flow : child.name, "-", {0}};
  text_string(&operation.rest, ",\"flow\":");
  json_quoted(&operation.rest, child.flow);
  text_string(&operation.rest, ",\"input\":");
  text_add(&operation.rest, child.input.bytes, child.input.length);
  text_format(&operation.rest, ",\"output\":\"%s\"", child.json ? "json" : "assignments");
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
  double value = strtod(seconds, NULL);
  struct timespec rest = {value > 1e9 ? 1000000000 : (time_t)value, 0};
  if (value < 1e9) rest.tv_nsec = (long)((value - (double)rest.tv_sec) * 1e9);
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
}

int run_sleep(char **words) {
  struct two_words told = {0};
  bool integer;
  if (is_help(words)) return 0;
  take_words(words, no_tables, &told, other_of_two, false);
  if (told.second == NULL) wrong("a name and a number of seconds are needed");
  checked_name(told.first, "the name");
  if (!json_is_number(told.second, &integer) || *told.second == '-') wrong("'%.100s' is not a number of seconds", told.second);
  if (!in_run()) {
    sleep_for(told.second);
    return 0;
  }
  struct operation operation = {"timer", "timer", told.first, "-", {0}};
  text_format(&operation.rest, ",\"seconds\":%s,\"output\":\"status\"", told.second);
  return perform(&operation);
}

/* What the engine would record. */
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
  if (is_help(words)) return 0;
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
  struct two_words told = {0};
  if (is_help(words)) return 0;
  take_words(words, no_tables, &told, other_of_two, false);
  if (told.first == NULL) wrong("the name is missing");
  if (told.second != NULL) wrong("'%.100s' is one word too many", told.second);
  checked_name(told.first, "the name");
  /* A script that is tried on a terminal has no log, so it is at its end. */
  if (!in_run()) return 0;
  struct operation operation = {"patch", "patched", told.first, "-", {0}};
  text_string(&operation.rest, ",\"output\":\"status\"");
  return perform(&operation);
}
