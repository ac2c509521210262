/* Timers for durations that a terminal waits for. */
#ifndef TIMER_H
#define TIMER_H

/* Returns a descriptor that becomes readable after some seconds. Neither clock changes nor suspension of the machine
   affect the duration. */
int start_timer(const char *seconds);

#endif
