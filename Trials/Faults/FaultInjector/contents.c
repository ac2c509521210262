/* The calls that take a descriptor. */
#define _GNU_SOURCE
#include "descriptors.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

int close(int number) {
  descriptor_closed(number);
  return (int)syscall(SYS_close, number);
}

/* Returns whether an operation on a descriptor is to fail; never if it is not watched. */
static bool fails(enum fault_operation operation, struct descriptor descriptor) {
  return descriptor.is_ours && injector_decide(operation, descriptor.file) != FAULT_NONE;
}

// MARK: Reading

ssize_t read(int number, void *buffer, size_t count) {
  return fails(FAULT_READ, descriptor_at(number)) ? -1 : syscall(SYS_read, number, buffer, count);
}

ssize_t pread(int number, void *buffer, size_t count, off_t offset) {
  return fails(FAULT_READ, descriptor_at(number)) ? -1 : syscall(SYS_pread64, number, buffer, count, offset);
}

ssize_t pread64(int number, void *buffer, size_t count, off64_t offset) { return pread(number, buffer, count, offset); }

#define LOOK(function, structure) \
  int function(int number, struct structure *info) { \
    if (fails(FAULT_STAT, descriptor_at(number))) return -1; \
    static int (*really)(int, struct structure *); \
    if (really == NULL) really = dlsym(RTLD_NEXT, #function); \
    return really(number, info); \
  }

LOOK(fstat, stat)
LOOK(fstat64, stat64)

// MARK: Writing

static ssize_t watched_write(int number, struct descriptor descriptor, const void *buffer, size_t count, off_t offset) {
  injector_begin();
  enum fault_effect effect = injector_decide(FAULT_WRITE, descriptor.file);
  /* A single byte has no half. */
  if (effect == FAULT_SHORT && count > 1) count /= 2;
  ssize_t written = -1;
  if (effect != FAULT_FAIL) {
    /* The record comes first: a process that is killed in between must not have written anything unrecorded. */
    struct fault_record record = {
      .operation = FAULT_WRITE, .handle = descriptor.handle, .offset = (uint64_t)offset, .data_length = (uint32_t)count};
    injector_record(record, "", "", buffer);
    written = syscall(SYS_pwrite64, number, buffer, count, offset);
  }
  injector_end();
  return written;
}

ssize_t pwrite(int number, const void *buffer, size_t count, off_t offset) {
  struct descriptor descriptor = descriptor_at(number);
  if (!descriptor.is_ours) return syscall(SYS_pwrite64, number, buffer, count, offset);
  return watched_write(number, descriptor, buffer, count, offset);
}

ssize_t pwrite64(int number, const void *buffer, size_t count, off64_t offset) { return pwrite(number, buffer, count, offset); }

ssize_t write(int number, const void *buffer, size_t count) {
  struct descriptor descriptor = descriptor_at(number);
  if (!descriptor.is_ours) return syscall(SYS_write, number, buffer, count);
  off_t offset = lseek(number, 0, SEEK_CUR);
  ssize_t written = watched_write(number, descriptor, buffer, count, offset < 0 ? 0 : offset);
  if (written > 0) lseek(number, written, SEEK_CUR);
  return written;
}

// MARK: Sizes

int ftruncate(int number, off_t size) {
  struct descriptor descriptor = descriptor_at(number);
  if (!descriptor.is_ours) return (int)syscall(SYS_ftruncate, number, size);
  injector_begin();
  int result = -1;
  if (injector_decide(FAULT_TRUNCATE, descriptor.file) == FAULT_NONE) {
    struct fault_record record = {.operation = FAULT_TRUNCATE, .handle = descriptor.handle, .offset = (uint64_t)size};
    injector_record(record, "", "", NULL);
    result = (int)syscall(SYS_ftruncate, number, size);
  }
  injector_end();
  return result;
}

int ftruncate64(int number, off64_t size) { return ftruncate(number, size); }

/* Recorded only if the file grows, because otherwise its contents do not change. */
static int watched_allocate(int number, int mode, off_t offset, off_t length) {
  struct descriptor descriptor = descriptor_at(number);
  if (!descriptor.is_ours) return (int)syscall(SYS_fallocate, number, mode, offset, length);
  injector_begin();
  int result = -1;
  if (injector_decide(FAULT_ALLOCATE, descriptor.file) == FAULT_NONE) {
    off_t before = lseek(number, 0, SEEK_END);
    result = (int)syscall(SYS_fallocate, number, mode, offset, length);
    off_t size = lseek(number, 0, SEEK_END);
    struct fault_record record = {.operation = FAULT_TRUNCATE, .handle = descriptor.handle, .offset = (uint64_t)size};
    if (result == 0 && size > before) injector_record(record, "", "", NULL);
  }
  injector_end();
  return result;
}

int fallocate(int number, int mode, off_t offset, off_t length) { return watched_allocate(number, mode, offset, length); }

int fallocate64(int number, int mode, off64_t offset, off64_t length) { return watched_allocate(number, mode, offset, length); }

/* posix_fallocate() returns the error number and leaves errno unchanged. */
int posix_fallocate(int number, off_t offset, off_t length) {
  int before = errno;
  int error = watched_allocate(number, 0, offset, length) == 0 ? 0 : errno;
  errno = before;
  return error;
}

int posix_fallocate64(int number, off64_t offset, off64_t length) { return posix_fallocate(number, offset, length); }

// MARK: Syncing

static int watched_sync(int number, long call) {
  struct descriptor descriptor = descriptor_at(number);
  if (!descriptor.is_ours) return (int)syscall(call, number);
  if (injector_decide(FAULT_SYNC, descriptor.file) != FAULT_NONE) return -1;
  uint64_t begin = injector_newest();
  int result = injector_plan->skip_sync ? 0 : (int)syscall(call, number);
  struct fault_record record = {.operation = FAULT_SYNC, .handle = descriptor.handle, .begin = begin};
  if (result != 0) return result;
  injector_begin();
  injector_record(record, "", "", NULL);
  injector_end();
  return 0;
}

int fsync(int number) { return watched_sync(number, SYS_fsync); }

int fdatasync(int number) { return watched_sync(number, SYS_fdatasync); }
