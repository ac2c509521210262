/* The connection to the keeper of the running program, over the Unix stream socket that COORDINATOR_PROGRAM names.

   Both sides send messages. A message is a line with a name and a length in bytes, followed by that many bytes:

       NAME LENGTH LF BYTES

   The shim first sends its call:

       shim       "whiptail", "dialog", "askpass", "pinentry" or "password-request": the last component of argv[0]
       argument   one argument; one message per argument, in order
       variable   NAME=VALUE: SSH_ASKPASS_PROMPT, and variables whose names begin with DIALOG, except DIALOGRC
       size       "LINES COLUMNS" of the controlling terminal; omitted if there is none
       writable   the numbers of the file descriptors below 64 that are open for writing, separated by blanks
       ready      empty: the call is complete

   It then carries out the keeper's requests, in order, until `exit`:

       read             a path          opens the file, relative to the shim's working directory; replies with `content`
                                        (its contents) or `failed` (the reason, as strerror() returns it)
       read-regular     a path          the same, but fails unless the file is regular
       read-start       a path          the same as `read`, but a file of more than 4 MiB is cut, and does not fail
       read-descriptor  a number        the same for a file descriptor that is already open
       input            empty           replies with the standard input as it arrives, in `input` messages, then `end`.
                                        If the standard input is a terminal, `end` follows at once.
       output           "NUMBER BYTES"  writes the bytes to the file descriptor
       datagram         "PATH LF BYTES" sends the bytes to the Unix datagram socket at this path
       exit             0 to 255        ends the shim with this status

   A pinentry sends the input from gpg-agent in `input` messages as it arrives, and `end` at its end, without a request.
   It uses the descriptors that the two arguments name, or the standard streams. A password-request, whose argument is
   the path of a file `ask.*` of systemd, ends when that file is removed.

   If the shim cannot continue, it sends `trouble` with the reason, at any time, and ends with 255.

   Otherwise, while a question is open, no messages are sent. If the connection closes early, or a message is malformed,
   the shim reports it on its standard error and exits with 255: it never invents an answer. If the shim ends early, the
   connection closes, and the keeper must withdraw the question. A message has at most 16 MiB, a file at most 4 MiB. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>

enum { MOST_BYTES = 16 << 20, MOST_FILE = 4 << 20 };

struct message {
  char name[32];
  char *bytes; /* followed by a NUL */
  size_t length;
};

/* The connection; -1 until it is open. */
extern int keeper;

void connect_to_keeper(void);
void send_message(const char *name, const void *bytes, size_t length);
/* Receives the next message into `message`, replacing the previous one. */
void receive_message(struct message *message);

/* Sends the keeper the reason why the shim is about to end, for the administrator. */
void send_trouble(const char *reason);
/* Sends the reason to the keeper, and ends the shim with 255 and a message on the standard error. */
_Noreturn void unable(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name of the program that the shim replaces, for messages. */
extern const char *program_name;
void *memory(void *old, size_t size);

#endif
