#include "timer.h"
#include "command.h"

#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>

int start_timer(const char *seconds) {
  double value = strtod(seconds, NULL);
  struct itimerspec time = {.it_value = {.tv_sec = value > 1e9 ? 1000000000 : (time_t)value}};
  if (value < 1e9) time.it_value.tv_nsec = (long)((value - (double)time.it_value.tv_sec) * 1e9);
  /* An expiration of zero would disarm the timer. */
  if (time.it_value.tv_sec == 0 && time.it_value.tv_nsec == 0) time.it_value.tv_nsec = 1;
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  if (timer < 0 || timerfd_settime(timer, 0, &time, NULL) != 0) unable("there are too many open files");
  return timer;
}
