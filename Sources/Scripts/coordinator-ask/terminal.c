#include "terminal.h"
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int terminal = -1;
static bool has_deadline;
static struct timespec deadline;

void open_terminal(void) {
  if (terminal >= 0) return;
  terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    unable("there is no terminal to ask on, and no COORDINATOR_SOCKET: run the script in a terminal, or as a flow "
           "(coordinatorctl run NAME)");
  }
}

void say(const char *format, ...) {
  char buffer[8192];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  size_t count = (size_t)length < sizeof buffer ? (size_t)length : sizeof buffer - 1;
  /* Text from elsewhere must not drive the terminal. */
  for (size_t i = 0; i < count; i++) {
    // Whether char is signed depends on the processor.
    unsigned char byte = (unsigned char)buffer[i];
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) buffer[i] = ' ';
  }
  if (!write_all(terminal, buffer, count)) cancel_script();
}

void start_timeout(const char *seconds) {
  double value = strtod(seconds, NULL);
  if (value > 1e9) return;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += (time_t)value;
  deadline.tv_nsec += (long)((value - (double)(time_t)value) * 1e9);
  has_deadline = true;
}

static int milliseconds_left(void) {
  struct timespec now;
  if (!has_deadline) return -1;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double left = (double)(deadline.tv_sec - now.tv_sec) * 1e3 + (double)(deadline.tv_nsec - now.tv_nsec) / 1e6;
  return left <= 0 ? 0 : left > 1e9 ? 1000000000 : (int)left + 1;
}

/* Waits for a line of the terminal, also while signals are blocked. True if there is one, false after the timeout. */
static bool wait_for_line(int signals) {
  for (;;) {
    struct pollfd files[] = {{terminal, POLLIN, 0}, {signals, POLLIN, 0}};
    int count = poll(files, 2, milliseconds_left());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) return false;
    return files[1].revents == 0;
  }
}

enum reply read_reply(char **line) {
  static char buffer[8192];
  size_t length = 0;
  for (;;) {
    if (!wait_for_line(-1)) {
      say("\n");
      return REPLY_TIMEOUT;
    }
    ssize_t count = read(terminal, buffer + length, sizeof buffer - 1 - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) cancel_script();
    length += (size_t)count;
    if (buffer[length - 1] == '\n') length--;
    else if (length < sizeof buffer - 1) continue;
    buffer[length] = 0;
    *line = buffer;
    return REPLY_LINE;
  }
}

/* Every signal that would end or stop this process first gets the terminal its echo back. */
size_t ask_secret(const char *name, char *secret, size_t room) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGALRM, SIGPIPE,
                                SIGUSR1, SIGUSR2, SIGXCPU};
  struct termios shown, hidden;
  sigset_t caught, before;
  size_t length = 0;
  open_terminal();
  sigemptyset(&caught);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&caught, numbers[i]);
  sigprocmask(SIG_BLOCK, &caught, &before);
  int signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
  if (tcgetattr(terminal, &shown) != 0 || signals < 0) unable("the terminal cannot hide a secret");
  hidden = shown;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
  tcsetattr(terminal, TCSAFLUSH, &hidden);
  say("%s: ", name);
  for (;;) {
    ssize_t count = wait_for_line(signals) ? read(terminal, secret + length, room - length) : -2;
    if (count == -1 && errno == EINTR) continue;
    if (count > 0) {
      length += (size_t)count;
      if (secret[length - 1] != '\n' && length < room) continue;
    }
    tcsetattr(terminal, TCSAFLUSH, &shown);
    if (count > 0) break;
    if (count != -2) cancel_script();
    /* The signal does what it would have done; after a stop, the prompt again. */
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    tcsetattr(terminal, TCSAFLUSH, &hidden);
    say("\n%s: ", name);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(signals);
  say("\n");
  return secret[length - 1] == '\n' ? length - 1 : length;
}

_Noreturn void cancel_script(void) {
  signal(SIGINT, SIG_DFL);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
  kill(0, SIGINT);
  _exit(130);
}
