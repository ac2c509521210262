#define _GNU_SOURCE
#include "injector.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int output = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void open_output(void) {
  const char *path = getenv(FAULT_RECORD_VARIABLE);
  if (path != NULL) output = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

bool injector_records(void) { return output >= 0; }

void injector_begin(void) {
  if (injector_records()) pthread_mutex_lock(&order);
}

void injector_end(void) {
  if (injector_records()) pthread_mutex_unlock(&order);
}

uint64_t injector_newest(void) { return __atomic_load_n(&injector_plan->sequence, __ATOMIC_ACQUIRE); }

uint64_t injector_record(struct fault_record record, const char *name, const char *second, const void *data) {
  if (!injector_records()) return 0;
  record.sequence = injector_newest() + 1;
  record.process = (uint32_t)getpid();
  record.name_length = (uint32_t)strlen(name);
  record.second_length = (uint32_t)strlen(second);
  if (data == NULL) record.data_length = 0;
  struct iovec parts[] = {
    {&record, sizeof record}, {(void *)name, record.name_length}, {(void *)second, record.second_length},
    {(void *)data, record.data_length},
  };
  ssize_t length = (ssize_t)(sizeof record + record.name_length + record.second_length + record.data_length);
  /* An incomplete record would make the whole recording useless, and would not be the daemon's fault. */
  if (syscall(SYS_writev, output, parts, 4) != length) abort();
  /* Published last, so that a reader that sees the number finds the record. */
  __atomic_store_n(&injector_plan->sequence, record.sequence, __ATOMIC_RELEASE);
  return record.sequence;
}
