#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prctl is variadic, which Swift does not import. */
static inline int coordinatord_set_dumpable(unsigned long dumpable) {
  return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}
static inline int coordinatord_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/* Shows in `ps -L`; at most 15 bytes. */
static inline void coordinatord_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* syscall is variadic too, and the gettid of glibc is for _GNU_SOURCE only. */
static inline pid_t coordinatord_thread(void) { return (pid_t)syscall(SYS_gettid); }

/* A nice value is a thread's own on Linux: setpriority(2), "C library/kernel differences". */
static inline void coordinatord_set_nice(pid_t thread, int nice) { setpriority(PRIO_PROCESS, (id_t)thread, nice); }
static inline int coordinatord_nice(pid_t thread) { return getpriority(PRIO_PROCESS, (id_t)thread); }

/* Overwrites what calls have left on the calling thread's stack, as deep as they usually go. */
__attribute__((noinline)) static void coordinatord_clear_stack(void) {
  char unused[64 * 1024];
  explicit_bzero(unused, sizeof unused);
}
