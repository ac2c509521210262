/* The progress of a step: finds it in the output of a command, and reports it to the engine. */
#include "child.h"
#include "command.h"
#include "json.h"
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LINE = 4096 };

void take_lines(
  struct lines *lines, const char *bytes, size_t length, void (*take)(struct child *child, const char *line, size_t length),
  struct child *child) {
  for (size_t i = 0; i < length; i++) {
    text_byte(&lines->line, bytes[i]);
    if (bytes[i] != '\n' && bytes[i] != '\r' && lines->line.length < LONGEST_LINE) continue;
    take(child, lines->line.bytes, lines->line.length);
    lines->line.length = 0;
  }
}

int percentage(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++) {
    size_t begin = i;
    int number = 0;
    while (i < length && line[i] >= '0' && line[i] <= '9' && number <= 100) number = 10 * number + line[i++] - '0';
    if (i == begin) continue;
    if (i + 1 < length && line[i] == '.') {
      size_t digit = i + 1;
      while (digit < length && line[digit] >= '0' && line[digit] <= '9') digit++;
      i = digit;
    }
    if (i < length && line[i] == ' ' && i + 1 < length && line[i + 1] == '%') i++;
    if (i < length && line[i] == '%' && number <= 100) return number;
  }
  return -1;
}

void add_progress_text(struct text *text, const char *line, size_t length) {
  const char *end = line + length, *sign = memchr(line, '%', length);
  if (sign == NULL) return;
  while (++sign < end && (*sign == ' ' || *sign == '\t')) continue;
  while (end > sign && strchr(" \t\r\n", end[-1]) != NULL) end--;
  size_t rest = (size_t)(end - sign), most = rest < 200 ? rest : whole_characters(sign, 200);
  /* Not what is left of a drawn bar. Other bytes than ASCII begin a word of some language. */
  if (rest == 0 || (*sign > 0 && !isalnum(*sign))) return;
  text_add(text, sign, most);
}

void report_progress(int socket, unsigned long entry, int percent, const char *text) {
  struct text message = {0};
  begin_message(&message, &entry);
  json_key(&message, "progress");
  text_byte(&message, '{');
  if (percent >= 0) {
    json_key(&message, "fraction");
    if (percent == 100) text_byte(&message, '1');
    else text_format(&message, "0.%02d", percent);
  }
  json_member(&message, "text", text);
  text_string(&message, "}}");
  send_to_engine(socket, &message);
  text_free(&message);
}

struct report {
  const char *percent, *text;
};

static void other(void *context, const char *word) {
  struct report *report = context;
  if (report->percent == NULL) report->percent = word;
  else if (report->text == NULL) report->text = word;
  else wrong("'%.100s' is one word too many", word);
}

int run_progress(char **words) {
  static const struct option *const tables[] = {NULL};
  struct report report = {0};
  take_words(words, tables, &report, other, NULL, false);
  if (report.percent == NULL) wrong("the percentage is missing");
  size_t length = strlen(report.percent);
  if (length > 0 && report.percent[length - 1] == '%') length--;
  unsigned long long percent, entry;
  if (!read_number(report.percent, length, 100, &percent)) wrong("'%.100s' is not a number from 0 to 100", report.percent);
  if (!in_run()) {
    struct text line = {0};
    text_format(&line, "%llu %%%s%s\n", percent, report.text == NULL ? "" : " ", report.text == NULL ? "" : report.text);
    write_all(STDERR_FILENO, line.bytes, line.length);
    return 0;
  }
  const char *of = getenv("COORDINATOR_ENTRY");
  if (of == NULL || !read_number(of, strlen(of), 1 << 20, &entry))
    unable("progress is reported by the command of a step or look, with ask step NAME -- COMMAND");
  report_progress(connect_to_engine(), (unsigned long)entry, (int)percent, report.text);
  return 0;
}
