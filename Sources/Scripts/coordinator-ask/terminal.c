#include "terminal.h"
#include "command.h"
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static const char program_name[] = "coordinator-scripts";

static int terminal = -1;
static pid_t conversation;
/* The signals that would end this process. They are blocked, because this process ends the conversation first;
   `signals` becomes readable when one of them arrives. */
static sigset_t held, before;
static int signals = -1;

static void open_terminal(void) {
  terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    unable("there is no terminal to ask on: run the script in a terminal, as a flow (coordinatorctl run NAME), or with the "
           "answers in a file (coordinatorctl answer FILE)");
  }
}

static char *program_in(const char *directory, size_t length) {
  struct text path = {0};
  text_add(&path, directory, length);
  text_format(&path, "/%s", program_name);
  if (access(path.bytes, X_OK) == 0) return path.bytes;
  text_free(&path);
  return NULL;
}

/* Finds the program beside this one, regardless of links, or in PATH. */
static char *find_program(void) {
  char own[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  const char *slash = length <= 0 ? NULL : memrchr(own, '/', (size_t)length);
  char *found = slash == NULL ? NULL : program_in(own, (size_t)(slash - own));
  for (const char *path = getenv("PATH"); found == NULL && path != NULL; path = strchr(path, ':')) {
    if (*path == ':') path++;
    /* An empty part of PATH means the working directory, from which nothing must be executed. */
    if (strcspn(path, ":") > 0) found = program_in(path, strcspn(path, ":"));
  }
  return found;
}

/* Leaves ignored signals ignored. */
static void hold_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
  sigemptyset(&held);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction action;
    if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&held, numbers[i]);
  }
  sigprocmask(SIG_BLOCK, &held, &before);
  signals = signalfd(-1, &held, SFD_CLOEXEC);
  if (signals < 0) unable("there are too many open files");
}

_Noreturn static void converse(char *program, int socket) {
  char number[16];
  char subcommand[] = "question";
  char *words[] = {program, subcommand, number, NULL};
  snprintf(number, sizeof number, "%d", socket);
  fcntl(socket, F_SETFD, 0);
  dup2(terminal, STDIN_FILENO);
  dup2(terminal, STDOUT_FILENO);
  if (ends_without_readers) signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  execv(program, words);
  _exit(127);
}

int begin_conversation(void) {
  int ends[2];
  open_terminal();
  char *program = find_program();
  if (program == NULL)
    unable("%s, which shows the question, is neither beside this program nor in PATH: install the package coordinatord", program_name);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) unable("there are too many open files");
  hold_signals();
  conversation = fork();
  if (conversation < 0) unable("the system has no process left");
  if (conversation == 0) converse(program, ends[1]);
  close(ends[1]);
  free(program);
  return ends[0];
}

/* Returns the exit status of the conversation. */
static int wait_for_conversation(void) {
  int status = -1;
  while (waitpid(conversation, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

void await_conversation(int socket) {
  struct pollfd files[] = {{socket, POLLIN, 0}, {signals, POLLIN, 0}};
  while (poll(files, 2, -1) < 0 && errno == EINTR) continue;
  if (files[1].revents == 0) return;
  /* The conversation may have received the same signal, or not. */
  kill(conversation, SIGTERM);
  lose_conversation();
}

void end_conversation(void) {
  wait_for_conversation();
  close(signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The terminal is gone, for example because its window was closed. */
_Noreturn static void lose_terminal(bool has_hung_up) {
  notice("the terminal is gone, so the script ends");
  end_script();
  if (has_hung_up) {
    /* Only now, and only this signal, because it is the reason. */
    sigset_t hang_up;
    sigemptyset(&hang_up);
    sigaddset(&hang_up, SIGHUP);
    sigprocmask(SIG_UNBLOCK, &hang_up, NULL);
  }
  _exit(STATUS_UNABLE);
}

_Noreturn void lose_conversation(void) {
  struct pollfd file = {terminal, POLLIN, 0};
  struct termios settings;
  sigset_t pending;
  int status = wait_for_conversation();
  sigpending(&pending);
  /* A script may trap SIGHUP, and would continue without an answer. */
  bool has_hung_up = sigismember(&held, SIGHUP) == 1 && sigismember(&pending, SIGHUP) == 1;
  bool is_gone = poll(&file, 1, 0) < 0 || (file.revents & (POLLHUP | POLLERR)) != 0 || tcgetattr(terminal, &settings) != 0;
  if (is_gone || has_hung_up) lose_terminal(has_hung_up);
  /* A signal that has arrived meanwhile takes effect here. */
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) cancel_script();
  unable("%s has not asked the question", program_name);
}

_Noreturn void cancel_script(void) {
  /* The terminal may hang up when the first shell ends. */
  signal(SIGHUP, SIG_IGN);
  /* SIGINT does not end the script: a shell that traps it continues with an empty answer, and most shells catch it even
     without a trap. */
  end_script();
  /* Interrupts programs other than shells, as Ctrl-C does. Without a terminal, the process group may be that of another
     program. */
  if (terminal < 0) terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) _exit(130);
  signal(SIGINT, SIG_DFL);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
  kill(0, SIGINT);
  _exit(130);
}
