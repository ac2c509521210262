/* The subcommands, and the common parts of their command lines. */
#ifndef COMMAND_H
#define COMMAND_H

#include "text.h"

enum status {
  STATUS_NO = 1,
  STATUS_USAGE = 2,
  STATUS_UNABLE = 3, /* there is no terminal, or a child flow failed */
  STATUS_TIMEOUT = 124
};

/* Prints a message on the standard error: one line without control characters. */
void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether SIGPIPE had its default action when this process started; this process ignores it. */
extern bool ends_without_readers;

struct command {
  const char *name, *synopsis, *example, *help;
  int (*run)(char **words);
};

/* The subcommand that runs, for messages; NULL before it is known. */
extern const struct command *current;

extern const struct command commands[];
const struct command *find_command(const char *name);
void print_help(const struct command *command);

/* Reports a wrong command line, prints the right one, and ends the process: with status 2 or, in a run, by reporting a
   mistake in the script to the engine, so that the script does not continue with an empty answer. */
_Noreturn void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Makes the messages of wrong() begin with the name of a question. */
void name_question(const char *name);
/* Reports any other reason why there is no answer, and ends the process or the run. */
_Noreturn void unable(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What an option takes. WORDS takes the words up to "--", or as many as the number after "=" says; `take` is called
   with NULL first, and then once for each word. */
enum takes { NO_VALUE, A_VALUE, MAYBE_VALUE, WORDS };

struct option {
  const char *name;
  enum takes takes;
  void (*take)(void *context, int what, const char *value);
  int what;
};

/* Reads options according to tables, and passes all other words to `other`. Returns the words after `--` if the command
   has words there, else NULL. If `is_text` returns true, the next word is passed to `other` even if it looks like an
   option or is "--", because it may be a user's input. */
char **take_words(
  char **words, const struct option *const *tables, void *context, void (*other)(void *context, const char *word),
  bool (*is_text)(const void *context), bool has_command);
/* Whether the words that `other` receives follow "--". */
bool options_have_ended(void);
/* Prints the help of the command, and ends the process. In a run, reports a wrong command line instead, because the
   script would take the exit status for a yes. */
_Noreturn void give_help(void);
/* Calls give_help() if the first word is --help. */
void take_help(char **words);

/* Returns `name`, or reports a wrong command line if it is not a name. Names are used in answers files, logs and
   variables: [a-zA-Z0-9._-]+, at most 255 bytes. */
const char *checked_name(const char *name, const char *what);
/* Splits ID=TITLE into copies. Without "=", `title` is NULL, or the command line is wrong if the title is needed. */
void split_pair(const char *word, char **id, char **title, bool title_needed);
/* Adds KEY=VALUE or KEY:=JSON as a member of an object. */
void add_assignment(struct text *object, const char *word);

int run_menu(char **words);
int run_list(char **words);
int run_form(char **words);
int run_confirm(char **words);
int run_message(char **words);
int run_review(char **words);
int run_look(char **words);
int run_step(char **words);
int run_progress(char **words);
int run_finish(char **words);
int run_fail(char **words);
int run_cancel(char **words);
int run_again(char **words);
int run_child(char **words);
int run_sleep(char **words);
int run_value(char **words);
int run_patched(char **words);
int run_input(char **words);
int run_language(char **words);

#endif
