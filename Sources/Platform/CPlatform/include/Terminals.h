/* Pseudoterminals, and the signals and the clock of a loop that serves one. */
#pragma once
#include <stddef.h>
#include <sys/types.h>

/* Opens a new pseudoterminal of a size. Returns the descriptor of the controlling side, or -1 with errno. Sets
   OTHER_SIDE to the descriptor of the program's side, which never becomes this process's controlling terminal, and PATH
   to its path. */
int coordinatord_open_terminal(unsigned short rows, unsigned short columns, int *other_side, char *path, size_t length);

/* Blocks signals in this thread, and opens a descriptor that reports them; returns -1 with errno if that fails. */
int coordinatord_open_signals(const int *signals, size_t count);

/* Reads the number of the next signal; returns 0 if none has arrived. */
int coordinatord_next_signal(int descriptor);

/* Returns the milliseconds of a monotonic clock. */
long long coordinatord_milliseconds(void);
