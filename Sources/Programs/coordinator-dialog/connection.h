/* The connection to the keeper of the program that asks: the socket that COORDINATOR_PROGRAM names.

   Both sides send messages. A message is a line with a name and a length in bytes, and then that many bytes:

       NAME LENGTH LF BYTES

   The shim begins with its call:

       shim       "whiptail", "dialog" or "askpass": the last part of the name that it was called by
       argument   an argument; one message for each, in order
       variable   NAME=VALUE: SSH_ASKPASS_PROMPT, and environment variables whose names begin with DIALOG, except DIALOGRC
       size       "LINES COLUMNS" of the terminal; left out if there is none
       writable   the numbers of the file descriptors below 64 that can be written to, with a blank between them
       ready      nothing: the call is complete

   Then it does what the keeper says, in order, until it is told to end:

       read             a path          opens the file, relative to the directory of the shim, and answers `content` with
                                        what it holds or `failed` with the reason as strerror() says it
       read-regular     a path          the same, but fails for everything that is not a regular file
       read-descriptor  a number        the same with an open file
       input            nothing         answers with the standard input as it comes, in messages `input`, and with `end` after
                                        its last one. A terminal has no input: `end` follows at once.
       output           "NUMBER BYTES"  writes the bytes to the file descriptor
       exit             a number        ends the shim with this status

   A question that takes long has no messages. If the connection ends, or anything else is received, the shim says so on
   its standard error and ends with 255: it never answers a question by itself. If the shim ends, so does the connection,
   and nobody waits for the answer any more. Nothing is longer than 16 MiB, and files not longer than 4 MiB. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>

enum { MOST_BYTES = 16 << 20, MOST_FILE = 4 << 20 };

struct message {
  char name[32];
  char *bytes; /* a NUL follows the last one */
  size_t length;
};

/* The connection; -1 before. */
extern int keeper;

void connect_to_keeper(void);
void send_message(const char *name, const void *bytes, size_t length);
/* Reads the next message, which replaces the last one. */
void receive_message(struct message *message);

/* Ends the shim: says why on the standard error. */
_Noreturn void unable(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The program that the shim stands for, as messages name it. */
extern const char *program_name;
void *memory(void *old, size_t size);

#endif
