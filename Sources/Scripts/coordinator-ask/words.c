/* Reads command lines: options, words, names, pairs and assignments. */
#include "command.h"
#include "json.h"
#include "run.h"
#include "shell.h"

#include <string.h>
#include <unistd.h>

static const struct option *find_option(const struct option *const *tables, const char *word, size_t length) {
  for (; *tables != NULL; tables++) {
    for (const struct option *option = *tables; option->name != NULL; option++) {
      if (strlen(option->name) == length && memcmp(option->name, word, length) == 0) return option;
    }
  }
  return NULL;
}

/* Takes the words of an option: as many as `count` says, or else those up to the "--" before the command. In the second
   case, no word may be "--": a word from a user's input would end them early, and the next words would be the command.
   The second word must not be an option of the command line either, because it would become one of these words. */
static char **take_several(
  char **words, const struct option *option, const char *count, const struct option *const *tables, void *context) {
  unsigned long long wanted = 0, taken = 0;
  if (count != NULL && (!read_number(count, strlen(count), 1000, &wanted) || wanted == 0))
    wrong("%s takes the words up to '--', or %s=COUNT so many words", option->name, option->name);
  if (count == NULL && words[0] != NULL && words[1] != NULL && find_option(tables, words[1], strcspn(words[1], "=")) != NULL)
    wrong("%s takes all words up to '--', also '%.100s': give it as the last option, or say how many words it has, such as %s=2",
          option->name, words[1], option->name);
  if (count == NULL && words[0] != NULL && is_for_shell(words[0]) && (words[1] == NULL || strcmp(words[1], "--") == 0))
    wrong("%s takes the words of a command, which no shell reads: %s rm -f \"$file\" -- COMMAND", option->name, option->name);
  option->take(context, option->what, NULL);
  for (; *words != NULL && (count != NULL ? taken < wanted : strcmp(*words, "--") != 0); taken++)
    option->take(context, option->what, *words++);
  if (taken == 0) wrong("%s needs the words of a command, such as %s rm -f FILE -- COMMAND", option->name, option->name);
  if (taken < wanted) wrong("%s=%llu needs more words, of which there are %llu", option->name, wanted, taken);
  if (count != NULL) return words;
  size_t ends = 0;
  for (char **word = words; *word != NULL; word++) ends += strcmp(*word, "--") == 0;
  if (ends > 1)
    wrong("'--' occurs %zu times after %s, so that its end cannot be told: say how many words it has, such as"
          " %s=4 rm -f -- FILE -- COMMAND", ends, option->name, option->name);
  return words;
}

_Noreturn static void no_option(const char *word, size_t length) {
  wrong("there is no option '%.*s': ask %s --help lists them", (int)(length > 100 ? 100 : length), word, current->name);
}

static char **take_option(char **words, const struct option *const *tables, void *context) {
  const char *word = *words, *equals = strchr(word, '=');
  size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
  const struct option *option = find_option(tables, word, length);
  if (option == NULL) no_option(word, length);
  const char *value = equals == NULL ? NULL : equals + 1;
  if (option->takes == WORDS) return take_several(words + 1, option, value, tables, context);
  if (option->takes == NO_VALUE && value != NULL) wrong("%s takes no value", option->name);
  if (option->takes == A_VALUE && value == NULL) {
    value = *++words;
    if (value == NULL) wrong("%s needs a value", option->name);
  }
  option->take(context, option->what, value);
  return words + 1;
}

void give_help(void) {
  if (in_run()) wrong("--help explains a command at a terminal only; text that may begin with '-' goes behind '--'");
  print_help(current);
  _exit(0);
}

void take_help(char **words) {
  if (*words != NULL && strcmp(*words, "--help") == 0) give_help();
}

static bool ended;

bool options_have_ended(void) { return ended; }

char **take_words(
  char **words, const struct option *const *tables, void *context, void (*other)(void *context, const char *word),
  bool (*is_text)(const void *context), bool has_command) {
  while (*words != NULL) {
    if (is_text != NULL && is_text(context)) {
      other(context, *words++);
      continue;
    }
    if (strcmp(*words, "--") == 0) {
      words++;
      if (has_command) return words;
      ended = true;
      while (*words != NULL) other(context, *words++);
      break;
    }
    if (strcmp(*words, "--help") == 0) give_help();
    if (words[0][0] == '-' && words[0][1] == '-') words = take_option(words, tables, context);
    else if (words[0][0] == '-' && words[0][1] != 0) no_option(*words, strlen(*words));
    else other(context, *words++);
  }
  return NULL;
}

const char *checked_name(const char *name, const char *what) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  size_t length = strlen(name);
  if (length == 0 || strspn(name, allowed) != length)
    wrong("%s '%.100s' is not made of letters, digits, '.', '_' and '-'", what, name);
  if (length > 255) wrong("%s '%.100s…' has %zu characters, and at most 255 are possible", what, name, length);
  return name;
}

void split_pair(const char *word, char **id, char **title, bool title_needed) {
  const char *equals = strchr(word, '=');
  if (equals == NULL && title_needed) wrong("'%.100s' is not ID=TITLE", word);
  *id = copied(word, equals == NULL ? strlen(word) : (size_t)(equals - word));
  *title = equals == NULL ? NULL : copied(equals + 1, strlen(equals + 1));
  if (**id == 0) wrong("'%.100s' has no id before the '='", word);
}

void add_assignment(struct text *object, const char *word) {
  const char *equals = strchr(word, '=');
  if (equals == NULL || equals == word) wrong("'%.100s' is neither KEY=VALUE nor KEY:=JSON", word);
  bool json = equals[-1] == ':';
  char *key = copied(word, (size_t)(equals - word) - (json ? 1 : 0));
  checked_name(key, "the key");
  json_key(object, key);
  if (!json) json_quoted(object, equals + 1);
  else if (!json_whole(equals + 1, strlen(equals + 1), object)) wrong("the value '%.100s' of '%.100s' is not JSON", equals + 1, key);
}
