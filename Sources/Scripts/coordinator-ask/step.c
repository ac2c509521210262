/* The subcommands look and step. */
#include "child.h"
#include "command.h"
#include "json.h"
#include "run.h"
#include "shell.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum what { BUSY, STDIN, ONCE, UNDO, UNDO_COMMAND, ATTEMPTS, PROGRESS, STOPPABLE, SECRET_RESULT, DESCRIPTOR };

struct step {
  const char *name, *busy;
  struct {
    const char *name;
    int descriptor; /* 0 for the standard input */
  } secrets[MOST_SECRETS]; /* those of the standard input come first */
  size_t secret_count, input_count;
  const char *undo_command; /* for a run that began when --undo was a shell command */
  const char **undo;
  size_t undo_count;
  bool look, once, progress, stoppable, secret_result;
  unsigned long long attempts; /* 0 if the option is absent */
  char **command;
};

/* The secrets. Excluded from core dumps and, if the limits allow it, from swapping. */
static char input[MOST_SECRET + 1];

static void add_secret(struct step *step, const char *name, int descriptor) {
  checked_name(name, "the secret");
  if (step->secret_count == MOST_SECRETS) wrong("a step takes at most %d secrets", MOST_SECRETS);
  size_t place = descriptor == 0 ? step->input_count++ : step->secret_count;
  for (size_t i = step->secret_count++; i > place; i--) step->secrets[i] = step->secrets[i - 1];
  step->secrets[place].name = name;
  step->secrets[place].descriptor = descriptor;
}

/* Takes N=SECRET: the command reads this secret from the descriptor N, which no other secret has. */
static void add_descriptor(struct step *step, const char *value) {
  int descriptor = *value - '0';
  if (descriptor < 3 || descriptor > MOST_DESCRIPTOR || value[1] != '=')
    wrong("--fd takes a descriptor from 3 to %d and the name of a secret, such as 3=passphrase, not '%.100s'", MOST_DESCRIPTOR, value);
  for (size_t i = 0; i < step->secret_count; i++) {
    if (step->secrets[i].descriptor == descriptor) wrong("two secrets have the descriptor %d", descriptor);
  }
  add_secret(step, value + 2, descriptor);
}

