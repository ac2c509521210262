/* What a shell evaluates: assignments, which no answer can turn into anything else. */
#ifndef SHELL_H
#define SHELL_H

#include "text.h"

/* The variables that a command line has a shell set. */
struct variables {
  char **names;
  const char **keys; /* the fields that they are named after */
  size_t count;
};

/* Whether only --assignments prints assignments: where the engine of a run does not say so, the run was begun before
   that was asked for, and its script may rely on them. */
bool assignments_are_asked_for(void);

/* Adds the variable of a key. Reports a wrong command line if an answer must not set it, or if another key sets it. */
void check_variable(struct variables *variables, const char *key);
/* NAME='VALUE' and a line feed. NULs are left out. */
void add_assignment_line(struct text *text, const char *key, const char *value, size_t length);
/* Whether a word means more to a shell than a word. */
bool is_for_shell(const char *word);
/* A word, as a shell takes it literally. */
void add_quoted_word(struct text *text, const char *value, size_t length);

#endif
