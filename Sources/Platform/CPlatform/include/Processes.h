/* Finds processes of the machine by what proc(5) shows of them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct coordinatord_process {
  pid_t process;
  pid_t parent;
  /* Whether it has ended, but its parent has not waited for it yet. */
  bool is_over;
};

/* Finds a process; returns whether there is one. */
bool coordinatord_find_process(pid_t process, struct coordinatord_process *found);

/* Lists the processes of the machine, as an array that the caller frees. Returns their number. */
size_t coordinatord_list_processes(struct coordinatord_process **list);

/* Reads the initial environment of a process, as text that the caller frees; returns NULL if it may not be read. */
char *coordinatord_environment(pid_t process, size_t *length);

/* Whether the environment of a process has the variable RUN, such as "COORDINATOR_RUN=7", unless RUN is NULL, and a
   variable that ends with SOCKET. */
bool coordinatord_is_marked(pid_t process, const char *run, const char *socket);
