/* The standard error of a step's or look's command: passes it on, and reads its progress and its last line.

   Signals, whose handler ends the run, arrive only while this process waits in ppoll(), so relay_errors() never finds
   half-changed data. No write blocks. */
#include "child.h"
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* How long the end of a run waits for the reader of the standard error. */
enum { PATIENCE_MILLISECONDS = 1000 };

static struct child *followed;
static struct stream *followed_errors;
static bool stopping;

bool is_progress(struct child *child, const char *line, size_t length) {
  static int last = -1;
  int percent = child->progress ? percentage(line, length) : -1;
  if (percent < 0) return false;
  if (percent != last && child->socket >= 0 && !stopping) {
    struct text text = {0};
    add_progress_text(&text, line, length);
    hide_secrets(&child->secrets, &text);
    if (text.length > 0) text_byte(&text, 0);
    report_progress(child->socket, child->entry, percent, text.bytes);
    text_free(&text);
  }
  last = percent;
  return true;
}

static void keep_last_line(struct child *child, const char *line, size_t length) {
  size_t end = length < 400 ? length : whole_characters(line, 400);
  while (end > 0 && strchr(" \t\r", line[end - 1]) != NULL) end--;
  if (end == 0) return;
  child->last_line.length = 0;
  text_add(&child->last_line, line, end);
}

/* Whether the standard error must be split into lines before it is passed on. */
static bool filters_errors(const struct child *child) {
  return child->progress || child->secrets.length > 0;
}

static void take_error_line(struct child *child, const char *line, size_t length) {
  if (is_progress(child, line, length)) return;
  if (filters_errors(child)) {
    struct text shown = {0};
    text_add(&shown, line, length);
    hide_secrets(&child->secrets, &shown);
    text_add(&child->unsent, text_bytes(&shown), shown.length);
    text_free(&shown);
  }
  if (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
  keep_last_line(child, line, length);
}

void take_errors(struct child *child, struct stream *errors, const char *bytes, size_t length) {
  if (!filters_errors(child)) text_add(&child->unsent, bytes, length);
  take_lines(&errors->lines, bytes, length, take_error_line, child);
}

void end_errors(struct child *child, struct stream *errors) {
  struct text *line = &errors->lines.line;
  if (line->length > 0) take_error_line(child, line->bytes, line->length);
  text_free(line);
}

void send_errors(struct child *child) {
  struct text *unsent = &child->unsent;
  ssize_t count = write(STDERR_FILENO, unsent->bytes, unsent->length < PIPE_BUF ? unsent->length : PIPE_BUF);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  /* No process reads it any more, so the rest is dropped. */
  if (count <= 0) count = (ssize_t)unsent->length;
  unsent->length -= (size_t)count;
  memmove(unsent->bytes, unsent->bytes + count, unsent->length);
}

void follow_errors(struct child *child, struct stream *errors) {
  followed = child;
  followed_errors = errors;
}

void relay_errors(bool last) {
  stopping = true;
  if (followed == NULL) return;
  take_stream(followed, followed_errors, true);
  if (last) end_errors(followed, followed_errors);
  while (followed->unsent.length > 0) {
    struct pollfd file = {STDERR_FILENO, POLLOUT, 0};
    int ready = poll(&file, 1, PATIENCE_MILLISECONDS);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      followed = NULL;
      return;
    }
    send_errors(followed);
  }
}
