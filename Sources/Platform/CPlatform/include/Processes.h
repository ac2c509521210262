/* Finds processes of the machine by what proc(5) shows of them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct coordinatord_process {
  pid_t process;
  pid_t parent;
  /* When it started, as coordinatord_process_time(). */
  unsigned long long started;
  /* Whether it has ended, but its parent has not waited for it yet. */
  bool is_over;
};

/* Finds a process; returns whether there is one. */
bool coordinatord_find_process(pid_t process, struct coordinatord_process *found);

/* Returns the time since the start of the machine, in the clock ticks of /proc/PID/stat. */
unsigned long long coordinatord_process_time(void);

/* Lists the processes of the machine, as an array that the caller frees. Returns their number. */
size_t coordinatord_list_processes(struct coordinatord_process **list);

/* Reads the initial environment of a process, as text that the caller frees; returns NULL if it may not be read. */
char *coordinatord_environment(pid_t process, size_t *length);

/* Whether the environment of a process has the variable RUN, such as "COORDINATOR_RUN=7", unless RUN is NULL, and a
   variable that ends with SOCKET. */
bool coordinatord_is_marked(pid_t process, const char *run, const char *socket);
