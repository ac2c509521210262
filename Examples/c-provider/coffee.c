// Serves the flow `coffee` with sd-bus, and with no library of coordinatord.
//
//   cc -o coffee coffee.c $(pkg-config --cflags --libs libsystemd) && ./coffee

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define DAEMON "org.coordinatord.Coordinator1"
#define NAME "com.example.Coffee"
#define OBJECT "/org/coordinatord/FlowProvider1"

// The unique name of the daemon; "" if it is not running.
static char daemon_owner[64];

// An action of a screen.
#define ACTION(id, title, role) 3, "id", "s", id, "title", "s", title, "role", "s", role

// The decision about an event: a new state, operations, and the screens that have changed.
static int decide(sd_bus_message *call, void *data, sd_bus_error *error) {
  const char *flow, *instance, *state, *kind = "", *key = "", *name = "";
  char body[64];
  uint64_t turn;
  int r;

  if (strcmp(sd_bus_message_get_sender(call), daemon_owner) != 0)
    return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "only " DAEMON " may ask");
  if ((r = sd_bus_message_read(call, "ssts", &flow, &instance, &turn, &state)) < 0) return r;
  if ((r = sd_bus_message_enter_container(call, 'a', "{sv}")) < 0) return r;
  while ((r = sd_bus_message_enter_container(call, 'e', "sv")) > 0) {
    const char *entry, **value;
    if ((r = sd_bus_message_read(call, "s", &entry)) < 0) return r;
    value = !strcmp(entry, "kind") ? &kind : !strcmp(entry, "key") ? &key : !strcmp(entry, "name") ? &name : NULL;
    if ((r = value ? sd_bus_message_read(call, "v", "s", value) : sd_bus_message_skip(call, "v")) < 0) return r;
    if ((r = sd_bus_message_exit_container(call)) < 0) return r;
  }
  if (r < 0) return r;

  if (!strcmp(kind, "start"))
    return sd_bus_reply_method_return(call, "a{sv}", 3,
      "state", "s", "",
      "do", "aa{sv}", 1,
        2, "op", "s", "present", "key", "s", "size",
      "screens", "a{sv}", 1,
        "size", "a{sv}", 4, "name", "s", "size", "kind", "s", "menu", "title", "s", "How large?",
          "actions", "aa{sv}", 2, ACTION("small", "Small", "normal"), ACTION("large", "Large", "normal"));
  if (!strcmp(kind, "event") && !strcmp(key, "size")) {
    snprintf(body, sizeof body, "A %s one.", name);
    return sd_bus_reply_method_return(call, "a{sv}", 3,
      "state", "s", name,
      "do", "aa{sv}", 1,
        2, "op", "s", "present", "key", "s", "done",
      "screens", "a{sv}", 1,
        "done", "a{sv}", 5, "name", "s", "done", "kind", "s", "message", "title", "s", "Here it is", "body", "s", body,
          "actions", "aa{sv}", 1, ACTION("okay", "Okay", "primary"));
  }
  if (!strcmp(kind, "event") && !strcmp(key, "done"))
    return sd_bus_reply_method_return(call, "a{sv}", 2,
      "state", "s", state,
      "do", "aa{sv}", 1,
        2, "op", "s", "finish", "result", "a{sv}", 1, "size", "s", state);
  if (!strcmp(kind, "from-child") || !strcmp(kind, "script"))
    return sd_bus_error_set(error, DAEMON ".Error.UnknownEvent", "not taken");
  // Back, and all other kinds of events, change nothing.
  return sd_bus_reply_method_return(call, "a{sv}", 1, "state", "s", state);
}

static const sd_bus_vtable provider[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Decide", "sstsa{sv}a{sv}", "a{sv}", decide, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END
};

// Registers the flows that this process serves with the daemon.
static void register_flows(sd_bus *bus) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  int r = sd_bus_call_method(bus, DAEMON, "/org/coordinatord/Coordinator1", DAEMON ".Manager", "RegisterFlows", &error,
    NULL, "oaa{sv}a{sv}", OBJECT,
    1, 3, "name", "s", "coffee", "title", "s", "Coffee", "summary", "s", "Makes a cup of coffee.",
    1, "name", "s", NAME);
  if (r < 0) fprintf(stderr, "coffee: not registered: %s\n", error.message);
  sd_bus_error_free(&error);
}

// Called when the daemon has started, has ended, or has been replaced.
static int owner_changed(sd_bus_message *signal, void *bus, sd_bus_error *error) {
  const char *name, *old, *new;
  int r = sd_bus_message_read(signal, "sss", &name, &old, &new);
  if (r < 0) return r;
  snprintf(daemon_owner, sizeof daemon_owner, "%s", new);
  if (*new) register_flows(bus);
  return 0;
}

static void check(int r, const char *what) {
  if (r >= 0) return;
  fprintf(stderr, "coffee: %s: %s\n", what, strerror(-r));
  exit(1);
}

int main(void) {
  sd_bus *bus;
  sd_bus_creds *creds = NULL;
  const char *owner;

  check(sd_bus_open_user(&bus), "cannot connect to the bus");
  check(sd_bus_add_object_vtable(bus, NULL, OBJECT, "org.coordinatord.FlowProvider1", provider, NULL), OBJECT);
  check(sd_bus_add_match(bus, NULL, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
    "arg0='" DAEMON "'", owner_changed, bus), "cannot watch " DAEMON);
  check(sd_bus_request_name(bus, NAME, 0), "cannot take the name " NAME);
  if (sd_bus_get_name_creds(bus, DAEMON, SD_BUS_CREDS_UNIQUE_NAME, &creds) >= 0 &&
      sd_bus_creds_get_unique_name(creds, &owner) >= 0) {
    snprintf(daemon_owner, sizeof daemon_owner, "%s", owner);
    register_flows(bus);
  }
  sd_bus_creds_unref(creds);
  for (;;) {
    int r = sd_bus_process(bus, NULL);
    check(r, "the connection was lost");
    if (r == 0) check(sd_bus_wait(bus, UINT64_MAX), "the connection was lost");
  }
}
