#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bus-load: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void *grow(void *array, size_t count, size_t *room, size_t size) {
  if (count < *room) return array;
  *room = *room ? *room * 2 : 64;
  if (!(array = realloc(array, *room * size))) die("out of memory");
  return array;
}

DBusConnection *open_bus(const char *address) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *bus = dbus_connection_open_private(address, &error);
  if (!bus || !dbus_bus_register(bus, &error)) die("%s", error.message);
  dbus_connection_set_exit_on_disconnect(bus, TRUE);
  return bus;
}

void listen_to_flows(DBusConnection *bus, const char *name) {
  char rule[256];
  DBusError error = DBUS_ERROR_INIT;
  snprintf(rule, sizeof rule, "type='signal',sender='%s',path_namespace='" ROOT "/flows'", name);
  dbus_bus_add_match(bus, rule, &error);
  if (dbus_error_is_set(&error)) die("%s", error.message);
}

bool is_settled(DBusMessage *message, uint64_t *revision) {
  return dbus_message_is_signal(message, ROUTER, "Settled")
    && dbus_message_get_args(message, NULL, DBUS_TYPE_UINT64, revision, DBUS_TYPE_INVALID);
}

DBusMessage *new_call(const struct load *load, const char *path, const char *interface, const char *member) {
  DBusMessage *message = dbus_message_new_method_call(load->name, path, interface, member);
  if (!message) die("out of memory");
  return message;
}

void append_empty(DBusMessageIter *arguments) {
  DBusMessageIter dictionary;
  dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
  dbus_message_iter_close_container(arguments, &dictionary);
}

DBusMessage *new_delegate(const struct load *load, const struct target *target) {
  const char *event = "turn";
  DBusMessageIter arguments;
  DBusMessage *message = new_call(load, target->path, COORDINATOR, "Delegate");
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT64, &target->screen);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &event);
  append_empty(&arguments);
  append_empty(&arguments);
  return message;
}

DBusMessage *call(DBusConnection *bus, DBusMessage *message) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 600000, &error);
  if (!reply) die("%s: %s: %s", dbus_message_get_member(message), error.name, error.message);
  dbus_message_unref(message);
  return reply;
}

void discard_signals(DBusConnection *bus) {
  DBusMessage *message;
  while ((message = dbus_connection_pop_message(bus))) dbus_message_unref(message);
}

void attach(DBusConnection *bus, const char *name, const char *tree) {
  char router[512];
  DBusMessageIter arguments;
  snprintf(router, sizeof router, "%s/router", tree);
  DBusMessage *message = dbus_message_new_method_call(name, router, ROUTER, "Attach");
  dbus_message_iter_init_append(message, &arguments);
  append_empty(&arguments);
  dbus_message_unref(call(bus, message));
}
