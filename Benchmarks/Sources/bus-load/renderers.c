/* Simulates renderers. */
#include "load.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void attach_last(struct load *load, size_t count) {
  if (count > load->count) die("there are %zu flow trees only", load->count);
  listen_to_flows(load->bus, load->name);
  for (size_t index = load->count - count; index < load->count; index++) attach(load->bus, load->name, load->targets[index].path);
  puts("{}");
}

struct renderer {
  DBusConnection *bus;
  uint64_t shown;
};

static void drain(struct renderer *renderer) {
  DBusMessage *message;
  if (!dbus_connection_read_write(renderer->bus, 0)) die("the bus has gone");
  while ((message = dbus_connection_pop_message(renderer->bus))) {
    uint64_t revision;
    if (is_settled(message, &revision)) renderer->shown = revision;
    dbus_message_unref(message);
  }
}

/* Measures the time from a call until the last of many renderers has received its transition. */
void fan(struct load *load, size_t count, size_t turns) {
  struct renderer *renderers = calloc(count, sizeof *renderers);
  struct pollfd *files = calloc(count, sizeof *files);
  uint64_t *times = calloc(turns, sizeof *times);
  if (count == 0) die("fan to whom?");
  start_one(load);
  struct target *target = &load->targets[load->count - 1];
  for (size_t index = 0; index < count; index++) {
    renderers[index].bus = open_bus(load->address);
    listen_to_flows(renderers[index].bus, load->name);
    attach(renderers[index].bus, load->name, target->path);
    if (!dbus_connection_get_unix_fd(renderers[index].bus, &files[index].fd)) die("a bus without a socket");
    files[index].events = POLLIN;
  }
  uint64_t begin = now();
  for (size_t turn = 0; turn < turns; turn++) {
    uint64_t before = now(), revision;
    DBusMessage *reply = call(renderers[0].bus, new_delegate(load, target));
    dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    target->screen++;
    for (size_t index = 0; index < count; index++) {
      drain(&renderers[index]);
      while (renderers[index].shown < revision) {
        poll(&files[index], 1, -1);
        drain(&renderers[index]);
      }
    }
    times[turn] = now() - before;
  }
  print_times(times, turns, now() - begin);
  for (size_t index = 0; index < count; index++) {
    dbus_connection_close(renderers[index].bus);
    dbus_connection_unref(renderers[index].bus);
  }
  free(renderers);
  free(files);
  free(times);
}

static size_t size_of(DBusMessage *message) {
  char *bytes;
  int size = 0;
  if (!dbus_message_marshal(message, &bytes, &size)) die("out of memory");
  dbus_free(bytes);
  return (size_t)size;
}

/* Daemons are only comparable if these numbers are equal. */
void weigh(struct load *load) {
  size_t messages = 1, bytes;
  uint64_t revision;
  if (load->count == 0) die("start a flow first");
  struct target *target = &load->targets[load->count - 1];
  discard_signals(load->bus);
  DBusMessage *message = call(load->bus, new_delegate(load, target));
  target->screen++;
  bytes = size_of(message);
  dbus_message_get_args(message, NULL, DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID);
  dbus_message_unref(message);
  /* The signals have arrived before the reply. */
  while ((message = dbus_connection_pop_message(load->bus))) {
    if (dbus_message_has_interface(message, ROUTER)) {
      messages++;
      bytes += size_of(message);
    }
    dbus_message_unref(message);
  }
  printf("{\"messages\":%zu,\"bytes\":%zu}\n", messages, bytes);
}
