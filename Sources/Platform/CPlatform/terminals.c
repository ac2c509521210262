#define _GNU_SOURCE
#include "Terminals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

int coordinatord_open_terminal(unsigned short rows, unsigned short columns, int *other_side, char *path, size_t length) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (terminal < 0) return -1;
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ptsname_r(terminal, path, length) == 0
      && (*other_side = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0) {
    if (ioctl(terminal, TIOCSWINSZ, &size) == 0) return terminal;
    close(*other_side);
  }
  close(terminal);
  return -1;
}

int coordinatord_open_signals(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < count; index++) sigaddset(&set, signals[index]);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int coordinatord_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

long long coordinatord_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
