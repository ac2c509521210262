/* Assignments for a shell to evaluate. No answer can make them anything else. */
#ifndef SHELL_H
#define SHELL_H

#include "text.h"

/* The variables that a command line sets. */
struct variables {
  char **names;
  const char **keys; /* the fields after which the variables are named */
  size_t count;
};

/* Whether only --assignments prints assignments. An engine without this feature began its run when forms printed them
   by default, and its script may depend on that. */
bool assignments_are_asked_for(void);

/* Adds the variable of a key. Reports a wrong command line if an answer must not set the variable, or if another key
   sets it. */
void check_variable(struct variables *variables, const char *key);
/* Adds NAME='VALUE' and a line feed. Omits NULs. */
void add_assignment_line(struct text *text, const char *key, const char *value, size_t length);
/* Whether a shell would not take a word literally. */
bool is_for_shell(const char *word);
/* Adds a word in single quotes, which a shell takes literally. */
void add_quoted_word(struct text *text, const char *value, size_t length);

#endif
