/* Calls one after the other, and many at once. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *a, const void *b) {
  uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
  return first < second ? -1 : first > second;
}

void print_times(uint64_t *times, size_t count, uint64_t total) {
  qsort(times, count, sizeof *times, compare);
  printf(
    "{\"count\":%zu,\"median\":%llu,\"p99\":%llu,\"total\":%llu}\n", count, (unsigned long long)times[count / 2],
    (unsigned long long)times[count * 99 / 100], (unsigned long long)total);
}

/* MARK: Many at once */

/* Keeps a number of calls in flight until all are answered. */
struct crowd {
  struct load *load;
  DBusMessage *(*next)(struct crowd *crowd, size_t slot);
  void (*answered)(struct crowd *crowd, size_t slot, DBusMessage *reply);
  size_t sent, done, count;
};

struct seat {
  struct crowd *crowd;
  size_t slot;
};

static void send_next(struct seat *seat);

static void hear(DBusPendingCall *pending, void *data) {
  struct seat *seat = data;
  struct crowd *crowd = seat->crowd;
  DBusMessage *reply = dbus_pending_call_steal_reply(pending);
  if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) {
    const char *text = "";
    dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    die("%s: %s", dbus_message_get_error_name(reply), text);
  }
  crowd->answered(crowd, seat->slot, reply);
  dbus_message_unref(reply);
  dbus_pending_call_unref(pending);
  crowd->done++;
  send_next(seat);
}

static void send_next(struct seat *seat) {
  struct crowd *crowd = seat->crowd;
  DBusPendingCall *pending;
  if (crowd->sent == crowd->count) return;
  crowd->sent++;
  DBusMessage *message = crowd->next(crowd, seat->slot);
  if (!dbus_connection_send_with_reply(crowd->load->bus, message, &pending, 600000) || !pending
      || !dbus_pending_call_set_notify(pending, hear, seat, NULL))
    die("the bus has gone, or no memory is left");
  dbus_message_unref(message);
}

static uint64_t run(struct crowd *crowd, size_t in_flight) {
  struct seat *seats = calloc(in_flight, sizeof *seats);
  uint64_t begin = now();
  for (size_t slot = 0; slot < in_flight; slot++) {
    seats[slot] = (struct seat){.crowd = crowd, .slot = slot};
    send_next(&seats[slot]);
  }
  while (crowd->done < crowd->count) {
    if (!dbus_connection_read_write_dispatch(crowd->load->bus, -1)) die("the bus has gone");
  }
  free(seats);
  return now() - begin;
}

static DBusMessage *next_start(struct crowd *crowd, size_t slot) {
  (void)slot;
  const char *flow = "turn";
  DBusMessageIter arguments;
  DBusMessage *message = new_call(crowd->load, ROOT, MANAGER, "StartFlow");
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &flow);
  append_empty(&arguments);
  append_empty(&arguments);
  return message;
}

static void add_target(struct load *load, DBusMessage *reply, uint64_t screen) {
  const char *path;
  if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID)) die("an answer without a path");
  load->targets = grow(load->targets, load->count, &load->room, sizeof *load->targets);
  load->targets[load->count++] = (struct target){.path = strdup(path), .screen = screen};
}

static void started(struct crowd *crowd, size_t slot, DBusMessage *reply) {
  (void)slot;
  add_target(crowd->load, reply, 1);
}

void start(struct load *load, size_t count, size_t in_flight) {
  struct crowd crowd = {.load = load, .next = next_start, .answered = started, .count = count};
  uint64_t total = run(&crowd, in_flight);
  printf("{\"count\":%zu,\"total\":%llu}\n", count, (unsigned long long)total);
}

void start_one(struct load *load) {
  DBusMessage *reply = call(load->bus, next_start(&(struct crowd){.load = load}, 0));
  add_target(load, reply, 1);
  dbus_message_unref(reply);
}

static DBusMessage *next_delegate(struct crowd *crowd, size_t slot) { return new_delegate(crowd->load, &crowd->load->targets[slot]); }

