/* A run of a script: its replay file, its engine, and how it ends. */
#ifndef RUN_H
#define RUN_H

#include "text.h"

#include <sys/types.h>

/* Whether this process belongs to a run: whether there is a COORDINATOR_SOCKET. */
bool in_run(void);
/* Whether the engine of this run says that it has a feature: a word in COORDINATOR_FEATURES. */
bool engine_has(const char *feature);

/* An operation of the script. */
struct operation {
  const char *kind; /* as in the replay file */
  const char *verb; /* its key in the message */
  const char *name;
  const char *digest; /* "-" for none */
  struct text rest;   /* further members of the message, such as "screen":{} */
};

enum { MOST_SECRETS = 8, MOST_MESSAGE = 1 << 20 };

/* What the engine says. */
struct record {
  enum verb { VERB_DONE, VERB_GO, VERB_USAGE, VERB_STOP } verb;
  unsigned status;
  struct text bytes;
  int descriptors[MOST_SECRETS];
  size_t descriptor_count;
};

/* Takes the next entry of the replay file. True if it is this operation: `record` has its output. Else the operation
   is for the engine, and `entry` is its index. A patch that does not fit takes no entry, and leaves the file locked. */
bool replay(const struct operation *operation, struct record *record, unsigned long *entry);
/* The index of the entry that the next operation would have: how many operations the run has had. */
unsigned long next_entry(void);
/* Ends the lock of a patch; `taken` if it has become an entry. */
void settle_patch(bool taken);

/* The connection to the engine; outside of a run, to the conversation on the terminal, which speaks as an engine does. All of
   these end the run, or the script, when the connection ends. */
int connect_to_engine(void);
void send_to_engine(int socket, const struct text *message);
/* Waits for a record; a stop does not return. */
void receive(int socket, struct record *record);
void disconnect(int socket);
/* The beginning of a message: {"run":7 and, unless it is NULL, "entry":3. */
void begin_message(struct text *message, const unsigned long *entry);

/* Sends an operation, and waits for the first record. Returns the connection. */
int begin_operation(const struct operation *operation, unsigned long entry, struct record *record);
/* Performs an operation, and returns what is to be printed, and the status to exit with. `perform` does a step. */
void perform_operation(
  const struct operation *operation, struct record *record,
  void (*perform)(int socket, unsigned long entry, struct record *record, void *context), void *context);
/* Prints what a record says, and returns its status. */
int print_record(const struct record *record);

/* Ends the run: kills the processes of the script, and this one. Async-signal-safe while no command runs. */
_Noreturn void stop_run(void);
/* Passes on what the command of a step has written to its standard error until now, as far as somebody reads it; the
   `last` time also a line without an end. */
void relay_errors(bool last);
/* From now on, signals that would end this process end the run. */
void stop_on_signals(void);
/* The process group of the command that runs in this process's name, or 0. */
extern volatile pid_t command_group;

/* Tells the engine that the script has a mistake, and waits for the end of the run. Returns only with what the engine
   wants to be printed. */
int report_crash(const char *type, const char *message);

#endif
