/* Runs the command of a step or look. */
#ifndef CHILD_H
#define CHILD_H

#include "text.h"

enum { MOST_OUTPUT = 64 << 10, MOST_SECRET = 32 << 10 };

struct child {
  char **words;
  /* What it is told. */
  const char *key;
  unsigned attempt;
  unsigned long entry;
  const char *secret; /* for its standard input; NULL for /dev/null */
  size_t secret_length;
  bool look;     /* changes nothing, so it may be ended when it prints too much */
  bool progress; /* lines with NN% are reported, and not recorded */
  bool in_run;
  int socket; /* of the engine, or -1 */
  /* What came of it. */
  int status;
  bool too_long;
  struct text output, last_line;
};

/* Removes the secret from what the command has printed, which is recorded or logged. A very short one cannot be told
   from other text. */
void hide_secret(const struct child *child, struct text *text);

/* Runs it to its end. */
void run_to_end(struct child *child);

/* Lines, and what is between carriage returns, of an output with progress. */
struct lines {
  struct text line;
};
void take_lines(
  struct lines *lines, const char *bytes, size_t length, void (*take)(struct child *child, const char *line, size_t length),
  struct child *child);
/* The first NN% of a line; -1 if there is none. */
int percentage(const char *line, size_t length);
void report_progress(int socket, unsigned long entry, int percent, const char *text);

#endif
