/* What the keeper has the shim read and write, because only the shim has the files. */
#ifndef FILES_H
#define FILES_H

#include "connection.h"

#include <stdbool.h>

/* Answers with what a file holds. */
void send_file(const char *path, bool must_be_regular);
void send_descriptor(const char *number);
/* Answers with the standard input, until it ends. */
void send_input(void);
/* Writes the bytes of an `output` message. */
void write_output(const struct message *message);

#endif
