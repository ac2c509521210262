#ifndef SIGNAL_PIPE_H
#define SIGNAL_PIPE_H

/* Makes each of these signals write its number, as one byte, into a pipe. The handlers are installed with SA_RESTART.

   Returns the pipe's read end, which blocks. On failure returns -1 and sets errno; it is EBUSY if the pipe is open
   already, because a process has only one. See signal-safety(7). */
int signal_pipe_open(const int *signals, int count);

#endif
