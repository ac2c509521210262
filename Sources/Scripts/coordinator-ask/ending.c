/* The subcommands finish, fail, cancel and again, which end a run, and input. */
#include "command.h"
#include "json.h"
#include "run.h"
#include "shell.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends the last message of a run. The engine then ends the run, including this process. */
static int end_run(const char *verb, const struct text *value) {
  struct text message = {0};
  struct record record;
  if (getenv("COORDINATOR_ENTRY") != NULL) unable("the command of a step or look cannot end the script");
  /* Later entries of the log belong to a part of the script that no longer exists. */
  unsigned long entry = next_entry();
  int socket = connect_to_engine();
  begin_message(&message, &entry);
  json_key(&message, verb);
  text_add(&message, value->bytes, value->length);
  text_byte(&message, '}');
  send_to_engine(socket, &message);
  receive(socket, &record);
  return print_record(&record);
}

static struct text object_of(char **words) {
  struct text object = {0};
  text_byte(&object, '{');
  for (; *words != NULL; words++) {
    if (strncmp(*words, "--", 2) == 0) wrong("there is no option '%.100s'", *words);
    add_assignment(&object, *words);
  }
  text_byte(&object, '}');
  return object;
}

int run_finish(char **words) {
  take_help(words);
  struct text object = object_of(words);
  if (in_run()) return end_run("finish", &object);
  for (; *words != NULL; words++) {
    const char *equals = strchr(*words, '=');
    size_t length = (size_t)(equals - *words);
    struct text line = {0};
    text_add(&line, *words, words[0][length - 1] == ':' ? length - 1 : length);
    text_format(&line, ": %s\n", equals + 1);
    write_all(STDOUT_FILENO, line.bytes, line.length);
  }
  return 0;
}

int run_fail(char **words) {
  take_help(words);
  const char *code = words[0];
  /* The message is taken literally, also without a "--" before it. */
  if (code != NULL && words[1] != NULL && strcmp(words[1], "--") == 0 && words[2] != NULL) words++;
  if (code == NULL || words[1] == NULL || words[2] != NULL) wrong("a code and a message are needed");
  checked_name(code, "the code");
  struct text value = {0};
  text_byte(&value, '{');
  json_member(&value, "code", code);
  json_member(&value, "message", words[1]);
  text_byte(&value, '}');
  if (in_run()) return end_run("fail", &value);
  struct text line = {0};
  text_format(&line, "%s: %s\n", code, words[1]);
  write_all(STDERR_FILENO, line.bytes, line.length);
  return 1;
}

int run_cancel(char **words) {
  take_help(words);
  if (*words != NULL) wrong("'%.100s' is one word too many: cancel takes none", *words);
  struct text value = {0};
  text_string(&value, "true");
  if (in_run()) return end_run("cancel", &value);
  cancel_script();
}

int run_again(char **words) {
  static const char message[] = "ask: the script would begin anew here; start it again\n";
  take_help(words);
  struct text object = object_of(words);
  if (in_run()) return end_run("again", &object);
  write_all(STDERR_FILENO, message, sizeof message - 1);
  cancel_script();
}

/* Prints a string as it is, the elements of an array on separate lines, and everything else as JSON. */
static void print_value(struct text *text, const struct text *value) {
  struct json json = {value->bytes, value->bytes + value->length};
  struct text element = {0};
  if (*value->bytes == '"') {
    json_read_string(&json, text);
  } else if (*value->bytes == '[') {
    json.at++;
    for (bool first = true; json_next_element(&json, &element); first = false, element.length = 0) {
      if (!first) text_byte(text, '\n');
      if (*element.bytes == '[') text_add(text, element.bytes, element.length);
      else print_value(text, &element);
    }
    text_free(&element);
  } else {
    text_add(text, value->bytes, value->length);
  }
}

/* Appends the value of a key in COORDINATOR_INPUT. Returns false if there is none. */
static bool find_input(const char *key, struct text *line) {
  const char *input = getenv("COORDINATOR_INPUT");
  struct text value = {0}, whole = {0};
  struct json found;
  if (input == NULL || *input == 0) return false;
  if (!json_whole(input, strlen(input), &whole) || *whole.bytes != '{') unable("COORDINATOR_INPUT is not a JSON object");
  if (json_find(whole.bytes, whole.length, key, &found)) json_copy(&found, &value);
  bool known = value.length > 0 && strcmp(value.bytes, "null") != 0;
  if (known) print_value(line, &value);
  text_free(&value);
  text_free(&whole);
  return known;
}

/* Prints the values of keys, each given as KEY or KEY=DEFAULT, as assignments. */
static int print_inputs(char **words) {
  struct text lines = {0};
  struct variables variables = {0};
  if (*words == NULL) wrong("the keys are missing");
  for (; *words != NULL; words++) {
    char *key, *standard;
    struct text value = {0};
    split_pair(*words, &key, &standard, false);
    check_variable(&variables, checked_name(key, "the key"));
    if (!find_input(key, &value) && standard != NULL) text_string(&value, standard);
    add_assignment_line(&lines, key, text_bytes(&value), value.length);
    text_free(&value);
  }
  return write_all(STDOUT_FILENO, lines.bytes, lines.length) ? 0 : STATUS_UNABLE;
}

int run_input(char **words) {
  take_help(words);
  if (words[0] == NULL) wrong("the key is missing");
  if (strcmp(words[0], "--assignments") == 0) return print_inputs(words + 1);
  if (strncmp(words[0], "--", 2) == 0) wrong("there is no option '%.100s'", words[0]);
  if (words[1] != NULL && words[2] != NULL)
    wrong("'%.100s' is one word too many; several values are printed with --assignments", words[2]);
  const char *key = checked_name(words[0], "the key");
  struct text line = {0};
  if (!find_input(key, &line)) {
    if (words[1] == NULL) return STATUS_NO;
    text_string(&line, words[1]);
  }
  text_byte(&line, '\n');
  return write_all(STDOUT_FILENO, line.bytes, line.length) ? 0 : STATUS_UNABLE;
}
