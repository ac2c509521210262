#include "terminal.h"
#include "command.h"
#include "script.h"
#include "timer.h"

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
#include <unistd.h>

static int terminal = -1;
/* Readable after the timeout; -1 without one. */
static int timer = -1;
static volatile sig_atomic_t has_hung_up;

static void hang_up(int number) {
  (void)number;
  has_hung_up = 1;
}

void open_terminal(void) {
  if (terminal >= 0) return;
  terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    unable("there is no terminal to ask on: run the script in a terminal, as a flow (coordinatorctl run NAME), or with the "
           "answers in a file (coordinatorctl answer FILE)");
  }
  /* A script may trap it, and would go on without an answer. */
  struct sigaction action = {.sa_handler = hang_up}, before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGHUP, &action, NULL);
}

/* The terminal is gone, as when its window was closed. */
_Noreturn static void lose_terminal(void) {
  notice("the terminal is gone, so the script ends");
  end_script();
  if (has_hung_up) {
    sigset_t hang_ups;
    signal(SIGHUP, SIG_DFL);
    sigemptyset(&hang_ups);
    sigaddset(&hang_ups, SIGHUP);
    sigprocmask(SIG_UNBLOCK, &hang_ups, NULL);
    raise(SIGHUP);
  }
  _exit(STATUS_UNABLE);
}

/* Somebody has typed Ctrl-D, or there is no terminal any more. */
_Noreturn static void end_of_input(void) {
  struct pollfd file = {terminal, POLLIN, 0};
  struct termios settings;
  bool is_gone = poll(&file, 1, 0) < 0 || (file.revents & (POLLHUP | POLLERR)) != 0 || tcgetattr(terminal, &settings) != 0;
  if (is_gone || has_hung_up) lose_terminal();
  cancel_script();
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
    bool is_c1 = byte == 0xc2 && i + 1 < count && (unsigned char)buffer[i + 1] < 0xa0;
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f || is_c1) buffer[i] = ' ';
    if (is_c1) buffer[++i] = ' ';
  }
  if (!write_all(terminal, buffer, count)) lose_terminal();
}

void start_timeout(const char *seconds) { timer = start_timer(seconds); }

/* Waits for a line of the terminal, also while signals are blocked. True if there is one, false after the timeout. */
static bool wait_for_line(int signals) {
  for (;;) {
    struct pollfd files[] = {{terminal, POLLIN, 0}, {signals, POLLIN, 0}, {timer, POLLIN, 0}};
    int count = poll(files, 3, -1);
    if (has_hung_up) lose_terminal();
    if (count < 0 && errno == EINTR) continue;
    /* What was typed in time counts. */
    return files[1].revents == 0 && files[0].revents != 0;
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
    if (count <= 0) end_of_input();
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
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGALRM,
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
    if (count != -2) end_of_input();
    /* The signal does what it would have done; after a stop, the prompt again. */
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (has_hung_up) lose_terminal();
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
  /* The terminal may hang up when the first shell has ended. */
  signal(SIGHUP, SIG_IGN);
  /* Not by SIGINT: a shell that traps it goes on with an empty answer, and most catch it, whether they trap it or not. */
  end_script();
  /* A program that is no shell is interrupted as by Ctrl-C. Without a terminal, the process group may be somebody else's. */
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
