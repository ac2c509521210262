/* What is wrong with a command line, or with its surroundings. */
#include "command.h"
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In a run, a script must not go on with an empty answer. */
_Noreturn static void end(const char *type, const struct text *message, int status) {
  struct text line = {0};
  text_string(&line, "ask: ");
  text_add(&line, message->bytes, message->length);
  text_byte(&line, '\n');
  write_all(STDERR_FILENO, line.bytes, line.length);
  if (in_run()) {
    int answer = report_crash(type, text_bytes(message));
    if (answer != 0) status = answer;
  }
  _exit(status);
}

static void add(struct text *text, const char *format, va_list arguments) {
  char buffer[1024];
  vsnprintf(buffer, sizeof buffer, format, arguments);
  text_string(text, buffer);
}

void wrong(const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  add(&text, format, arguments);
  va_end(arguments);
  if (current == NULL) text_string(&text, "; use: ask COMMAND …, such as: ask menu size \"How large?\" small=Small large=Large");
  else text_format(&text, "; use: ask %s %s, such as: %s", current->name, current->synopsis, current->example);
  end("usage", &text, STATUS_USAGE);
}

void unable(const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  add(&text, format, arguments);
  va_end(arguments);
  end("environment", &text, STATUS_UNABLE);
}
