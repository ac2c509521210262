/* Counts all allocations of the program that it is linked into, including those of libdbus, SQLite and the Swift
   runtime.

   A program replaces malloc() by defining it; see the glibc manual, "Replacing malloc". The blocks are still glibc's.
   realloc() is not defined here, because ZeroingFree defines it, and calls malloc() when it moves a block.

   Disabled under the sanitizers, which replace malloc() themselves, and without glibc or valgrind. */
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

/* Relaxed, because the counters are only read while the program is idle. */
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

/* Disables relative timers. Under a profiler, everything takes fifty times as long, which would determine how often
   the watchdog of the daemon's loop checks. That watchdog uses a relative timer; libdispatch uses absolute ones,
   which must work. */
int timerfd_settime(int file, int flags, const struct itimerspec *time, struct itimerspec *before) {
  if (atomic_load(&listening) && !(flags & TFD_TIMER_ABSTIME)) return 0;
  return (int)syscall(SYS_timerfd_settime, file, flags, time, before);
}

/* valgrind removes a signal from the caller's mask in place, but libdispatch passes a constant. */
int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}

/* Waits until the program no longer allocates: a reply is sent before all of its memory has been released. */
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
  /* This thread must not receive signals meant for the program's threads. */
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
