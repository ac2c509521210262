/* What a daemon costs at least: a program on libdbus that keeps one screen for each tree, and does the bus work that coordinatord does
   for the flow `turn` of bench-daemon. It takes the same calls, checks what it must to find the tree and the screen, and sends the same
   signals and replies. It has no flows, no other kind of screen, no limits and no access control.

     bare-daemon ADDRESS NAME [--store FILE BYTES]

   An ADDRESS of "starter" is that of the bus that has started it.

   With --store it writes BYTES bytes and calls fdatasync before it sends anything, as a journal must that promises durability. */
#include <dbus/dbus.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/org/coordinatord/Coordinator1"
#define FLOWS ROOT "/flows/turn_"
#define MANAGER "org.coordinatord.Coordinator1.Manager"
#define COORDINATOR "org.coordinatord.Coordinator1.Coordinator"
#define ROUTER "org.coordinatord.Coordinator1.Router"

struct tree {
  uint64_t revision;
  uint64_t screen;
  unsigned renderers;
};

static struct tree *trees;
static size_t tree_count, tree_room;
static int store = -1;
static char *record;
static size_t record_size;
static off_t stored;

static void die(const char *what) {
  fprintf(stderr, "bare-daemon: %s\n", what);
  exit(1);
}

static void persist(void) {
  if (store < 0) return;
  if (pwrite(store, record, record_size, stored) != (ssize_t)record_size || fdatasync(store) != 0) die(strerror(errno));
  /* A write-ahead log starts again from its beginning from time to time. */
  stored = stored > (4 << 20) ? 0 : stored + (off_t)record_size;
}

/* MARK: Appending */

static void variant(DBusMessageIter *entry, const char *signature, int type, const void *value) {
  DBusMessageIter inner;
  dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, signature, &inner);
  dbus_message_iter_append_basic(&inner, type, value);
  dbus_message_iter_close_container(entry, &inner);
}

static void pair(DBusMessageIter *dictionary, const char *key, const char *signature, int type, const void *value) {
  DBusMessageIter entry;
  dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  variant(&entry, signature, type, value);
  dbus_message_iter_close_container(dictionary, &entry);
}

static void text(DBusMessageIter *dictionary, const char *key, const char *value) {
  pair(dictionary, key, "s", DBUS_TYPE_STRING, &value);
}

static void action(DBusMessageIter *array, const char *id, const char *title, const char *role) {
  DBusMessageIter dictionary;
  dbus_message_iter_open_container(array, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
  text(&dictionary, "id", id);
  text(&dictionary, "title", title);
  text(&dictionary, "role", role);
  dbus_message_iter_close_container(array, &dictionary);
}

static void append_screen(DBusMessageIter *arguments, const struct tree *tree, const char *path) {
  DBusMessageIter screen, entry, inner, array;
  const char *key = "actions";
  dbus_bool_t back = TRUE;
  uint32_t layer = 0;
  dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "{sv}", &screen);
  pair(&screen, "id", "t", DBUS_TYPE_UINT64, &tree->screen);
  text(&screen, "name", tree->screen % 2 == 1 ? "first-side" : "other-side");
  pair(&screen, "coordinator", "o", DBUS_TYPE_OBJECT_PATH, &path);
  text(&screen, "style", "push");
  pair(&screen, "layer", "u", DBUS_TYPE_UINT32, &layer);
  text(&screen, "kind", "message");
  text(&screen, "title", tree->screen % 2 == 1 ? "The first side" : "The other side");
  text(&screen, "body", "A leaf of paper has two sides. Turn it over to see what is on the other one.");
  dbus_message_iter_open_container(&screen, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "aa{sv}", &inner);
  dbus_message_iter_open_container(&inner, DBUS_TYPE_ARRAY, "a{sv}", &array);
  action(&array, "turn", "Turn over", "primary");
  action(&array, "leave", "Leave", "cancel");
  dbus_message_iter_close_container(&inner, &array);
  dbus_message_iter_close_container(&entry, &inner);
  dbus_message_iter_close_container(&screen, &entry);
  pair(&screen, "back", "b", DBUS_TYPE_BOOLEAN, &back);
  dbus_message_iter_close_container(arguments, &screen);
}

