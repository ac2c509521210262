/* The Linux functions that Swift does not import. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include "Descriptors.h"
#include "FunctionSymbols.h"
#include "ProcessStart.h"
#include "Processes.h"
#include "SignalPipe.h"
#include "Terminals.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl(2) is variadic, and Swift does not import variadic functions. */
static inline int coordinatord_set_dumpable(unsigned long dumpable) {
  return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}
static inline int coordinatord_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/* Sets the name of the calling thread, which `ps -L` shows; at most 15 bytes. */
static inline void coordinatord_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Returns gettid(2). syscall is variadic too, and glibc declares gettid for _GNU_SOURCE only. */
static inline pid_t coordinatord_thread(void) { return (pid_t)syscall(SYS_gettid); }

/* On Linux, each thread has its own nice value: setpriority(2), "C library/kernel differences". */
static inline void coordinatord_set_nice(pid_t thread, int nice) { setpriority(PRIO_PROCESS, (id_t)thread, nice); }
static inline int coordinatord_nice(pid_t thread) { return getpriority(PRIO_PROCESS, (id_t)thread); }

/* Overwrites what earlier calls have left on the calling thread's stack, to their usual depth: 64 KiB. */
__attribute__((noinline)) static void coordinatord_clear_stack(void) {
  char unused[64 * 1024];
  explicit_bzero(unused, sizeof unused);
}

#endif
