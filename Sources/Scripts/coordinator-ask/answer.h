/* What was answered on the terminal, and how it is printed: as the engine prints it. */
#ifndef ANSWER_H
#define ANSWER_H

#include "question.h"

struct entered {
  const char **values;
  size_t count;
  bool shown; /* a field that is not shown has no value */
};

struct answer {
  const char *event; /* NULL after the timeout */
  const char **ids;  /* of a list, the rows */
  size_t id_count;
  struct entered *fields; /* of a form, in the order of the question's */
};

/* The answer that --default gives. */
void take_default_answer(const struct question *question, struct answer *answer);
int print_answer(const struct question *question, const struct answer *answer);

/* Asks for the fields of a form. False after the timeout. */
bool fill_in(const struct question *question, struct answer *answer);
/* Asks for one of the actions; NULL after the timeout. */
const struct action *choose_action(const struct question *question, const char *prompt);

#endif
