#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// What Swift cannot call itself: variadic functions and macros of the system's headers.

/// Creates an anonymous file in memory; -1 with errno if that fails. It is not closed in programs that are executed.
int coordinatord_memory_file(const char *name);

/// Sends bytes with up to 16 descriptors; the number of bytes sent, or -1 with errno. Never raises SIGPIPE.
ssize_t coordinatord_send(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);

/// The user id of the process at the other end of a Unix socket; -1 if it is not known.
long coordinatord_peer_user(int socket);

/// Keeps this process's memory out of core files, and out of reach of other processes of its user.
void coordinatord_hide_memory(void);

/// Creates a pipe whose ends no program inherits; -1 with errno if that fails. Source: pipe2(2).
int coordinatord_pipe(int ends[2]);

/// Accepts a connection that is not passed on to programs; -1 with errno if that fails.
int coordinatord_accept(int socket);

struct coordinatord_process {
  pid_t process;
  pid_t parent;
  /// Whether it has ended, and nobody has waited for it.
  bool is_over;
};

/// Finds a process; returns whether there is one.
bool coordinatord_find_process(pid_t process, struct coordinatord_process *found);

/// Lists the processes of the machine, as an array that is to be freed. Returns their number.
size_t coordinatord_list_processes(struct coordinatord_process **list);

/// Reads the environment that a process began with, as text that is to be freed; NULL if it may not be read.
char *coordinatord_environment(pid_t process, size_t *length);

/// Whether the environment of a process has a variable RUN, such as "COORDINATOR_RUN=7", unless that is NULL, and one that
/// ends with SOCKET.
bool coordinatord_is_marked(pid_t process, const char *run, const char *socket);
