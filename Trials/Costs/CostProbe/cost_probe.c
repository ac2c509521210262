/*
 * Linked into a program, this counts what the program allocates, whoever does: libdbus, SQLite and the Swift runtime as well.
 *
 * Programs replace malloc() by defining it: glibc manual, "Replacing malloc". The blocks stay glibc's own. realloc() is not here, since
 * ZeroingFree has it, and calls malloc() when it moves a block.
 *
 * Left out under the sanitizers, which replace malloc() themselves, and where there is no glibc or no valgrind.
 */
#define _GNU_SOURCE
#include "CostProbe.h"

#include <errno.h>
#include <features.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) \
  && __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations, allocated;
static atomic_bool listening;

/* They are only ever read when nobody adds. */
static void count(size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&allocated, size, memory_order_relaxed);
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count(size);
  void *aligned = __libc_memalign(alignment, size);
  if (aligned == NULL) return ENOMEM;
  *block = aligned;
  return 0;
}

/*
 * Under a profiler everything takes fifty times as long, and how often the watchdog of the daemon's loop looks depends on that. It asks
 * for a time from now; libdispatch, for a moment, and must be told the truth.
 */
int timerfd_settime(int file, int flags, const struct itimerspec *time, struct itimerspec *before) {
  if (atomic_load(&listening) && !(flags & TFD_TIMER_ABSTIME)) return 0;
  return (int)syscall(SYS_timerfd_settime, file, flags, time, before);
}

/* valgrind takes a signal out of the mask that it is handed, wherever that is: libdispatch's is a constant. */
int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}

/* The last reply is sent before all that it took is given back. */
static void await_rest(void) {
  const struct timespec moment = {.tv_nsec = 20000000};
  for (int quiet = 0; quiet < 3; quiet++) {
    unsigned long before = atomic_load(&allocations);
    nanosleep(&moment, NULL);
    if (atomic_load(&allocations) != before) quiet = -1;
  }
}

static void *listen_to_input(void *unused) {
  char byte, line[64];
  bool is_first = true;
  (void)unused;
  while (read(STDIN_FILENO, &byte, 1) == 1) {
    await_rest();
    if (is_first) {
      CALLGRIND_START_INSTRUMENTATION;
    } else {
      CALLGRIND_DUMP_STATS;
    }
    is_first = false;
    int length = snprintf(line, sizeof line, "%lu %lu\n", atomic_load(&allocations), atomic_load(&allocated));
    if (write(STDOUT_FILENO, line, (size_t)length) != length) break;
  }
  return NULL;
}

void cost_probe_listen(void) {
  pthread_t thread;
  sigset_t all, before;
  if (atomic_exchange(&listening, 1)) return;
  /* Signals are for the program's own threads. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, listen_to_input, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

_Bool cost_probe_is_on(void) { return 1; }

const char *cost_probe_libc_version(void) { return gnu_get_libc_version(); }

#else

void cost_probe_listen(void) {}

_Bool cost_probe_is_on(void) { return 0; }

const char *cost_probe_libc_version(void) { return "unknown"; }

#endif
