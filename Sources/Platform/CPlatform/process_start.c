/* In C, because the child of vfork(2) shares the memory of this process, and may call almost no functions. Unlike
   fork(2), vfork(2) does not affect the other threads, and does not copy memory, which may contain secrets. */
#define _GNU_SOURCE
#include "ProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The Thread Sanitizer makes vfork(2) a fork(2), whose child cannot report through the memory why the program did not start. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VFORK_COPIES
#endif
#endif

void process_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

static int do_action(const struct process_action *action) {
  int descriptor;
  switch (action->kind) {
  case process_directory: return chdir(action->path);
  case process_duplicate:
    if (action->value != action->number) return dup2(action->value, action->number);
    return fcntl(action->number, F_SETFD, 0);
  case process_open:
    descriptor = open(action->path, action->value, 0);
    if (descriptor < 0 || descriptor == action->number) return descriptor;
    if (dup2(descriptor, action->number) < 0) return -1;
    return close(descriptor);
  }
  return -1;
}

/* Runs in the child. Returns only if the program cannot be started. */
static void become(const struct process_order *order, int nice, bool has_nice, pid_t parent) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  if (order->has_session) setsid();
  if (order->has_group) setpgid(0, 0);
  /* A thread's nice value may differ from that of the process, and is only for the thread's own work. A sandbox may
     forbid the call. */
  if (has_nice && getpriority(PRIO_PROCESS, 0) != nice) setpriority(PRIO_PROCESS, 0, nice);
  if (order->is_reaper) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (order->ends_with_thread) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(127);
  }
  for (size_t index = 0; index < order->count; index++) {
    if (do_action(&order->actions[index]) < 0) return;
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  char *const *environment = order->environment ? order->environment : environ;
  if (order->is_searched) execvpe(order->path, order->arguments, environment);
  else execve(order->path, order->arguments, environment);
}

int process_start(const struct process_order *order, pid_t *process) {
  sigset_t all, before;
  sigfillset(&all);
  /* A handler of this process must not run in the child. */
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  errno = 0;
  int nice = getpriority(PRIO_PROCESS, (id_t)parent);
  bool has_nice = nice != -1 || errno == 0;
  volatile int problem = 0;
#ifdef VFORK_COPIES
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
#endif
  pid_t child = vfork();
  if (child == 0) {
    become(order, nice, has_nice, parent);
    problem = errno ? errno : EINVAL;
#ifdef VFORK_COPIES
    int told = problem;
    if (write(ends[1], &told, sizeof told) < 0) _exit(126);
#endif
    _exit(127);
  }
  if (child < 0) problem = errno;
#ifdef VFORK_COPIES
  int told;
  close(ends[1]);
  if (read(ends[0], &told, sizeof told) == sizeof told) problem = told;
  close(ends[0]);
#endif
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && problem != 0) {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  }
  if (problem == 0) *process = child;
  return problem;
}
