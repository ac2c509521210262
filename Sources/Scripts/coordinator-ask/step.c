/* look and step. */
#include "child.h"
#include "command.h"
#include "json.h"
#include "run.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum what { BUSY, STDIN, ONCE, UNDO, ATTEMPTS, PROGRESS };

struct step {
  const char *name, *busy, *stdin_secret, *undo;
  bool look, once, progress;
  unsigned long long attempts;
  char **command;
};

/* Never in a core dump, nor, if that is allowed, swapped out. */
static char secret[MOST_SECRET + 1];

static void take(void *context, int what, const char *value) {
  struct step *step = context;
  switch ((enum what)what) {
    case BUSY: step->busy = value; break;
    case STDIN: step->stdin_secret = checked_name(value, "the secret"); break;
    case ONCE: step->once = true; break;
    case UNDO:
      if (*value == 0) wrong("--undo takes a shell command");
      step->undo = value;
      break;
    case PROGRESS: step->progress = true; break;
    case ATTEMPTS:
      if (!read_number(value, strlen(value), 100, &step->attempts) || step->attempts == 0)
        wrong("--attempts takes a number from 1 to 100");
  }
}

static void other(void *context, const char *word) {
  struct step *step = context;
  if (step->name != NULL) wrong("'%.100s' is one word too many; the command follows '--'", word);
  step->name = checked_name(word, "the name");
}

/* Reads what comes from a descriptor, to its end. */
static size_t read_secret(int descriptor) {
  size_t length = 0;
  while (length < sizeof secret) {
    ssize_t count = read(descriptor, secret + length, sizeof secret - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += (size_t)count;
  }
  close(descriptor);
  return length;
}

static void run_attempts(struct step *step, struct child *child) {
  for (unsigned long long attempt = 1;; attempt++, child->attempt++) {
    run_to_end(child);
    if ((child->status == 0 && !child->too_long) || attempt >= step->attempts) break;
  }
  hide_secret(child, &child->output);
  hide_secret(child, &child->last_line);
  explicit_bzero(secret, sizeof secret);
}

static void add_result(struct text *message, const struct child *child) {
  bool failed = child->status != 0 || child->too_long;
  json_key(message, failed ? "error" : "done");
  text_byte(message, '{');
  if (failed) {
    struct text reason = {0};
    if (child->too_long) text_format(&reason, "the output has more than %d KiB", MOST_OUTPUT >> 10);
    else if (child->last_line.length > 0) text_add(&reason, child->last_line.bytes, child->last_line.length);
    else text_format(&reason, "exit status %d", child->status);
    json_member(message, "type", child->too_long ? "too-long" : "exit");
    json_key(message, "message");
    json_string(message, text_bytes(&reason), reason.length);
    text_free(&reason);
  }
  json_key(message, "status");
  text_number(message, child->too_long && child->status == 0 ? 1 : child->status);
  json_key(message, "output");
  json_string(message, text_bytes(&child->output), child->too_long ? 0 : child->output.length);
  text_byte(message, '}');
}

static void perform(int socket, unsigned long entry, struct record *record, void *context) {
  struct step *step = context;
  struct text message = {0};
  struct child child = {
    .words = step->command, .key = text_bytes(&record->bytes), .attempt = record->status, .entry = entry,
    .look = step->look, .progress = step->progress, .in_run = true, .socket = socket};
  begin_message(&message, &entry);
  size_t wanted = step->stdin_secret == NULL ? 0 : 1;
  const char *fault = record->descriptor_count < wanted ? "the secret has not arrived" : NULL;
  for (size_t i = 0; i < record->descriptor_count; i++) {
    if (i < wanted) child.secret_length = read_secret(record->descriptors[i]);
    else close(record->descriptors[i]);
  }
  if (wanted == 1) child.secret = secret;
  if (child.secret_length > MOST_SECRET) fault = "the secret has more than 32 KiB";
  if (fault == NULL) {
    run_attempts(step, &child);
    add_result(&message, &child);
  } else {
    json_key(&message, "error");
    text_byte(&message, '{');
    json_member(&message, "type", "secret");
    json_member(&message, "message", fault);
    text_string(&message, ",\"status\":1,\"output\":\"\"}");
  }
  text_byte(&message, '}');
  send_to_engine(socket, &message);
  text_free(&message);
  text_free(&child.output);
  text_free(&child.last_line);
  text_free(&record->bytes);
}

static int run_alone(struct step *step) {
  struct child child = {
    .words = step->command, .key = step->name, .attempt = 1, .look = step->look, .progress = step->progress, .socket = -1};
  if (step->stdin_secret != NULL) {
    child.secret = secret;
    child.secret_length = ask_secret(step->stdin_secret, secret, MOST_SECRET);
  }
  if (step->busy != NULL) {
    write_all(STDERR_FILENO, step->busy, strlen(step->busy));
    write_all(STDERR_FILENO, " …\n", strlen(" …\n"));
  }
  run_attempts(step, &child);
  if (child.too_long) {
    unable("the output of '%s' has more than %d KiB, and cannot be recorded", step->name, MOST_OUTPUT >> 10);
  }
  if (!write_all(STDOUT_FILENO, text_bytes(&child.output), child.output.length)) return STATUS_UNABLE;
  return child.status;
}

static int run_command(struct step *step, char **words, const struct option *options) {
  const struct option *const tables[] = {options, NULL};
  if (*words != NULL && strcmp(*words, "--help") == 0) {
    print_help(current);
    return 0;
  }
  step->command = take_words(words, tables, step, other, true);
  if (step->name == NULL) wrong("the name is missing");
  if (step->command == NULL || step->command[0] == NULL) wrong("the command is missing, which follows '--'");
  if (step->once && step->attempts > 1) wrong("--once and --attempts exclude each other");
  mlock(secret, sizeof secret);
  if (!in_run()) return run_alone(step);
  struct record record;
  struct operation operation = {step->look ? "look" : "step", step->look ? "look" : "step", step->name, "-", {0}};
  struct text *rest = &operation.rest;
  if (step->busy != NULL) text_string(rest, ",\"busy\":"), json_quoted(rest, step->busy);
  if (step->stdin_secret != NULL) {
    text_string(rest, ",\"secrets\":[");
    json_quoted(rest, step->stdin_secret);
    text_byte(rest, ']');
  }
  if (step->undo != NULL) text_string(rest, ",\"undo\":"), json_quoted(rest, step->undo);
  if (step->once) text_string(rest, ",\"once\":true");
  perform_operation(&operation, &record, perform, step);
  return print_record(&record);
}

int run_look(char **words) {
  static const struct option options[] = {
    {"--busy", A_VALUE, take, BUSY}, {"--attempts", A_VALUE, take, ATTEMPTS}, {"--progress", NO_VALUE, take, PROGRESS}, {0}};
  struct step step = {.look = true, .attempts = 1};
  return run_command(&step, words, options);
}

int run_step(char **words) {
  static const struct option options[] = {
    {"--busy", A_VALUE, take, BUSY}, {"--stdin", A_VALUE, take, STDIN}, {"--once", NO_VALUE, take, ONCE},
    {"--undo", A_VALUE, take, UNDO}, {"--attempts", A_VALUE, take, ATTEMPTS},
    {"--progress", NO_VALUE, take, PROGRESS}, {0}};
  struct step step = {.attempts = 1};
  return run_command(&step, words, options);
}
