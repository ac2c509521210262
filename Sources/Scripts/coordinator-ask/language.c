/* The subcommand language: the language of the user, its change, and the question for it. */
#include "ask-options.h"
#include "json.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct language_words {
  struct question question; /* the first member, so that a pointer to the whole points to it */
  bool choose;
  const char **named;
  size_t named_count;
};

enum { CHOOSE, NAME };

static void take_language(void *context, int what, const char *value) {
  struct language_words *words = context;
  if (what == NAME) {
    words->question.name = checked_name(value, "the name");
    return;
  }
  words->choose = true;
  if (value != NULL) words->question.title = value;
}

/* Returns a language as BCP 47 writes it, without a codeset: pt-BR for pt_BR.UTF-8. Reports a wrong command line if it
   cannot be one. The engine checks the rest. */
static const char *tag_of(const char *word) {
  char *tag = copied(word, strcspn(word, "."));
  size_t letters = strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (letters < 2 || letters > 3 || strlen(tag) > 40 || (tag[letters] != 0 && tag[letters] != '-' && tag[letters] != '_')
      || strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != strlen(tag))
    wrong("'%.100s' is not a language, such as de, pt-BR or sr-Latn", word);
  for (char *byte = tag; *byte != 0; byte++) {
    if (*byte == '_') *byte = '-';
  }
  return tag;
}

static void other_of_language(void *context, const char *word) {
  struct language_words *words = context;
  *APPEND(words->named, words->named_count) = tag_of(word);
}

/* Prints a language as LANGUAGE has it: pt_BR for pt-BR. */
static int print_language(const char *name, size_t length) {
  struct text line = {0};
  text_add(&line, name, length);
  for (size_t i = 0; i < line.length; i++) {
    if (line.bytes[i] == '-') line.bytes[i] = '_';
  }
  text_byte(&line, '\n');
  return write_all(STDOUT_FILENO, line.bytes, line.length) ? 0 : STATUS_UNABLE;
}

static bool is_set(const char *value) { return value != NULL && *value != 0; }

/* Prints the language to which gettext translates. */
static int print_current(void) {
  static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
  const char *locale = NULL, *languages = getenv("LANGUAGE");
  for (size_t i = 0; i < sizeof names / sizeof *names && !is_set(locale); i++) locale = getenv(names[i]);
  if (!is_set(locale) || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) return print_language("en", 2);
  const char *name = is_set(languages) ? languages : locale;
  size_t length = strcspn(name, ":.");
  if (length < 2) return print_language("en", 2);
  return print_language(name, length);
}

static void require_engine(void) {
  if (in_run() && !engine_has("language"))
    unable("coordinator-scripts is older than this program, and does not change languages;"
           " start it again: systemctl --user restart coordinator-scripts");
}

/* The engine then runs the script again from its first line, in that language. */
static int set_language(const char *tag) {
  if (!in_run()) return 0;
  struct text name = {0};
  text_format(&name, "language-%s", tag);
  struct operation operation = {"value", "value", text_bytes(&name), "-", {0}};
  text_string(&operation.rest, ",\"output\":\"status\"");
  struct record record;
  perform_operation(&operation, &record, NULL, NULL);
  return record.verb == VERB_USAGE ? print_record(&record) : 0;
}

/* Returns the languages to choose from as JSON. Without names, the engine finds those of the script's texts. */
static const char *offer_of(const struct language_words *words) {
  struct text json = {0};
  text_byte(&json, '{');
  json_member(&json, "directory", getenv("TEXTDOMAINDIR"));
  json_member(&json, "domain", getenv("TEXTDOMAIN"));
  json_key(&json, "named");
  text_byte(&json, '[');
  for (size_t i = 0; i < words->named_count; i++) {
    json_element(&json);
    json_quoted(&json, words->named[i]);
  }
  text_string(&json, "]}");
  return text_bytes(&json);
}

static int choose_language(struct language_words *words) {
  struct question *question = &words->question;
  if (question->name == NULL) question->name = "language";
  if (question->title == NULL) question->title = "";
  name_question(question->name);
  question->languages = offer_of(words);
  struct record record;
  put_question(question, &record);
  if (record.verb == VERB_USAGE || record.status != 0) return print_record(&record);
  size_t length = strcspn(text_bytes(&record.bytes), "\n");
  int status = set_language(copied(text_bytes(&record.bytes), length));
  if (status != 0) return status;
  /* A recorded choice may be older than the language of the flow, in which the engine runs the script. */
  const char *now = in_run() ? getenv("LANGUAGE") : NULL;
  if (is_set(now)) return print_language(now, strcspn(now, ":."));
  return print_language(text_bytes(&record.bytes), length);
}

int run_language(char **words) {
  static const struct option options[] = {
    {"--choose", MAYBE_VALUE, take_language, CHOOSE}, {"--name", A_VALUE, take_language, NAME}, {0}};
  static const struct option *const tables[] = {options, common_options, NULL};
  struct language_words given = {.question = {.kind = "list", .output = "value"}};
  take_help(words);
  take_words(words, tables, &given, other_of_language, NULL, false);
  if (strcmp(given.question.output, "value") != 0) wrong("the answer is one word, and has no --json");
  if (!given.choose && given.question.name != NULL) wrong("--name is that of the question, which --choose asks");
  if (!given.choose && given.named_count > 1)
    wrong("'%.100s' is one word too many: --choose offers several languages", given.named[1]);
  if (given.choose || given.named_count > 0) require_engine();
  if (given.choose) return choose_language(&given);
  return given.named_count == 1 ? set_language(given.named[0]) : print_current();
}
