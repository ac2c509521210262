/* Fuzzes the command lines of coordinator-ask with libFuzzer. An input is a byte that selects the features of the
   engine, and then words, separated by NULs. Nothing is connected to, asked or executed. Checks that each message to
   the engine is JSON, and that the output for eval consists of assignments. */
#include "../../Sources/Scripts/coordinator-ask/command.h"
#include "../../Sources/Scripts/coordinator-ask/json.h"
#include "../../Sources/Scripts/coordinator-ask/question.h"
#include "../../Sources/Scripts/coordinator-ask/run.h"
#include "../../Sources/Scripts/coordinator-ask/shell.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200, MOST_BYTES = 1 << 14 };

static jmp_buf ended;
static unsigned char features;
static struct text printed;

const struct command *current;

const struct command *find_command(const char *name) {
  for (const struct command *command = commands; command->name != NULL; command++) {
    if (strcmp(command->name, name) == 0) return command;
  }
  return NULL;
}

static _Noreturn void end(void) {
  longjmp(ended, 1);
}

/* Replaces _exit(). */
_Noreturn void fuzzed_exit(int status) {
  (void)status;
  end();
}

/* Replaces write(). */
ssize_t fuzzed_write(int descriptor, const void *bytes, size_t length) {
  if (descriptor == 1) text_add(&printed, bytes, length);
  return (ssize_t)length;
}

static void demand(bool holds, const char *what, const char *text) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, text);
  abort();
}

bool in_run(void) {
  return true;
}

bool engine_has(const char *feature) {
  return (features & (strcmp(feature, "assignments") == 0 ? 1 : 2)) != 0;
}

int report_crash(const char *type, const char *message) {
  demand(*type != 0 && *message != 0, "a mistake is not explained", message);
  end();
}

void perform_operation(
  const struct operation *operation, struct record *record,
  void (*perform)(int socket, unsigned long entry, struct record *record, void *context), void *context) {
  struct text message = {0}, whole = {0};
  (void)record, (void)perform, (void)context;
  text_byte(&message, '{');
  json_member(&message, operation->verb, operation->name);
  text_add(&message, operation->rest.bytes, operation->rest.length);
  text_byte(&message, '}');
  demand(json_whole(message.bytes, message.length, &whole), "not JSON", message.bytes);
  demand(memchr(message.bytes, '\n', message.length) == NULL, "more than a line", message.bytes);
  /* In a run that began with this feature, no shell reads the words of --undo, if the engine accepts words. */
  if (features % 4 == 3) demand(strstr(message.bytes, "\"undo\":\"") == NULL || strcmp(operation->verb, "step") != 0, "a command of a shell", message.bytes);
  text_free(&message);
  text_free(&whole);
  end();
}

unsigned long next_entry(void) {
  end();
}
int connect_to_engine(void) {
  end();
}
void send_to_engine(int socket, const struct text *message) {
  (void)socket, (void)message;
  end();
}
void receive(int socket, struct record *record) {
  (void)socket, (void)record;
  end();
}
void begin_message(struct text *message, const unsigned long *entry) {
  (void)message, (void)entry;
  end();
}
_Noreturn void stop_run(void) {
  end();
}
void stop_on_signals(void) {}
int print_record(const struct record *record) {
  (void)record;
  end();
}
/* Everything happens in a run. */
_Noreturn void cancel_script(void) {
  abort();
}
_Noreturn void lose_conversation(void) {
  abort();
}
int begin_operation(const struct operation *operation, unsigned long entry, struct record *record) {
  (void)operation, (void)entry, (void)record;
  abort();
}
void disconnect(int socket) {
  (void)socket;
  abort();
}
const char *read_picture(const char *path, const char *description) {
  (void)path, (void)description;
  return "{}";
}
int run_progress(char **words) {
  (void)words;
  end();
}
struct child;
void run_to_end(struct child *child) {
  (void)child;
  abort();
}
struct secrets;
void hide_secrets(const struct secrets *secrets, struct text *text) {
  (void)secrets, (void)text;
  abort();
}
void finish_output(struct child *child) {
  (void)child;
  abort();
}
void end_script(void) {
  abort();
}
int start_timer(const char *seconds) {
  (void)seconds;
  abort();
}

/* Checks that a text consists of lines NAME='VALUE'. */
static void check_assignments(const char *at) {
  while (*at != 0) {
    const char *line = at;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    demand(length > 0 && (*at < '0' || *at > '9') && at[length] == '=', "no name of a variable", line);
    at += length + 1;
    while (*at == '\'') {
      at = strchr(at + 1, '\'');
      demand(at != NULL, "an open quotation", line);
      at++;
      if (strncmp(at, "\\'", 2) == 0) at += 2;
    }
    demand(*at == '\n', "something behind the value", line);
    at++;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char bytes[MOST_BYTES + 1];
  char *words[MOST_WORDS + 1];
  size_t count = 0;
  if (size < 2 || size > MOST_BYTES) return -1;
  features = data[0];
  memcpy(bytes, data + 1, size - 1);
  bytes[size - 1] = 0;
  for (char *word = bytes; word < bytes + size && count < MOST_WORDS; word += strlen(word) + 1) words[count++] = word;
  words[count] = NULL;
  name_question(NULL);
  current = find_command(words[0]);
  if (current == NULL) return -1;
  bool assigns = current->run == run_input && count > 1 && strcmp(words[1], "--assignments") == 0;
  printed.length = 0;
  if (setjmp(ended) == 0) {
    current->run(words + 1);
    if (assigns && printed.length > 0) check_assignments(printed.bytes);
  }
  return 0;
}
