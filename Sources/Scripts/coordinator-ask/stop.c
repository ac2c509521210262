/* Ends a run: the processes of the script, and the command of its step. */
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile pid_t command_group;

enum { GRACE_SECONDS = 5, MOST_ANCESTORS = 64 };

/* Opens /proc/PID/NAME, with async-signal-safe functions only. */
static int open_of_process(pid_t process, const char *name) {
  char path[64] = "/proc/", digits[16];
  size_t length = strlen(path), count = 0;
  for (; process > 0; process /= 10) digits[count++] = (char)('0' + process % 10);
  while (count > 0) path[length++] = digits[--count];
  path[length++] = '/';
  strcpy(path + length, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

static pid_t parent_of(pid_t process) {
  char buffer[512];
  int file = open_of_process(process, "stat");
  ssize_t count = file < 0 ? 0 : read(file, buffer, sizeof buffer - 1);
  if (file >= 0) close(file);
  if (count <= 0) return 0;
  buffer[count] = 0;
  /* PID (NAME) STATE PARENT; NAME may contain any character. */
  char *end = strrchr(buffer, ')');
  return end == NULL || strlen(end) < 5 ? 0 : (pid_t)atoi(end + 4);
}

/* A variable to find in the environment of a process, byte by byte. */
struct variable {
  const char *name, *value;
  size_t matched;
  bool failed;
};

static bool ends_here(struct variable *variable, char byte) {
  size_t length = strlen(variable->name), whole = length + 1 + strlen(variable->value);
  if (byte == 0) {
    bool found = !variable->failed && variable->matched == whole;
    variable->matched = 0;
    variable->failed = false;
    return found;
  }
  size_t at = variable->matched++;
  char expected = at < length ? variable->name[at] : at == length ? '=' : at < whole ? variable->value[at - length - 1] : 0;
  if (expected != byte) variable->failed = true;
  return false;
}

/* Whether a process was started as part of this run, which its environment shows. */
static bool is_of_run(pid_t process) {
  struct variable socket = {"COORDINATOR_SOCKET", getenv("COORDINATOR_SOCKET"), 0, false};
  struct variable run = {"COORDINATOR_RUN", getenv("COORDINATOR_RUN"), 0, false};
  bool has_socket = false, has_run = false;
  char buffer[4096];
  int file = socket.value == NULL || run.value == NULL ? -1 : open_of_process(process, "environ");
  ssize_t count = 0;
  while (file >= 0 && !(has_socket && has_run) && (count = read(file, buffer, sizeof buffer)) > 0) {
    for (ssize_t i = 0; i < count; i++) {
      has_socket |= ends_here(&socket, buffer[i]);
      has_run |= ends_here(&run, buffer[i]);
    }
  }
  if (file >= 0) close(file);
  return has_socket && has_run;
}

/* Returns the process that runs the step to whose command this process belongs; 0 if there is none. */
static pid_t step_process(void) {
  const char *process = getenv("COORDINATOR_ASK");
  return process == NULL ? 0 : (pid_t)atoi(process);
}

/* Kills the processes of the script above this one, because a shell may be in another process group (set -m, setsid).
   The oldest is killed first, so that none continues. The process that runs this one's step gets SIGTERM instead: it
   passes on the output of its command, and kills the processes above it in the same way. */
static void kill_ancestors(void) {
  pid_t ancestors[MOST_ANCESTORS], step = step_process();
  size_t count = 0;
  for (pid_t process = getppid(); process > 1 && count < MOST_ANCESTORS; process = parent_of(process)) {
    if (process == step) {
      kill(step, SIGTERM);
      kill(step, SIGCONT);
      break;
    }
    if (!is_of_run(process)) break;
    ancestors[count++] = process;
  }
  while (count > 0) kill(ancestors[--count], SIGKILL);
}

/* Ends the command by SIGTERM and, after the grace period, by SIGKILL. */
static void end_command(pid_t group) {
  struct timespec now, end;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += GRACE_SECONDS;
  kill(-group, SIGTERM);
  kill(-group, SIGCONT);
  while (waitpid(group, NULL, WNOHANG) == 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec rest = {end.tv_sec - now.tv_sec, end.tv_nsec - now.tv_nsec};
    if (rest.tv_nsec < 0) {
      rest.tv_nsec += 1000000000;
      rest.tv_sec--;
    }
    if (rest.tv_sec < 0) break;
    sigtimedwait(&child, NULL, &rest);
  }
  kill(-group, SIGKILL);
}

_Noreturn void stop_run(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  kill_ancestors();
  if (command_group > 0) {
    /* Leaves the process group and kills it, because the command gets the grace period and its group does not. */
    pid_t group = getpgrp();
    if (group != getpid() && setpgid(0, 0) == 0) kill(-group, SIGKILL);
    relay_errors(false);
    end_command(command_group);
    relay_errors(true);
  }
  kill(0, SIGKILL);
  _exit(137);
}

static void on_signal(int number) {
  (void)number;
  stop_run();
}

void stop_on_signals(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  struct sigaction action = {.sa_handler = on_signal};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}
