/* Reads and writes files for the keeper, which has neither the working directory nor the descriptors of the caller. */
#ifndef FILES_H
#define FILES_H

#include "connection.h"

#include <stdbool.h>

/* The part of a file to send: the whole file; the whole file if it is regular; or as much as fits. */
enum wanted { WHOLE, REGULAR, START };

/* Replies with the contents of a file. */
void send_file(const char *path, enum wanted wanted);
void send_descriptor(const char *number);
/* Replies with the standard input, until its end. */
void send_input(void);
/* Carries out an `output` request. */
void write_output(const struct message *message);

#endif
