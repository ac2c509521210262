/*
 * Linked into a program, this overwrites all memory that the program gives back, whoever gives it back.
 *
 * A password goes through many hands before it is a Secret: libdbus's buffers, the strings and dictionaries that a message becomes.
 * None of them wipes what it frees. So the allocator does, as hardened allocators do by default (OpenBSD's malloc, hardened_malloc,
 * the kernel's init_on_free). Programs replace free() by defining it: glibc manual, "Replacing malloc". The blocks stay glibc's own.
 *
 * Left out under the sanitizers, which replace free() themselves, and where there is no glibc.
 */
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

/* glibc's own would move a block, or cut off its end, without a call of free(). */
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
