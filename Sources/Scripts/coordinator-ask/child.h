/* Runs the command of a step or look. */
#ifndef CHILD_H
#define CHILD_H

#include "text.h"

/* What is kept of an output; what of it the engine takes, as JSON; and what a look may print at all. */
enum { MOST_OUTPUT = 64 << 10, MOST_RECORDED = 160 << 10, MOST_LOOKED = 16 << 20, MOST_SECRET = 32 << 10 };

struct child {
  char **words;
  /* What it is told. */
  const char *key;
  unsigned attempt;
  unsigned long entry;
  const char *secret; /* for its standard input; NULL for /dev/null */
  size_t secret_length;
  bool look;     /* changes nothing, so it may be ended when it prints without end */
  bool progress; /* lines with NN% are reported, and not recorded */
  bool in_run;
  int socket; /* of the engine, or -1 */
  /* What came of it. */
  int status;
  size_t printed; /* how many bytes there are of its output, of which `output` has the first */
  bool endless;   /* a look that was ended, because it printed too much */
  bool cut;       /* whether the end of its output is left out */
  struct text output, last_line;
  struct text unsent; /* of its standard error: what is still to be passed on */
};

/* Removes the secret from what the command has printed, which is recorded or logged. A very short one cannot be told
   from other text. */
void hide_secret(const struct child *child, struct text *text);
/* Hides the secret in an output, and leaves out what is too much of it: from a line on, or if it has none from a
   character on. */
void finish_output(struct child *child);

/* Runs it to its end. */
void run_to_end(struct child *child);

/* Lines, and what is between carriage returns, of an output with progress. */
struct lines {
  struct text line;
};
/* What the command writes to one of its pipes. */
struct stream {
  int descriptor;
  struct lines lines;
};
void take_lines(
  struct lines *lines, const char *bytes, size_t length, void (*take)(struct child *child, const char *line, size_t length),
  struct child *child);
/* Whether a line is progress, which is reported and nothing else. */
bool is_progress(struct child *child, const char *line, size_t length);
/* Reads what there is, without waiting. */
void take_stream(struct child *child, struct stream *stream, bool error);

/* The standard error: takes what has been read of it, and its last line, which may have no end. */
void take_errors(struct child *child, struct stream *errors, const char *bytes, size_t length);
void end_errors(struct child *child, struct stream *errors);
/* Passes on some of it, as much as can be written at once. */
void send_errors(struct child *child);
/* Which command relay_errors() is about; NULL for none. */
void follow_errors(struct child *child, struct stream *errors);

/* The first NN% of a line; -1 if there is none. */
int percentage(const char *line, size_t length);
void report_progress(int socket, unsigned long entry, int percent, const char *text);

#endif
