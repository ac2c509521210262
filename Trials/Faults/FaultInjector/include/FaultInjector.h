/* Nothing is called from outside: the library is put into a process by LD_PRELOAD, and takes the place of the C library's calls on files. */
