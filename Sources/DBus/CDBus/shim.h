#include <dbus/dbus.h>

/* What the event loop needs of Linux beyond Swift's Glibc module. */
#include <sys/eventfd.h>
#include <sys/timerfd.h>
