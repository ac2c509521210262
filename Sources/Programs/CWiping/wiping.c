#define _GNU_SOURCE
#include "CWiping.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>

/* Values of secrets pass through strings and arrays, which only the allocator can wipe when they are released. These
   functions replace glibc's in programs that link them. Source: "Replacing malloc" in the manual of glibc. */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif

#ifndef HAS_SANITIZER
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *memory);

void free(void *memory) {
  if (memory == NULL) return;
  int error = errno;
  explicit_bzero(memory, malloc_usable_size(memory));
  __libc_free(memory);
  errno = error;
}

void *realloc(void *old, size_t size) {
  if (old == NULL) return __libc_malloc(size);
  if (size == 0) {
    free(old);
    return NULL;
  }
  /* realloc may move the bytes without wiping the old ones, so they are copied here. */
  size_t before = malloc_usable_size(old);
  if (before >= size && before / 2 <= size) return old;
  void *new = __libc_malloc(size);
  if (new == NULL) return NULL;
  memcpy(new, old, before < size ? before : size);
  free(old);
  return new;
}
#endif

void coordinatord_wipe_freed_memory(void) {}
