#include <dbus/dbus.h>

/* What the event loop needs of Linux beyond Swift's Glibc module. */
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* prctl is variadic, and Swift imports no such functions. */
static inline void cdbus_set_thread_name(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* So is syscall, and the gettid of glibc is for _GNU_SOURCE only. */
static inline pid_t cdbus_thread(void) { return (pid_t)syscall(SYS_gettid); }

/* A nice value is a thread's own on Linux: setpriority(2), "C library/kernel differences". */
static inline void cdbus_set_nice(pid_t thread, int nice) { setpriority(PRIO_PROCESS, (id_t)thread, nice); }
static inline int cdbus_nice(pid_t thread) { return getpriority(PRIO_PROCESS, (id_t)thread); }
