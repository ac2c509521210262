#ifndef COST_PROBE_H
#define COST_PROBE_H

/* Whether the allocations of this program are counted, and callgrind is told what to do. */
_Bool cost_probe_is_on(void);

/*
 * From now on answers each byte of standard input, once the program is at rest, with a line on standard output: how many blocks it has
 * allocated, and how many bytes. At the first byte callgrind begins to count; at each later one it writes a profile, and begins again.
 *
 * Also keeps the watchdog of the daemon's loop from going off, which it does because of the time that has passed, not of the work done.
 */
void cost_probe_listen(void);

/* Which C library this runs with. */
const char *cost_probe_libc_version(void);

#endif
