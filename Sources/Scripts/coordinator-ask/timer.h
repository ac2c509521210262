/* Durations that are waited for on a terminal. */
#ifndef TIMER_H
#define TIMER_H

/* A descriptor that is readable so many seconds from now. Neither a change of the clock nor a time in which the computer
   sleeps changes that: both belong to the duration. */
int start_timer(const char *seconds);

#endif
