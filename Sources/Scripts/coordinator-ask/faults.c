/* Reports mistakes in the command line and problems of the environment, and ends the process. */
#include "command.h"
#include "run.h"
#include "script.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE_MILLISECONDS = 1000 };

/* Prints a message. Does not wait long for a full pipe that no process reads. */
static void say_line(const struct text *message) {
  struct text line = {0};
  text_string(&line, "ask: ");
  text_add(&line, message->bytes, message->length);
  /* Replaces control characters, which quoted text may contain. */
  for (size_t i = 0; i < line.length; i++) {
    unsigned char byte = (unsigned char)line.bytes[i];
    bool is_c1 = byte == 0xc2 && i + 1 < line.length && (unsigned char)line.bytes[i + 1] < 0xa0;
    if (byte < 0x20 || byte == 0x7f || is_c1) line.bytes[i] = ' ';
    if (is_c1) line.bytes[++i] = ' ';
  }
  text_byte(&line, '\n');
  struct pollfd file = {STDERR_FILENO, POLLOUT, 0};
  if (poll(&file, 1, PATIENCE_MILLISECONDS) != 0) write_all(STDERR_FILENO, line.bytes, line.length);
  text_free(&line);
}

/* Ends the process. In a run, the script must not continue with an empty answer. */
_Noreturn static void end(const char *type, const struct text *message, int status) {
  say_line(message);
  if (in_run()) {
    int answer = report_crash(type, text_bytes(message));
    if (answer != 0) status = answer;
  } else if (status != STATUS_USAGE) {
    end_script();
  }
  _exit(status);
}

static void add(struct text *text, const char *format, va_list arguments) {
  char buffer[1024];
  vsnprintf(buffer, sizeof buffer, format, arguments);
  text_string(text, buffer);
}

void notice(const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  add(&text, format, arguments);
  va_end(arguments);
  say_line(&text);
  text_free(&text);
}

static const char *asked;

void name_question(const char *name) { asked = name; }

void wrong(const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  if (asked != NULL) text_format(&text, "%s %.100s: ", current->name, asked);
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
