#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Functions that Swift cannot call itself: variadic functions and macros of the system's headers.

/// Creates an anonymous file in memory; returns -1 with errno if that fails. Executed programs inherit it.
int coordinatord_memory_file(const char *name);

/// Sends bytes with up to 16 descriptors; returns the number of bytes sent, or -1 with errno. Never raises SIGPIPE.
ssize_t coordinatord_send(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);

/// Returns the user id of the process at the other end of a Unix socket; -1 if unknown.
long coordinatord_peer_user(int socket);

/// Keeps this process's memory out of core files, and inaccessible to other processes of its user.
void coordinatord_hide_memory(void);

/// Creates a pipe whose ends programs do not inherit; returns -1 with errno if that fails. Source: pipe2(2).
int coordinatord_pipe(int ends[2]);

/// Accepts a connection that programs do not inherit; returns -1 with errno if that fails.
int coordinatord_accept(int socket);

struct coordinatord_process {
  pid_t process;
  pid_t parent;
  /// Whether it has ended, but its parent has not waited for it yet.
  bool is_over;
};

/// Finds a process; returns whether there is one.
bool coordinatord_find_process(pid_t process, struct coordinatord_process *found);

/// Lists the processes of the machine, as an array that the caller frees. Returns their number.
size_t coordinatord_list_processes(struct coordinatord_process **list);

/// Reads the initial environment of a process, as text that the caller frees; returns NULL if it may not be read.
char *coordinatord_environment(pid_t process, size_t *length);

/// Whether the environment of a process has the variable RUN, such as "COORDINATOR_RUN=7", unless RUN is NULL, and a
/// variable that ends with SOCKET.
bool coordinatord_is_marked(pid_t process, const char *run, const char *socket);
