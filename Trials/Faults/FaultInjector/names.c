/* The calls that take a path, each under all of its names in the C library. Names with 64 are those for large files. */
#define _GNU_SOURCE
#include "descriptors.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int really_open(int directory, const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, directory, path, flags, mode);
}

static bool exists(const char *path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

/* Relative paths are not watched, because the daemon uses absolute paths. */
static int watched_open(int directory, const char *path, int flags, mode_t mode) {
  struct descriptor opened = {.is_ours = true};
  const char *name;
  if (!injector_knows(path, &opened.file, &name)) return really_open(directory, path, flags, mode);
  int before = errno;
  injector_begin();
  bool is_new = (flags & O_CREAT) != 0 && !exists(path);
  errno = before;
  int file = -1;
  if (injector_decide(is_new ? FAULT_CREATE : FAULT_OPEN, opened.file) == FAULT_NONE) {
    file = really_open(directory, path, flags, mode);
    if (file >= 0) {
      int32_t operation = is_new ? FAULT_CREATE : FAULT_OPEN;
      opened.handle = injector_record((struct fault_record){.operation = (uint32_t)operation}, name, "", NULL);
      descriptor_opened(file, opened);
      if (flags & O_TRUNC)
        injector_record((struct fault_record){.operation = FAULT_TRUNCATE, .handle = opened.handle}, "", "", NULL);
    }
  }
  injector_end();
  return file;
}

static bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

#define MODE(last) \
  mode_t mode = 0; \
  if (has_mode(last)) { \
    va_list arguments; \
    va_start(arguments, last); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return watched_open(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return watched_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return watched_open(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return watched_open(directory, path, flags | O_LARGEFILE, mode);
}

/* Performs an operation on a path and records it, unless it is to fail. */
static int change(enum fault_operation operation, const char *path, const char *second, long (*really)(const char *, const char *, mode_t),
                  mode_t mode) {
  enum fault_file file, other;
  const char *name, *target = "";
  if (!injector_knows(path, &file, &name) || (second != NULL && !injector_knows(second, &other, &target)))
    return (int)really(path, second, mode);
  injector_begin();
  int result = -1;
  if (injector_decide(operation, file) == FAULT_NONE) {
    result = (int)really(path, second, mode);
    if (result == 0) injector_record((struct fault_record){.operation = operation}, name, target, NULL);
  }
  injector_end();
  return result;
}

static long really_unlink(const char *path, const char *second, mode_t mode) {
  (void)second;
  (void)mode;
  return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static long really_rename(const char *path, const char *second, mode_t mode) {
  (void)mode;
  return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, second, 0);
}

static long really_make(const char *path, const char *second, mode_t mode) {
  (void)second;
  return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int unlink(const char *path) { return change(FAULT_UNLINK, path, NULL, really_unlink, 0); }

int rename(const char *path, const char *second) { return change(FAULT_RENAME, path, second, really_rename, 0); }

int mkdir(const char *path, mode_t mode) { return change(FAULT_MKDIR, path, NULL, really_make, mode); }

/* Returns whether a stat() of a path is to fail. */
static bool is_hidden(const char *path) {
  enum fault_file file;
  const char *name;
  return injector_knows(path, &file, &name) && injector_decide(FAULT_STAT, file) != FAULT_NONE;
}

#define LOOK(function, structure) \
  int function(const char *restrict path, struct structure *restrict info) { \
    if (is_hidden(path)) return -1; \
    static int (*really)(const char *, struct structure *); \
    if (really == NULL) really = dlsym(RTLD_NEXT, #function); \
    return really(path, info); \
  }

LOOK(stat, stat)
LOOK(stat64, stat64)
LOOK(lstat, stat)
LOOK(lstat64, stat64)
