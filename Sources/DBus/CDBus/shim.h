#include <dbus/dbus.h>

/* The Linux interfaces that the event loop needs and Swift's Glibc module lacks. */
#include <sys/eventfd.h>
#include <sys/timerfd.h>