static void take(void *context, int what, const char *value) {
  struct step *step = context;
  switch ((enum what)what) {
    case BUSY: step->busy = value; break;
    case STDIN: add_secret(step, value, 0); break;
    case DESCRIPTOR: add_descriptor(step, value); break;
    case SECRET_RESULT: step->secret_result = true; break;
    case ONCE: step->once = true; break;
    case UNDO:
      if (value == NULL && step->undo_count > 0) wrong("one --undo is enough");
      if (value != NULL) *APPEND(step->undo, step->undo_count) = value;
      break;
    case UNDO_COMMAND:
      if (*value == 0) wrong("--undo takes a shell command");
      step->undo_command = value;
      break;
    case PROGRESS: step->progress = true; break;
    case STOPPABLE: step->stoppable = true; break;
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

/* Reads one more secret from a descriptor, to its end. */
static void read_secret(int descriptor, struct secrets *secrets) {
  size_t begin = secrets->length, length = 0, room = sizeof input - begin;
  while (length < room) {
    ssize_t count = read(descriptor, input + begin + length, room - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += (size_t)count;
  }
  close(descriptor);
  secrets->parts[secrets->count].begin = begin;
  secrets->parts[secrets->count++].length = length;
  secrets->length += length;
}

/* Reads the secrets of a step. On the standard input, a single one has no line feed, and several have one each. Returns
   the reason why the step cannot have them; NULL if it can. */
static const char *read_secrets(const struct step *step, struct record *record, struct secrets *secrets) {
  bool several = step->secret_count > 1, unclear = false;
  secrets->on_input = step->input_count > 0;
  for (size_t i = 0; i < record->descriptor_count; i++) {
    if (i >= step->secret_count) {
      close(record->descriptors[i]);
      continue;
    }
    read_secret(record->descriptors[i], secrets);
    secrets->parts[i].descriptor = step->secrets[i].descriptor;
    if (step->input_count > 1 && i < step->input_count) {
      unclear |= memchr(input + secrets->parts[i].begin, '\n', secrets->parts[i].length) != NULL;
      if (secrets->length < sizeof input) input[secrets->length++] = '\n';
    }
    if (i < step->input_count) secrets->input_length = secrets->length;
  }
  if (step->secret_count > 0) secrets->bytes = input;
  if (secrets->count < step->secret_count) return several ? "a secret has not arrived" : "the secret has not arrived";
  if (secrets->length > MOST_SECRET) return several ? "the secrets have more than 32 KiB" : "the secret has more than 32 KiB";
  return unclear ? "a secret with a line feed cannot be one of several on the standard input" : NULL;
}

/* Runs the command as often as needed. An engine that counts attempts starts each of them, so that a crash does not
   restart the count. */
static void run_attempts(struct step *step, struct child *child) {
  bool counted = in_run() && engine_has("attempts");
  for (unsigned long long attempt = 1;; attempt++, child->attempt++) {
    run_to_end(child);
    /* The size of its output is no reason to run the command again. */
    if (child->status == 0 || child->endless || counted || attempt >= step->attempts) break;
  }
  finish_output(child);
  if (child->cut)
    notice("the output of the %s '%s' has more than %d KiB: the first %zu bytes are kept, of %zu", step->look ? "look" : "step",
           step->name, MOST_OUTPUT >> 10, child->output.length, child->printed);
  if (child->endless)
    notice("the look '%s' was ended, because it has printed more than %d MiB", step->name, MOST_LOOKED >> 20);
  hide_secrets(&child->secrets, &child->last_line);
  explicit_bzero(input, sizeof input);
}

/* Adds the result of a command that could not run, or whose output cannot be its result. */
static void add_fault(struct text *message, const char *type, const char *reason) {
  json_key(message, "error");
  text_byte(message, '{');
  json_member(message, "type", type);
  json_member(message, "message", reason);
  text_string(message, ",\"status\":1,\"output\":\"\"}");
}

static void add_result(struct text *message, const struct child *child) {
  bool failed = child->status != 0;
  json_key(message, failed ? "error" : "done");
  text_byte(message, '{');
  if (failed) {
    struct text reason = {0};
    if (child->endless) text_format(&reason, "the output has more than %d MiB, so the look was ended", MOST_LOOKED >> 20);
    else if (child->last_line.length > 0) text_add(&reason, child->last_line.bytes, child->last_line.length);
    else text_format(&reason, "exit status %d", child->status);
    json_member(message, "type", child->endless ? "too-long" : "exit");
    json_key(message, "message");
    json_string(message, text_bytes(&reason), reason.length);
    text_free(&reason);
  }
  json_key(message, "status");
  text_number(message, child->status);
  json_key(message, "output");
  json_string(message, text_bytes(&child->output), child->output.length);
  if (child->cut) text_string(message, ",\"cut\":true");
  text_byte(message, '}');
}

static void perform(int socket, unsigned long entry, struct record *record, void *context) {
  struct step *step = context;
  struct text message = {0};
  struct child child = {
    .words = step->command, .key = text_bytes(&record->bytes), .attempt = record->status, .entry = entry,
    .look = step->look, .stoppable = step->stoppable, .progress = step->progress,
    .secret_result = step->secret_result, .in_run = true, .socket = socket};
  begin_message(&message, &entry);
  const char *fault = read_secrets(step, record, &child.secrets);
  if (fault == NULL) {
    run_attempts(step, &child);
    bool secret = step->secret_result && child.status == 0;
    if (secret && child.output.length == 0) add_fault(&message, "no-result", "this was done, but has printed no secret");
    else if (secret && !is_json_text(child.output.bytes, child.output.length))
      add_fault(&message, "no-result", "this was done, but a secret result is UTF-8 without NUL: encode it, for example with base64");
    else add_result(&message, &child);
  } else {
    add_fault(&message, "secret", fault);
  }
  text_byte(&message, '}');
  send_to_engine(socket, &message);
  if (step->secret_result) {
    explicit_bzero(message.bytes, message.length);
    if (child.output.length > 0) explicit_bzero(child.output.bytes, child.output.length);
  }
  text_free(&message);
  text_free(&child.output);
  text_free(&child.last_line);
  text_free(&record->bytes);
}

/* Asks the user for the secrets, outside of a run. */
static void ask_secrets(const struct step *step, const struct operation *operation, struct secrets *secrets) {
  struct record record;
  int socket = begin_operation(operation, 0, &record);
  if (record.verb == VERB_USAGE) _exit(print_record(&record));
  if (record.verb != VERB_GO || record.descriptor_count != step->secret_count) lose_conversation();
  const char *fault = read_secrets(step, &record, secrets);
  disconnect(socket);
  text_free(&record.bytes);
  if (fault != NULL) unable("%s", fault);
}

static int run_alone(struct step *step, const struct operation *operation) {
  struct child child = {
    .words = step->command, .key = step->name, .attempt = 1, .look = step->look, .progress = step->progress, .socket = -1};
  if (step->secret_count > 0) ask_secrets(step, operation, &child.secrets);
  if (step->busy != NULL) {
    write_all(STDERR_FILENO, step->busy, strlen(step->busy));
    write_all(STDERR_FILENO, " …\n", strlen(" …\n"));
  }
  run_attempts(step, &child);
  if (!write_all(STDOUT_FILENO, text_bytes(&child.output), child.output.length)) return STATUS_UNABLE;
  return child.status;
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++) {
    if (strcmp(word, *words) == 0) return true;
  }
  return false;
}

/* Whether a script passes a shell command to --undo, as it did before --undo took words, which matters only in a run
   that began then. Only the first --undo and the next word decide, because the author wrote them; later words may be a
   user's input. A single plain word means the same in both cases. */
static bool has_undo_command(char **words) {
  static const char *const with_value[] = {"--busy", "--stdin", "--fd", "--attempts", NULL};
  static const char *const without[] = {"--once", "--progress", "--stoppable", "--secret-result", NULL};
  if (assignments_are_asked_for()) return false;
  for (; *words != NULL && strcmp(*words, "--") != 0; words++) {
    if (strncmp(*words, "--undo=", 7) == 0) return words[0][7] == 0 || strspn(*words + 7, "0123456789") != strlen(*words + 7);
    if (strcmp(*words, "--undo") == 0) {
      if (words[1] == NULL || *words[1] == 0 || is_for_shell(words[1])) return words[1] != NULL;
      return words[2] != NULL && (is_one_of(words[2], with_value) || is_one_of(words[2], without));
    }
    if (is_one_of(*words, with_value) && *++words == NULL) return false;
  }
  return false;
}

/* Adds the words of --undo, which no shell interprets. An engine that knows only shell commands receives them
   quoted. */
static void add_undo(struct text *rest, const struct step *step) {
  if (step->undo_count == 0 && step->undo_command == NULL) return;
  text_string(rest, ",\"undo\":");
  if (step->undo_command != NULL) {
    json_quoted(rest, step->undo_command);
  } else if (engine_has("undo-words")) {
    text_byte(rest, '[');
    for (size_t i = 0; i < step->undo_count; i++) {
      json_element(rest);
      json_quoted(rest, step->undo[i]);
    }
    text_byte(rest, ']');
  } else {
    struct text command = {0};
    for (size_t i = 0; i < step->undo_count; i++) {
      if (i > 0) text_byte(&command, ' ');
      add_quoted_word(&command, step->undo[i], strlen(step->undo[i]));
    }
    json_quoted(rest, command.bytes);
    text_free(&command);
  }
}

static int run_command(struct step *step, char **words, const struct option *options) {
  const struct option *const tables[] = {options, NULL};
  step->command = take_words(words, tables, step, other, NULL, true);
  if (step->name == NULL) wrong("the name is missing");
  if (step->command == NULL || step->command[0] == NULL) wrong("the command is missing, which follows '--'");
  if (step->undo_count > 0 && (*step->undo[0] == 0 || *step->undo[0] == '-'))
    wrong("the first word of --undo is a program, not '%.100s'", step->undo[0]);
  if (step->once && step->attempts > 1) wrong("--once and --attempts exclude each other");
  mlock(input, sizeof input);
  struct record record;
  struct operation operation = {step->look ? "look" : "step", step->look ? "look" : "step", step->name, "-", {0}};
  struct text *rest = &operation.rest;
  if (step->busy != NULL) text_string(rest, ",\"busy\":"), json_quoted(rest, step->busy);
  if (step->secret_count > 0) {
    text_string(rest, ",\"secrets\":[");
    for (size_t i = 0; i < step->secret_count; i++) {
      json_element(rest);
      json_quoted(rest, step->secrets[i].name);
    }
    text_byte(rest, ']');
  }
  add_undo(rest, step);
  if (step->once) text_string(rest, ",\"once\":true");
  /* To an engine without this feature, the step is one that cannot be stopped. */
  if (step->stoppable && engine_has("stoppable")) text_string(rest, ",\"stoppable\":true");
  if (step->secret_result) {
    if (!in_run()) unable("a secret result is kept by the engine of a flow: start the script with coordinator-scripts");
    if (!engine_has("secret-results")) unable("this coordinator-scripts is older than --secret-result: update it");
    text_string(rest, ",\"secret-result\":true");
  }
  if (step->attempts > 0 && engine_has("attempts")) text_format(rest, ",\"attempts\":%llu", step->attempts);
  if (!in_run()) return run_alone(step, &operation);
  perform_operation(&operation, &record, perform, step);
  return print_record(&record);
}

int run_look(char **words) {
  static const struct option options[] = {
    {"--busy", A_VALUE, take, BUSY}, {"--attempts", A_VALUE, take, ATTEMPTS}, {"--progress", NO_VALUE, take, PROGRESS},
    {"--stoppable", NO_VALUE, take, STOPPABLE}, {"--secret-result", NO_VALUE, take, SECRET_RESULT}, {0}};
  struct step step = {.look = true};
  return run_command(&step, words, options);
}

int run_step(char **words) {
  static const struct option options[] = {
    {"--busy", A_VALUE, take, BUSY}, {"--stdin", A_VALUE, take, STDIN}, {"--fd", A_VALUE, take, DESCRIPTOR},
    {"--once", NO_VALUE, take, ONCE},
    {"--undo", WORDS, take, UNDO}, {"--attempts", A_VALUE, take, ATTEMPTS},
    {"--progress", NO_VALUE, take, PROGRESS}, {"--stoppable", NO_VALUE, take, STOPPABLE},
    {"--secret-result", NO_VALUE, take, SECRET_RESULT}, {0}};
  static const struct option old_options[] = {
    {"--busy", A_VALUE, take, BUSY}, {"--stdin", A_VALUE, take, STDIN}, {"--fd", A_VALUE, take, DESCRIPTOR},
    {"--once", NO_VALUE, take, ONCE},
    {"--undo", A_VALUE, take, UNDO_COMMAND}, {"--attempts", A_VALUE, take, ATTEMPTS},
    {"--progress", NO_VALUE, take, PROGRESS}, {"--stoppable", NO_VALUE, take, STOPPABLE},
    {"--secret-result", NO_VALUE, take, SECRET_RESULT}, {0}};
  struct step step = {0};
  return run_command(&step, words, has_undo_command(words) ? old_options : options);
}
