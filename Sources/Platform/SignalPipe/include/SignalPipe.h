#ifndef SIGNAL_PIPE_H
#define SIGNAL_PIPE_H

/*
 * From now on each of these signals writes its number, a byte, into a pipe.
 *
 * Returns the end to read from, which blocks; -1 with errno if that is not to be had, or was had before: a process has one such pipe.
 */
int signal_pipe_open(const int *signals, int count);

#endif
