#include "command.h"
#include "json.h"

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

static char **take_option(char **words, const struct option *const *tables, void *context) {
  const char *word = *words, *equals = strchr(word, '=');
  size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
  const struct option *option = find_option(tables, word, length);
  if (option == NULL) wrong("there is no option '%.*s'", (int)(length > 100 ? 100 : length), word);
  const char *value = equals == NULL ? NULL : equals + 1;
  if (option->takes == NO_VALUE && value != NULL) wrong("%s takes no value", option->name);
  if (option->takes == A_VALUE && value == NULL) {
    value = *++words;
    if (value == NULL) wrong("%s needs a value", option->name);
  }
  option->take(context, option->what, value);
  return words + 1;
}

char **take_words(
  char **words, const struct option *const *tables, void *context, void (*other)(void *context, const char *word),
  bool has_command) {
  while (*words != NULL) {
    if (strcmp(*words, "--") == 0) {
      words++;
      if (has_command) return words;
      while (*words != NULL) other(context, *words++);
      break;
    }
    if (strcmp(*words, "--help") == 0) {
      print_help(current);
      _exit(0);
    }
    if (words[0][0] == '-' && words[0][1] == '-') words = take_option(words, tables, context);
    else if (words[0][0] == '-' && words[0][1] != 0) wrong("there is no option '%.100s'", *words);
    else other(context, *words++);
  }
  return NULL;
}

const char *checked_name(const char *name, const char *what) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  size_t length = strlen(name);
  if (length == 0 || length > 255 || strspn(name, allowed) != length)
    wrong("%s '%.100s' is not made of letters, digits, '.', '_' and '-'", what, name);
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
  else if (!json_whole(equals + 1, strlen(equals + 1), object)) wrong("the value of '%.100s' is not JSON", key);
}
