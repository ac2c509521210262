/* A client on bare libdbus that loads a daemon, and measures how long it takes. See main.c. */
#pragma once
#include <dbus/dbus.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ROOT "/org/coordinatord/Coordinator1"
#define MANAGER "org.coordinatord.Coordinator1.Manager"
#define COORDINATOR "org.coordinatord.Coordinator1.Coordinator"
#define ROUTER "org.coordinatord.Coordinator1.Router"

/* The coordinator whose screen is on top in a flow tree, and that screen. */
struct target {
  char *path;
  uint64_t screen;
};

struct load {
  const char *address, *name;
  DBusConnection *bus;
  struct target *targets;
  size_t count, room;
  bool watches_name;
  pid_t daemon; /* the one that boot has started; 0 if there is none */
};

_Noreturn void die(const char *format, ...);
uint64_t now(void); /* in nanoseconds */
void *grow(void *array, size_t count, size_t *room, size_t size);

DBusConnection *open_bus(const char *address);
/* Listens to the signals of a daemon's flows; returns when the bus knows. */
void listen_to_flows(DBusConnection *bus, const char *name);
/* Attaches a connection to a flow tree as a renderer. */
void attach(DBusConnection *bus, const char *name, const char *tree);
/* Whether a message is the signal that ends a transition, and of which revision. */
bool is_settled(DBusMessage *message, uint64_t *revision);

DBusMessage *new_call(const struct load *load, const char *path, const char *interface, const char *member);
void append_empty(DBusMessageIter *arguments);
DBusMessage *new_delegate(const struct load *load, const struct target *target);
/* Reads what a renderer that waits for no signal in particular has to read, too. */
void discard_signals(DBusConnection *bus);
/* Sends a call and waits for its reply; there is no way on from an error. */
DBusMessage *call(DBusConnection *bus, DBusMessage *message);

/* What the commands do. */
void start(struct load *load, size_t count, size_t in_flight);
void start_one(struct load *load);
void nest(struct load *load, size_t count, bool deep);
void trips(struct load *load, size_t count);
void flight(struct load *load, size_t in_flight, size_t count);
void fan(struct load *load, size_t renderers, size_t count);
void dismiss(struct load *load);
void weigh(struct load *load);
void boot(struct load *load, char *line);
void halt(struct load *load, int number, bool keeps);
void processor(struct load *load);
/* Waits until so many trees are there, as after a restart. */
void await_trees(struct load *load, size_t count);
void activate(struct load *load);
void evict(struct load *load);
/* Waits until the flow can be started, and starts it. */
void await_flow(struct load *load);
/* Calls a method that does nothing. */
void pings(struct load *load, const char *name, size_t count);
void attach_last(struct load *load, size_t count);

/* Prints how long things took: the median, the 99th percentile and the sum, in nanoseconds. */
void print_times(uint64_t *times, size_t count, uint64_t total);