/* MARK: Sending */

static void give(DBusConnection *bus, DBusMessage *message) {
  if (!dbus_connection_send(bus, message, NULL)) die("out of memory");
  dbus_message_unref(message);
}

static void fail(DBusConnection *bus, DBusMessage *call, const char *name, const char *text) {
  if (!dbus_message_get_no_reply(call)) give(bus, dbus_message_new_error(call, name, text));
}

static void turn(DBusConnection *bus, DBusMessage *call, struct tree *tree) {
  const char *path = dbus_message_get_path(call), *replaced = "replaced";
  char router[128];
  dbus_bool_t animated = TRUE;
  DBusMessageIter arguments;
  uint64_t gone = tree->screen;
  DBusMessage *message;
  snprintf(router, sizeof router, "%s/router", path);
  tree->revision++;
  tree->screen++;
  persist();

  if (tree->renderers > 1) {
    const char *event = "turn", *kind = "", *client = dbus_message_get_sender(call);
    message = dbus_message_new_signal(router, ROUTER, "Answered");
    dbus_message_append_args(
      message, DBUS_TYPE_UINT64, &tree->revision, DBUS_TYPE_UINT64, &gone, DBUS_TYPE_STRING, &event, DBUS_TYPE_STRING, &kind,
      DBUS_TYPE_STRING, &client, DBUS_TYPE_INVALID);
    give(bus, message);
  }

  message = dbus_message_new_signal(router, ROUTER, "Dismissed");
  dbus_message_append_args(
    message, DBUS_TYPE_UINT64, &tree->revision, DBUS_TYPE_UINT64, &gone, DBUS_TYPE_STRING, &replaced, DBUS_TYPE_BOOLEAN, &animated,
    DBUS_TYPE_INVALID);
  give(bus, message);

  message = dbus_message_new_signal(router, ROUTER, "Presented");
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT64, &tree->revision);
  append_screen(&arguments, tree, path);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_BOOLEAN, &animated);
  give(bus, message);

  message = dbus_message_new_signal(router, ROUTER, "Settled");
  dbus_message_append_args(message, DBUS_TYPE_UINT64, &tree->revision, DBUS_TYPE_UINT64, &tree->screen, DBUS_TYPE_INVALID);
  give(bus, message);

  if (dbus_message_get_no_reply(call)) return;
  message = dbus_message_new_method_return(call);
  dbus_message_append_args(message, DBUS_TYPE_UINT64, &tree->revision, DBUS_TYPE_INVALID);
  give(bus, message);
}

/* MARK: Calls */

static struct tree *find(const char *path) {
  size_t length = sizeof FLOWS - 1;
  if (strncmp(path, FLOWS, length) != 0) return NULL;
  char *end;
  unsigned long number = strtoul(path + length, &end, 10);
  return (*end == 0 || strcmp(end, "/router") == 0) && number >= 1 && number <= tree_count ? &trees[number - 1] : NULL;
}

static void delegate(DBusConnection *bus, DBusMessage *call) {
  DBusMessageIter arguments, dictionary;
  uint64_t screen;
  const char *event;
  struct tree *tree = find(dbus_message_get_path(call));
  if (!tree) return fail(bus, call, DBUS_ERROR_UNKNOWN_OBJECT, "no such coordinator");
  if (!dbus_message_has_signature(call, "tsa{sv}a{sv}")) return fail(bus, call, DBUS_ERROR_INVALID_ARGS, "wrong arguments");
  dbus_message_iter_init(call, &arguments);
  dbus_message_iter_get_basic(&arguments, &screen);
  dbus_message_iter_next(&arguments);
  dbus_message_iter_get_basic(&arguments, &event);
  dbus_message_iter_next(&arguments);
  dbus_message_iter_recurse(&arguments, &dictionary);
  if (dbus_message_iter_get_arg_type(&dictionary) != DBUS_TYPE_INVALID)
    return fail(bus, call, "org.coordinatord.Coordinator1.Error.InvalidPayload", "unknown key");
  if (screen != tree->screen) return fail(bus, call, "org.coordinatord.Coordinator1.Error.StaleScreen", "gone");
  if (strcmp(event, "turn") != 0) return fail(bus, call, "org.coordinatord.Coordinator1.Error.UnknownEvent", "unknown event");
  turn(bus, call, tree);
}

