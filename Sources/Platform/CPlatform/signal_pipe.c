/* In C, because a signal handler may call almost no functions: signal-safety(7). The handler wakes the reader of the pipe,
   whatever thread it runs on; the reader does not wake up while there is no signal. */
#define _GNU_SOURCE
#include "SignalPipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int write_end = -1;

static void tell(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  /* A full pipe contains thousands of unread signals: another one adds no information. */
  ssize_t ignored = write(write_end, &byte, 1);
  (void)ignored;
  errno = before;
}

int signal_pipe_open(const int *signals, int count) {
  int ends[2];
  if (write_end >= 0) {
    errno = EBUSY;
    return -1;
  }
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  write_end = ends[1];
  struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < count; index++) sigaction(signals[index], &action, NULL);
  return ends[0];
}
