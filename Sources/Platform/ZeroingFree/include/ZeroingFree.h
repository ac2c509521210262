#ifndef ZEROING_FREE_H
#define ZEROING_FREE_H

/* Overwrites all memory that the process frees.

   Linking this module into a program is enough: it defines free() and realloc(), which take the place of glibc's in the
   program and in all shared libraries that it loads. Blocks are allocated by glibc as before, and returned to it through
   __libc_free(), which glibc exports but does not document. Tested with glibc 2.36 (Debian 12); requires 2.25.

   With another C library, and under the Address Sanitizer and the Thread Sanitizer, the module defines neither function.
   A program that uses another allocator must not contain it. Package.swift decides whether daemons and
   coordinatorctl contain it: see Docs/security.md, "Data in memory". */

/* Returns whether this process overwrites memory before it frees it. */
_Bool zeroing_free_is_on(void);

#endif
