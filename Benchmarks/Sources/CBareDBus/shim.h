#include <dbus/dbus.h>

