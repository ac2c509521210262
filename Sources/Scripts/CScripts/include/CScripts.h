#pragma once
#include <spawn.h>
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

/// Has a program that is started begin in a directory. Source: posix_spawn_file_actions_addchdir_np(3).
int coordinatord_add_directory(posix_spawn_file_actions_t *actions, const char *path);