static void delegated(struct crowd *crowd, size_t slot, DBusMessage *reply) {
  (void)reply;
  crowd->load->targets[slot].screen++;
}

void flight(struct load *load, size_t in_flight, size_t count) {
  if (in_flight > load->count) die("there are %zu flow trees only", load->count);
  struct crowd crowd = {.load = load, .next = next_delegate, .answered = delegated, .count = count};
  uint64_t total = run(&crowd, in_flight);
  printf("{\"count\":%zu,\"total\":%llu}\n", count, (unsigned long long)total);
}

/* MARK: One after the other */

/* Returns the flow tree that was started last. */
static struct target *last(struct load *load) {
  if (load->count == 0) die("start a flow first");
  return &load->targets[load->count - 1];
}

void trips(struct load *load, size_t count) {
  struct target *target = last(load);
  uint64_t *times = calloc(count, sizeof *times), begin = now();
  for (size_t index = 0; index < count; index++) {
    uint64_t before = now();
    dbus_message_unref(call(load->bus, new_delegate(load, target)));
    times[index] = now() - before;
    target->screen++;
    discard_signals(load->bus);
  }
  print_times(times, count, now() - begin);
  free(times);
}

void pings(struct load *load, const char *name, size_t count) {
  uint64_t *times = calloc(count, sizeof *times), begin = now();
  for (size_t index = 0; index < count; index++) {
    DBusMessage *ping = dbus_message_new_method_call(name, "/", DBUS_INTERFACE_PEER, "Ping");
    uint64_t before = now();
    dbus_message_unref(call(load->bus, ping));
    times[index] = now() - before;
    discard_signals(load->bus);
  }
  print_times(times, count, now() - begin);
  free(times);
}

void await_flow(struct load *load) {
  uint64_t begin = now();
  for (;;) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *message = next_start(&(struct crowd){.load = load}, 0);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(load->bus, message, 600000, &error);
    dbus_message_unref(message);
    if (reply) {
      add_target(load, reply, 1);
      dbus_message_unref(reply);
      break;
    }
    if (now() - begin > 60000000000ull) die("no flow after a minute: %s: %s", error.name, error.message);
    dbus_error_free(&error);
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  printf("{\"total\":%llu}\n", (unsigned long long)(now() - begin));
}

void nest(struct load *load, size_t count, bool deep) {
  const char *flow = "turn";
  struct target parent = *last(load);
  uint64_t *times = calloc(count, sizeof *times), begin = now(), screen = parent.screen;
  DBusMessageIter arguments;
  for (size_t index = 0; index < count; index++) {
    uint64_t before = now();
    DBusMessage *message = new_call(load, deep ? last(load)->path : parent.path, COORDINATOR, "StartChild");
    dbus_message_iter_init_append(message, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &flow);
    append_empty(&arguments);
    append_empty(&arguments);
    DBusMessage *reply = call(load->bus, message);
    times[index] = now() - before;
    add_target(load, reply, ++screen);
    dbus_message_unref(reply);
    discard_signals(load->bus);
  }
  print_times(times, count, now() - begin);
  free(times);
}

void dismiss(struct load *load) {
  dbus_bool_t animated = FALSE;
  DBusMessageIter arguments;
  /* The root of the last tree: the paths of all nested coordinators begin with its path. */
  char *path = strdup(last(load)->path);
  char *end = strchr(path + strlen(ROOT "/flows/"), '/');
  if (end) *end = 0;
  DBusMessage *message = new_call(load, path, COORDINATOR, "Dismiss");
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_BOOLEAN, &animated);
  append_empty(&arguments);
  uint64_t begin = now();
  dbus_message_unref(call(load->bus, message));
  uint64_t total = now() - begin;
  while (load->count > 0 && strncmp(last(load)->path, path, strlen(path)) == 0) free(load->targets[--load->count].path);
  free(path);
  printf("{\"count\":1,\"total\":%llu}\n", (unsigned long long)total);
}
