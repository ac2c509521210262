/* A run of a script: its replay file, its engine, and how it ends. */
#ifndef RUN_H
#define RUN_H

#include "text.h"

#include <sys/types.h>

/* Whether this process belongs to a run, which COORDINATOR_SOCKET shows. */
bool in_run(void);
/* Whether the engine of this run has a feature, which COORDINATOR_FEATURES lists. */
bool engine_has(const char *feature);

/* An operation of the script. */
struct operation {
  const char *kind; /* its name in the replay file */
  const char *verb; /* its key in the message to the engine */
  const char *name;
  const char *digest; /* "-" if there is none */
  struct text rest;   /* further members of the message, such as "screen":{} */
};

enum { MOST_SECRETS = 8, MOST_MESSAGE = 1 << 20 };

/* A message of the engine. */
struct record {
  enum verb { VERB_DONE, VERB_GO, VERB_USAGE, VERB_STOP, VERB_TERMINATE } verb;
  unsigned status;
  struct text bytes;
  int descriptors[MOST_SECRETS];
  size_t descriptor_count;
};

/* Takes the next entry of the replay file. Returns true, with the recorded output in `record`, if that entry is this
   operation. Otherwise, the engine must perform the operation, as the entry with the index `entry`. A patch that does
   not match takes no entry, and the file remains locked until settle_patch() is called. */
bool replay(const struct operation *operation, struct record *record, unsigned long *entry);
/* Returns the index of the next operation's entry, which is the number of operations so far. */
unsigned long next_entry(void);
/* Unlocks the file after a patch; `taken` says whether the patch has become an entry. */
void settle_patch(bool taken);

/* The connection to the engine or, outside of a run, to the conversation on the terminal, which uses the same messages.
   If the connection ends, each of these functions ends the run, or the script. */
int connect_to_engine(void);
void send_to_engine(int socket, const struct text *message);
/* Waits for a record. Does not return if the record stops the run. */
void receive(int socket, struct record *record);
void disconnect(int socket);
/* Begins a message: {"run":7 and, unless `entry` is NULL, "entry":3. */
void begin_message(struct text *message, const unsigned long *entry);

/* Sends an operation, and waits for the first record. Returns the connection. */
int begin_operation(const struct operation *operation, unsigned long entry, struct record *record);
/* Performs an operation, and returns its output and exit status in `record`. Calls `perform` when the engine asks for
   the step to be performed; NULL for operations that are not steps. */
void perform_operation(
  const struct operation *operation, struct record *record,
  void (*perform)(int socket, unsigned long entry, struct record *record, void *context), void *context);
/* Prints the bytes of a record, and returns its status. */
int print_record(const struct record *record);

/* Ends the run: kills the processes of the script, and this one. Async-signal-safe while no command runs. */
_Noreturn void stop_run(void);
/* Passes on what the command of a step has written to its standard error so far, unless the reader does not read it.
   With `last`, also passes on a last line without a line feed. */
void relay_errors(bool last);
/* Makes signals that would end this process end the run. */
void stop_on_signals(void);
/* The process group of the command that this process runs; 0 if there is none. */
extern volatile pid_t command_group;

/* Reports a mistake in the script to the engine, and waits for the end of the run. Returns only if the engine has sent
   something to print: the exit status. */
int report_crash(const char *type, const char *message);

#endif
