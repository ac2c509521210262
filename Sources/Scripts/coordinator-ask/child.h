/* Runs the command of a step or look. */
#ifndef CHILD_H
#define CHILD_H

#include "run.h"
#include "text.h"

/* The highest descriptor of a secret: POSIX shells take one digit. The maximum size of the output that is kept, of the kept output as JSON, of everything that a look may print, and of
   the secrets of a step. */
enum { MOST_DESCRIPTOR = 9, MOST_OUTPUT = 64 << 10, MOST_RECORDED = 160 << 10, MOST_LOOKED = 16 << 20, MOST_SECRET = 32 << 10 };

/* The secrets of a step: first those that the standard input of its command contains, with line feeds if there are
   several, then those on other descriptors. */
struct secrets {
  const char *bytes; /* NULL if the step has no secret */
  size_t length;
  bool on_input;      /* whether the standard input has any */
  size_t input_length; /* of what the standard input contains */
  struct {
    size_t begin, length;
    int descriptor; /* where the command reads it; 0 for the standard input */
  } parts[MOST_SECRETS]; /* the values */
  size_t count;
};

struct child {
  char **words;
  /* What the command receives. */
  const char *key;
  unsigned attempt;
  unsigned long entry;
  struct secrets secrets;
  bool look;     /* has no effects, so it may be killed if its output does not end */
  bool stoppable; /* the user may stop it: the engine then says so while the command runs */
  bool progress; /* lines with NN% are reported as progress, and not kept */
  bool secret_result; /* its output is not recorded, so secrets in it stay */
  bool in_run;
  int socket; /* the connection to the engine; -1 for none */
  bool stopped; /* whether the user has stopped it; a second time, it is killed */
  /* Its results. */
  int status;
  size_t printed; /* the size of its whole output in bytes; `output` has the first of them */
  bool endless;   /* a look that was killed because it printed too much */
  bool cut;       /* whether the end of the output is missing */
  struct text output, last_line;
  struct text unsent; /* the part of its standard error that has not been passed on yet */
};

/* Secrets of less bytes occur in other text, too, so they are not hidden. */
enum { SHORTEST_HIDDEN = 4 };
/* Replaces the secrets in text that the command has printed, which is recorded or logged. */
void hide_secrets(const struct secrets *secrets, struct text *text);
/* Hides the secrets in the output, and shortens the output to the maximum size: to whole lines or, if it has only one,
   to whole characters. */
void finish_output(struct child *child);

/* Runs the command to its end, and stores its results. */
void run_to_end(struct child *child);

/* The line of an output that has not ended yet. A carriage return ends a line, too, because commands overwrite their
   progress with it. */
struct lines {
  struct text line;
};
/* One of the command's outputs. */
struct stream {
  int descriptor;
  struct lines lines;
};
void take_lines(
  struct lines *lines, const char *bytes, size_t length, void (*take)(struct child *child, const char *line, size_t length),
  struct child *child);
/* Returns whether a line is progress, and reports it if so. */
bool is_progress(struct child *child, const char *line, size_t length);
/* Reads what is available, without waiting. */
void take_stream(struct child *child, struct stream *stream, bool error);

/* Takes a part of the standard error: passes it on, and keeps its last line. */
void take_errors(struct child *child, struct stream *errors, const char *bytes, size_t length);
/* Takes the last line of the standard error, if it has no line feed. */
void end_errors(struct child *child, struct stream *errors);
/* Passes on as much as one write accepts. */
void send_errors(struct child *child);
/* Sets the command whose standard error relay_errors() passes on; NULL for none. */
void follow_errors(struct child *child, struct stream *errors);

/* Returns the first NN% of a line; -1 if it has none. */
int percentage(const char *line, size_t length);
/* Adds the words after NN%, up to 200 bytes; nothing if there are none. */
void add_progress_text(struct text *text, const char *line, size_t length);
void report_progress(int socket, unsigned long entry, int percent, const char *text);

#endif
