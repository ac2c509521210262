#include <dbus/dbus.h>

/* What the event loop needs of Linux beyond Swift's Glibc module. */
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

/* prctl is variadic, and Swift imports no such functions. */
static inline void cdbus_set_thread_name(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
}
