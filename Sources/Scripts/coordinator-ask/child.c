#include "child.h"
#include "command.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void open_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) unable("there are too many open files");
}

/* Returns the reading end of a pipe that contains secrets. */
static int open_secret(const char *bytes, size_t length) {
  int ends[2];
  open_pipe(ends);
  /* A pipe holds 64 KiB, or one page if its user has very many pipes, so the secrets fit. */
  fcntl(ends[1], F_SETPIPE_SZ, MOST_SECRET);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  if (!write_all(ends[1], bytes, length)) unable("the secret cannot be passed on");
  close(ends[1]);
  return ends[0];
}

/* Opens the standard input of the command: a pipe that contains secrets, or /dev/null. */
static int open_input(const struct secrets *secrets) {
  if (!secrets->on_input) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  return open_secret(secrets->bytes, secrets->input_length);
}

/* Opens the secrets that the command reads from other descriptors, under numbers that no command uses. */
static void open_others(const struct secrets *secrets, int others[MOST_SECRETS]) {
  for (size_t i = 0; i < secrets->count; i++) {
    others[i] = -1;
    if (secrets->parts[i].descriptor == 0) continue;
    int descriptor = open_secret(secrets->bytes + secrets->parts[i].begin, secrets->parts[i].length);
    others[i] = fcntl(descriptor, F_DUPFD_CLOEXEC, MOST_DESCRIPTOR + 1);
    if (others[i] < 0) unable("there are too many open files");
    close(descriptor);
  }
}

static void set_number(const char *name, unsigned long number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%lu", number);
  setenv(name, digits, 1);
}

_Noreturn static void become(
  const struct child *child, int input, const int others[MOST_SECRETS], int output, int error, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  if (child->in_run) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_DFL);
    setpgid(0, 0);
    /* If this process is killed, the command must not continue beside the next attempt. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(137);
    set_number("COORDINATOR_ENTRY", child->entry);
    set_number("COORDINATOR_ASK", (unsigned long)parent);
    const char *log = getenv("COORDINATOR_LOG");
    if (log != NULL) close(atoi(log));
    unsetenv("COORDINATOR_LOG");
  }
  setenv("COORDINATOR_KEY", child->key, 1);
  set_number("COORDINATOR_ATTEMPT", child->attempt);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  for (size_t i = 0; i < child->secrets.count; i++) {
    if (others[i] >= 0) dup2(others[i], child->secrets.parts[i].descriptor);
  }
  if (ends_without_readers) signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(child->words[0], child->words);
  int number = errno;
  dprintf(STDERR_FILENO, "%s: %s\n", child->words[0], strerror(number));
  _exit(number == ENOENT ? 127 : 126);
}

static void keep_output(struct child *child, const char *bytes, size_t length) {
  size_t room = MOST_OUTPUT - child->output.length;
  text_add(&child->output, bytes, length < room ? length : room);
  child->printed += length;
}

static void take_output_line(struct child *child, const char *line, size_t length) {
  if (!is_progress(child, line, length)) keep_output(child, line, length);
}

/* Reads the bytes that are available. Returns false at the end of the stream. */
static bool take_some(struct child *child, struct stream *stream, bool error) {
  static char buffer[65536];
  ssize_t count = read(stream->descriptor, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) return false;
  if (error) take_errors(child, stream, buffer, (size_t)count);
  else if (child->progress) take_lines(&stream->lines, buffer, (size_t)count, take_output_line, child);
  else keep_output(child, buffer, (size_t)count);
  return true;
}

void take_stream(struct child *child, struct stream *stream, bool error) {
  /* Reads at most as much as a pipe holds, because a process that keeps the pipe open may keep writing. */
  for (int i = 0; i < 32 && stream->descriptor >= 0 && take_some(child, stream, error); i++) continue;
}

static void close_stream(struct stream *stream) {
  if (stream->descriptor >= 0) close(stream->descriptor);
  stream->descriptor = -1;
}

