/* The subcommands, and what is common to their command lines. */
#ifndef COMMAND_H
#define COMMAND_H

#include "text.h"

enum status {
  STATUS_NO = 1,
  STATUS_USAGE = 2,
  STATUS_UNABLE = 3, /* no terminal, or a child flow that failed */
  STATUS_TIMEOUT = 124
};

/* Says something to whoever reads the standard error: one line, which drives no terminal. */
void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether SIGPIPE has ended programs where this one was started, which has ignored it since. */
extern bool ends_without_readers;

struct command {
  const char *name, *synopsis, *example, *help;
  int (*run)(char **words);
};

/* The subcommand that runs, for messages. */
extern const struct command *current;

extern const struct command commands[];
const struct command *find_command(const char *name);
void print_help(const struct command *command);

/* Reports a wrong command line, says the right one, and ends the process: with status 2, and in a run by telling the
   engine that the script has a mistake, so that it does not run on with an empty answer. */
_Noreturn void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports anything else that makes an answer impossible. */
_Noreturn void unable(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* WORDS are those up to "--", or as many as are said after "="; NULL is taken before them, and then each by itself. */
enum takes { NO_VALUE, A_VALUE, MAYBE_VALUE, WORDS };

struct option {
  const char *name;
  enum takes takes;
  void (*take)(void *context, int what, const char *value);
  int what;
};

/* Takes options from `words` according to tables, and gives all other words to `other`. Returns what follows `--` if
   the command has words of its own there, else NULL. Where `is_text` says so, the next word is for `other`, even if it is
   written like an option or "--": somebody may have typed it. */
char **take_words(
  char **words, const struct option *const *tables, void *context, void (*other)(void *context, const char *word),
  bool (*is_text)(const void *context), bool has_command);
/* Whether the words that `other` gets are those behind "--". */
bool options_have_ended(void);
/* Prints the help of the command, and ends the process. In a run, reports a wrong command line: the script would go on as if
   the answer were yes. */
_Noreturn void give_help(void);
/* Does so if the first word is --help. */
void take_help(char **words);

/* Names are used in answers files, logs and variables: [a-zA-Z0-9._-]+, at most 255 bytes. */
const char *checked_name(const char *name, const char *what);
/* Splits ID=TITLE. */
void split_pair(const char *word, char **id, char **title, bool title_needed);
/* K=V and K:=JSON, as the members of an object. */
void add_assignment(struct text *object, const char *word);

int run_menu(char **words);
int run_list(char **words);
int run_form(char **words);
int run_confirm(char **words);
int run_message(char **words);
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

#endif
