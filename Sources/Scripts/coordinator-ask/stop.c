/* Ends a run: the processes of the script, and the command of its step. */
#include "run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile pid_t command_group;

enum { GRACE_SECONDS = 5, MOST_ANCESTORS = 64, PAUSE_MILLISECONDS = 10, PATIENCE_MILLISECONDS = 300 };

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

/* Reads the beginning of /proc/PID/NAME, as a string. */
static void read_of_process(pid_t process, const char *name, char *buffer, size_t room) {
  int file = open_of_process(process, name);
  ssize_t count = file < 0 ? 0 : read(file, buffer, room - 1);
  if (file >= 0) close(file);
  buffer[count > 0 ? count : 0] = 0;
}

enum { PARENT = 4, START = 22 };

/* Returns a number of /proc/PID/stat, by its place from 1; 0 if there is none. */
static unsigned long long number_of(pid_t process, int place) {
  char buffer[512];
  read_of_process(process, "stat", buffer, sizeof buffer);
  /* PID (NAME) STATE PARENT …; NAME may contain any character. */
  char *at = strrchr(buffer, ')');
  for (int i = 2; at != NULL && i < place; i++) at = strchr(at + 1, ' ');
  return at == NULL ? 0 : strtoull(at + 1, NULL, 10);
}

static pid_t parent_of(pid_t process) { return (pid_t)number_of(process, PARENT); }

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

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The present, as /proc/PID/stat counts the starts of processes. */
static unsigned long long ticks(void) {
  struct timespec now;
  unsigned long long of_second = (unsigned long long)sysconf(_SC_CLK_TCK);
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (unsigned long long)now.tv_sec * of_second + (unsigned long long)now.tv_nsec * of_second / 1000000000;
}

/* Whether a process has a handler for a signal. */
static bool catches(pid_t process, int number) {
  char buffer[4096];
  read_of_process(process, "status", buffer, sizeof buffer);
  const char *line = strstr(buffer, "SigCgt:");
  return line != NULL && (strtoull(line + strlen("SigCgt:"), NULL, 16) >> (number - 1) & 1) != 0;
}

/* Whether a process has a child that was started after a time, other than one. */
static bool has_started_child(pid_t process, unsigned long long time, pid_t other) {
  char name[64] = "task/", digits[16], buffer[4096];
  size_t length = strlen(name), count = 0;
  for (pid_t rest = process; rest > 0; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  while (count > 0) name[length++] = digits[--count];
  strcpy(name + length, "/children");
  read_of_process(process, name, buffer, sizeof buffer);
  for (char *at = buffer, *next; ; at = next) {
    pid_t child = (pid_t)strtol(at, &next, 10);
    if (next == at) return false;
    if (child != other && number_of(child, START) >= time) return true;
  }
}

/* Waits for a shell with an EXIT trap to run it. `below` is its child above this process, or this process. Returns
   whether the shell has ended.

   bash with such a trap catches all signals that would end it. It runs the trap at once for a signal that has no trap of
   its own, and is ended by a second signal meanwhile. The engine sends SIGTERM. But if that has a trap, bash waits for
   this process, and then would continue the script after the trap. Such a bash, and one whose engine has gone, get
   SIGVTALRM, which no script uses. */
static bool await_exit_trap(pid_t shell, pid_t below, long long end) {
  if (!catches(shell, SIGVTALRM)) return false;
  int descriptor = (int)syscall(SYS_pidfd_open, shell, 0);
  struct pollfd file = {descriptor, POLLIN, 0};
  long long begin = milliseconds();
  /* The signal may have been a little earlier than the message, but what was started with this process belongs to the
     script. */
  unsigned long long recently = ticks() - 5, own = number_of(getpid(), START);
  if (recently < own) recently = own;
  bool is_told = false, has_ended = false;
  while (descriptor >= 0 && !has_ended && milliseconds() < end) {
    has_ended = poll(&file, 1, PAUSE_MILLISECONDS) > 0;
    is_told |= has_started_child(shell, recently, below);
    if (has_ended || is_told || milliseconds() < begin + PATIENCE_MILLISECONDS) continue;
    kill(shell, SIGVTALRM);
    kill(shell, SIGCONT);
    is_told = true;
  }
  if (descriptor >= 0) close(descriptor);
  return has_ended;
}

/* Kills the processes of the script above this one, because a shell may be in another process group (set -m, setsid).
   The oldest ends first, after its EXIT trap, so that none continues. The process that runs this one's step gets SIGTERM
   instead: it passes on the output of its command, and kills the processes above it in the same way. */
static void kill_ancestors(long long end) {
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
  while (count > 0) {
    pid_t oldest = ancestors[--count];
    if (!await_exit_trap(oldest, count > 0 ? ancestors[count - 1] : getpid(), end)) kill(oldest, SIGKILL);
  }
}

/* Waits for the end of the command, which has received SIGTERM, and kills it after the grace period. */
static void end_command(pid_t group, long long end) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  while (waitpid(group, NULL, WNOHANG) == 0) {
    long long left = end - milliseconds();
    if (left <= 0) break;
    struct timespec rest = {left / 1000, left % 1000 * 1000000};
    sigtimedwait(&child, NULL, &rest);
  }
  kill(-group, SIGKILL);
}

_Noreturn void stop_run(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  long long end = milliseconds() + GRACE_SECONDS * 1000;
  if (command_group > 0) {
    kill(-command_group, SIGTERM);
    kill(-command_group, SIGCONT);
  }
  kill_ancestors(end);
  if (command_group > 0) {
    /* Leaves the process group and kills it, because the command gets the grace period and its group does not. */
    pid_t group = getpgrp();
    if (group != getpid() && setpgid(0, 0) == 0) kill(-group, SIGKILL);
    relay_errors(false);
    end_command(command_group, end);
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
