#ifndef COST_PROBE_H
#define COST_PROBE_H

/* Returns whether this build counts allocations and controls callgrind. */
_Bool cost_probe_is_on(void);

/* Answers each byte of standard input, once the program is idle, with a line on standard output: the number of
   allocated blocks and their total size in bytes, both since the start. At the first byte, callgrind begins to
   count; at each later one, it writes a profile and starts again from zero.

   Also keeps the watchdog of the daemon's loop from firing, because it depends on the elapsed time and not on the
   work done. */
void cost_probe_listen(void);

/* Returns the version of the C library at run time. */
const char *cost_probe_libc_version(void);

#endif
