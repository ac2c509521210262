/* Starts programs with properties that posix_spawn(3) does not support: a nice value, and those that prctl(2) sets. */
#ifndef PROCESS_START_H
#define PROCESS_START_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum process_action_kind { process_open, process_duplicate, process_directory };

/* A step in the new process before the program begins. */
struct process_action {
  enum process_action_kind kind;
  /* The descriptor in the program. */
  int number;
  /* The descriptor of this process that becomes it; the flags of open(2). */
  int value;
  const char *path;
};

struct process_order {
  const char *path;
  char *const *arguments;
  /* NULL for that of this process. */
  char *const *environment;
  const struct process_action *actions;
  size_t count;
  /* Whether the program is searched in PATH if its name contains no slash. */
  bool is_searched;
  bool has_session;
  bool has_group;
  /* Whether orphaned descendants become children of the program: PR_SET_CHILD_SUBREAPER. */
  bool is_reaper;
  /* Whether the program is killed when the thread that started it ends: PR_SET_PDEATHSIG. */
  bool ends_with_thread;
};

/* Starts a program with no signal blocked or ignored, and with the nice value of this process's first thread, if the
   system permits this user to set it. Returns 0 and sets PROCESS, or returns the code of the error. */
int process_start(const struct process_order *order, pid_t *process);

/* Makes orphaned descendants children of this process. */
void process_adopt(void);

#endif