/* Called when the engine has sent something to a running step: the user has stopped the step, or the run has ended. */
static void take_order(struct child *child, pid_t process) {
  struct record record;
  if (!child->stoppable) stop_run();
  receive(child->socket, &record);
  if (record.verb != VERB_TERMINATE) stop_run();
  text_free(&record.bytes);
  kill(-process, child->stopped ? SIGKILL : SIGTERM);
  if (!child->stopped) kill(-process, SIGCONT);
  child->stopped = true;
}

/* Waits for the end of the command, and then until its standard error is passed on completely. Does not wait for
   processes that the command leaves behind, which may keep the pipes open. */
static void follow(struct child *child, pid_t process, struct stream *output, struct stream *error, const sigset_t *signals) {
  int ended = (int)syscall(SYS_pidfd_open, process, 0);
  fcntl(output->descriptor, F_SETFL, O_NONBLOCK);
  fcntl(error->descriptor, F_SETFL, O_NONBLOCK);
  if (ended < 0) unable("this kernel is too old: it has no pidfd_open");
  follow_errors(child, error);
  while (ended >= 0 || child->unsent.length > 0) {
    bool sends = child->unsent.length > 0;
    struct pollfd files[] = {
      {ended, POLLIN, 0}, {output->descriptor, POLLIN, 0}, {sends ? -1 : error->descriptor, POLLIN, 0},
      {child->socket, POLLIN, 0}, {sends ? STDERR_FILENO : -1, POLLOUT, 0}};
    if (ppoll(files, 5, NULL, signals) < 0) continue;
    if (files[3].revents != 0) take_order(child, process);
    if (files[4].revents != 0) send_errors(child);
    if (files[1].revents != 0 && !take_some(child, output, false)) close_stream(output);
    if (files[2].revents != 0 && !take_some(child, error, true)) close_stream(error);
    if (child->look && child->printed > MOST_LOOKED && !child->endless && files[0].revents == 0) {
      child->endless = true;
      kill(child->in_run ? -process : process, SIGKILL);
    }
    if (files[0].revents == 0) continue;
    take_stream(child, output, false);
    take_stream(child, error, true);
    end_errors(child, error);
    close_stream(output);
    close_stream(error);
    close(ended);
    ended = -1;
  }
  follow_errors(NULL, NULL);
}

void run_to_end(struct child *child) {
  int output_ends[2], error_ends[2], others[MOST_SECRETS], status = 0, input = open_input(&child->secrets);
  open_others(&child->secrets, others);
  open_pipe(output_ends);
  open_pipe(error_ends);
  child->output.length = child->last_line.length = 0;
  child->printed = 0;
  child->cut = child->endless = false;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  /* The parent may have ignored SIGCHLD, in which case the status would be lost. */
  signal(SIGCHLD, SIG_DFL);
  pid_t parent = getpid(), process = fork();
  if (process == 0) become(child, input, others, output_ends[1], error_ends[1], parent);
  if (process > 0 && child->in_run) {
    setpgid(process, process);
    command_group = process;
  }
  close(input);
  for (size_t i = 0; i < child->secrets.count; i++) {
    if (others[i] >= 0) close(others[i]);
  }
  close(output_ends[1]);
  close(error_ends[1]);
  if (process < 0) unable("there are too many processes");
  struct stream output = {output_ends[0], {{0}}}, error = {error_ends[0], {{0}}};
  follow(child, process, &output, &error, &before);
  if (output.lines.line.length > 0) take_output_line(child, output.lines.line.bytes, output.lines.line.length);
  text_free(&output.lines.line);
  text_free(&child->unsent);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  command_group = 0;
  sigprocmask(SIG_SETMASK, &before, NULL);
  child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (WIFSIGNALED(status) && child->last_line.length == 0)
    text_format(&child->last_line, "ended by the signal %s", sigabbrev_np(WTERMSIG(status)));
}
