/* Performs the operations of a script: takes them from the replay file, or sends them to the engine. */
#include "run.h"
#include "command.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int print_record(const struct record *record) {
  int descriptor = record->verb == VERB_USAGE ? STDERR_FILENO : STDOUT_FILENO;
  if (!write_all(descriptor, text_bytes(&record->bytes), record->bytes.length)) return STATUS_UNABLE;
  return (int)(record->status & 255);
}

/* Called before the operation takes its entry of the log. */
static void check_length(const struct operation *operation) {
  if (operation->rest.length > MOST_MESSAGE - 1024) wrong("a message to the engine has at most 1 MiB, and '%.100s' has more, with all its texts, rows and pictures: shorten them",
          operation->name);
}

int begin_operation(const struct operation *operation, unsigned long entry, struct record *record) {
  struct text message = {0};
  check_length(operation);
  begin_message(&message, &entry);
  json_member(&message, operation->verb, operation->name);
  text_add(&message, operation->rest.bytes, operation->rest.length);
  text_byte(&message, '}');
  int socket = connect_to_engine();
  send_to_engine(socket, &message);
  text_free(&message);
  receive(socket, record);
  return socket;
}

/* Takes the operation from the replay file. Returns false if the engine must perform it. */
static bool is_replayed(const struct operation *operation, struct record *record, unsigned long *entry) {
  if (getenv("COORDINATOR_ENTRY") != NULL)
    unable("the command of a step or look cannot ask anything itself: ask before it, and pass the answer to it");
  stop_on_signals();
  check_length(operation);
  return replay(operation, record, entry);
}

void perform_operation(
  const struct operation *operation, struct record *record,
  void (*perform)(int socket, unsigned long entry, struct record *record, void *context), void *context) {
  unsigned long entry = 0;
  bool patch = strcmp(operation->kind, "patch") == 0;
  if (in_run() && is_replayed(operation, record, &entry)) return;
  int socket = begin_operation(operation, entry, record);
  while (record->verb == VERB_GO || record->verb == VERB_TERMINATE) {
    if (perform == NULL) stop_run();
    /* The command may end at the moment at which the user stops it. */
    if (record->verb == VERB_GO) perform(socket, entry, record, context);
    receive(socket, record);
  }
  if (patch) settle_patch(record->verb == VERB_DONE && record->status == 0);
  disconnect(socket);
}
