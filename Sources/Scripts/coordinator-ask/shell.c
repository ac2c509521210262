#include "shell.h"
#include "command.h"
#include "run.h"

#include <string.h>

bool assignments_are_asked_for(void) {
  return !in_run() || engine_has("assignments");
}

/* Returns the name of a key's variable: '-' and '.' become '_', and a '_' precedes a digit at the beginning. */
static char *variable_of(const char *key) {
  struct text name = {0};
  if (*key >= '0' && *key <= '9') text_byte(&name, '_');
  for (; *key != 0; key++) text_byte(&name, *key == '-' || *key == '.' ? '_' : *key);
  return name.bytes;
}

/* Whether a variable is reserved. POSIX reserves names without a lower-case letter for the shell and the utilities:
   PATH, IFS, PS4, LD_PRELOAD, and those of later shells. The engine has the same rule. */
static bool is_reserved(const char *name) {
  static const char *const of_zsh[] = {"argv", "cdpath", "fpath", "mailpath", "manpath", "module_path", "path"};
  static const char proxy[] = "_proxy";
  size_t length = strlen(name), tail = sizeof proxy - 1;
  if (strpbrk(name, "abcdefghijklmnopqrstuvwxyz") == NULL) return true;
  if (length >= tail && strcmp(name + length - tail, proxy) == 0) return true;
  for (size_t i = 0; i < sizeof of_zsh / sizeof *of_zsh; i++) {
    if (strcmp(name, of_zsh[i]) == 0) return true;
  }
  return false;
}

void check_variable(struct variables *variables, const char *key) {
  char *name = variable_of(key);
  if (is_reserved(name))
    wrong("'%.100s' would set the variable %.100s, which belongs to the shell and other programs; choose another name", key, name);
  for (size_t i = 0; i < variables->count; i++) {
    if (strcmp(variables->names[i], name) == 0)
      wrong("'%.100s' and '%.100s' would set the same variable %.100s", variables->keys[i], key, name);
  }
  variables->keys = grown(variables->keys, variables->count, sizeof *variables->keys);
  variables->names = grown(variables->names, variables->count, sizeof *variables->names);
  variables->keys[variables->count] = key;
  variables->names[variables->count++] = name;
}

bool is_for_shell(const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";
  return strspn(word, plain) != strlen(word);
}

void add_quoted_word(struct text *text, const char *value, size_t length) {
  text_byte(text, '\'');
  for (size_t i = 0; i < length; i++) {
    if (value[i] == '\'') text_string(text, "'\\''");
    else if (value[i] != 0) text_byte(text, value[i]);
  }
  text_byte(text, '\'');
}

void add_assignment_line(struct text *text, const char *key, const char *value, size_t length) {
  text_string(text, variable_of(key));
  text_byte(text, '=');
  add_quoted_word(text, value, length);
  text_byte(text, '\n');
}
