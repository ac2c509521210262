/* Overwrites all memory that a program frees, if it is linked into the program.

   A password passes through many places before it becomes a Secret: libdbus's buffers, and the strings and dictionaries
   that a message is decoded into. None of them wipes freed memory. The allocator therefore does, as hardened
   allocators do by default (OpenBSD's malloc, hardened_malloc, the kernel's init_on_free). A program replaces free() by
   defining it: glibc manual, "Replacing malloc". The blocks are still allocated by glibc.

   Disabled under the sanitizers, which replace free() themselves, and without glibc. */
#define _GNU_SOURCE
#include "ZeroingFree.h"

#include <features.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

extern void __libc_free(void *block);

void free(void *block) {
  if (block == NULL) return;
  explicit_bzero(block, malloc_usable_size(block));
  __libc_free(block);
}

/* Replaced because glibc's realloc() moves or shortens a block without calling free(). */
void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t usable = malloc_usable_size(block);
  if (size <= usable && size >= usable / 2) {
    explicit_bzero((char *)block + size, usable - size);
    return block;
  }
  void *moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, block, size < usable ? size : usable);
  free(block);
  return moved;
}

_Bool zeroing_free_is_on(void) { return 1; }

#else

_Bool zeroing_free_is_on(void) { return 0; }

#endif
