/* Declares nothing: LD_PRELOAD loads the library into a process, where it replaces the C library's functions for
   files. */