static void start(DBusConnection *bus, DBusMessage *call) {
  char path[64], router[80], *shown = path, *shown_router = router;
  DBusMessage *message;
  if (tree_count == tree_room) {
    tree_room = tree_room ? tree_room * 2 : 64;
    if (!(trees = realloc(trees, tree_room * sizeof *trees))) die("out of memory");
  }
  trees[tree_count++] = (struct tree){.revision = 1, .screen = 1};
  snprintf(path, sizeof path, FLOWS "%zu", tree_count);
  snprintf(router, sizeof router, "%s/router", path);
  persist();
  message = dbus_message_new_method_return(call);
  dbus_message_append_args(message, DBUS_TYPE_OBJECT_PATH, &shown, DBUS_TYPE_OBJECT_PATH, &shown_router, DBUS_TYPE_INVALID);
  give(bus, message);
}

static void attach(DBusConnection *bus, DBusMessage *call) {
  DBusMessageIter arguments, array;
  struct tree *tree = find(dbus_message_get_path(call));
  char path[128];
  if (!tree) return fail(bus, call, DBUS_ERROR_UNKNOWN_OBJECT, "no such router");
  /* Renderers are never removed: the benchmark starts a new tree for each number of renderers. */
  tree->renderers++;
  snprintf(path, sizeof path, "%s", dbus_message_get_path(call));
  *strrchr(path, '/') = 0;
  DBusMessage *message = dbus_message_new_method_return(call);
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT64, &tree->revision);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "a{sv}", &array);
  append_screen(&array, tree, path);
  dbus_message_iter_close_container(&arguments, &array);
  give(bus, message);
}

static DBusHandlerResult take(DBusConnection *bus, DBusMessage *call, void *nothing) {
  (void)nothing;
  if (dbus_message_is_method_call(call, COORDINATOR, "Delegate")) {
    delegate(bus, call);
  } else if (dbus_message_is_method_call(call, MANAGER, "StartFlow")) {
    start(bus, call);
  } else if (dbus_message_is_method_call(call, ROUTER, "Attach")) {
    attach(bus, call);
  } else {
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  }
  return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int argc, char **argv) {
  if (argc != 3 && !(argc == 6 && strcmp(argv[3], "--store") == 0)) die("usage: bare-daemon ADDRESS NAME [--store FILE BYTES]");
  if (argc == 6) {
    record_size = strtoul(argv[5], NULL, 10);
    record = calloc(1, record_size);
    store = open(argv[4], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store < 0 || !record || ftruncate(store, 8 << 20) != 0 || fsync(store) != 0) die(strerror(errno));
  }
  DBusError error = DBUS_ERROR_INIT;
  const char *address = strcmp(argv[1], "starter") == 0 ? getenv("DBUS_STARTER_ADDRESS") : argv[1];
  if (!address) die("no bus has started this program");
  DBusConnection *bus = dbus_connection_open_private(address, &error);
  if (!bus || !dbus_bus_register(bus, &error)) die(error.message);
  dbus_connection_set_exit_on_disconnect(bus, FALSE);
  DBusObjectPathVTable table = {.message_function = take};
  if (!dbus_connection_register_fallback(bus, ROOT, &table, NULL)) die("out of memory");
  if (dbus_bus_request_name(bus, argv[2], DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
    die(error.message ? error.message : "the name is taken");
  while (dbus_connection_read_write_dispatch(bus, -1)) continue;
  return 0;
}
