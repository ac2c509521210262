/* Descriptors, with the flags that only variadic functions and macros set, which Swift does not import. */
#pragma once
#include <stddef.h>
#include <sys/types.h>

/* Creates an anonymous file in memory; returns -1 with errno if that fails. Executed programs inherit it. */
int coordinatord_memory_file(const char *name);

/* Sends bytes with up to 16 descriptors; returns the number of bytes sent, or -1 with errno. Never raises SIGPIPE. */
ssize_t coordinatord_send(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);

/* Returns the user id of the process at the other end of a Unix socket; -1 if unknown. */
long coordinatord_peer_user(int socket);

/* Returns the process at the other end of a Unix socket; -1 if unknown. */
pid_t coordinatord_peer_process(int socket);

/* Creates a pipe whose ends programs do not inherit; returns -1 with errno if that fails. Source: pipe2(2). */
int coordinatord_pipe(int ends[2]);

/* Accepts a connection that programs do not inherit; returns -1 with errno if that fails. */
int coordinatord_accept(int socket);
