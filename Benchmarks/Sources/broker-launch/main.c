/* Starts a dbus-broker that allows everything to this user, where dbus-broker-launch cannot: that needs systemd's journal to be
   there at all, and systemd to start services. This speaks the broker's controller interface instead, and starts services itself.

     broker-launch BROKER [SERVICE-FILE...]

   It prints the bus's address when clients can connect, and ends, with the bus, when its input ends. */
#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PATH "/org/bus1/DBus/"
#define INTERFACE "org.bus1.DBus."
#define CONTROLLER 3

struct service {
  GDBusConnection *broker;
  char *path;
  char **command;
};

/* A process that the call of a client has started. */
struct activation {
  struct service *service;
  guint64 serial;
};

static char *address;

static _Noreturn void die(const char *what, GError *error) {
  g_printerr("broker-launch: %s: %s\n", what, error ? error->message : g_strerror(errno));
  exit(1);
}

static void end_with_parent(gpointer nothing) {
  (void)nothing;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* MARK: The broker */

/* Opens a socket with an address that the kernel chooses. */
static int listen_anywhere(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  socklen_t size = sizeof name;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name.sun_family) < 0 || listen(listener, SOMAXCONN) < 0
      || getsockname(listener, (struct sockaddr *)&name, &size) < 0)
    die("socket", NULL);
  address = g_strdup_printf("unix:abstract=%.*s", (int)(size - offsetof(struct sockaddr_un, sun_path) - 1), name.sun_path + 1);
  return listener;
}

static GDBusConnection *start_broker(char *program) {
  int ends[2], target = CONTROLLER;
  GError *error = NULL;
  g_autofree char *identifier = g_dbus_generate_guid(), *controller = g_strdup_printf("%d", CONTROLLER);
  /* Limits that no client reaches, because all clients run as one user. */
  const char *const command[] = {
    program, "--controller", controller, "--machine-id", identifier, "--max-bytes", "1073741824", "--max-fds", "65536",
    "--max-matches", "1048576", "--max-objects", "1048576", NULL};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) die("socketpair", NULL);
  if (!g_spawn_async_with_pipes_and_fds(
        NULL, command, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_DO_NOT_REAP_CHILD, end_with_parent, NULL, -1, -1,
        -1, &ends[1], &target, 1, NULL, NULL, NULL, NULL, &error))
    die(program, error);
  close(ends[1]);
  GSocket *socket = g_socket_new_from_fd(ends[0], &error);
  if (!socket) die("socket", error);
  GDBusConnection *broker = g_dbus_connection_new_sync(
    G_IO_STREAM(g_socket_connection_factory_create_connection(socket)), NULL, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL, NULL,
    &error);
  if (!broker) die(program, error);
  return broker;
}

static void serve(GDBusConnection *broker, int listener) {
  /* connect; own, send and receive by any name. */
  static const char policy[] =
    "([(%u, (true, 1, [(true, 1, true, '')], [(true, 1, '', '', '', '', 0, 0, 0, %s)], [(true, 1, '', '', '', '', 0, 0, 0, %s)]))],"
    " [], [], false, 'session')";
  const char *most = "18446744073709551615";
  GError *error = NULL;
  g_autofree char *text = g_strdup_printf(policy, (guint)-1, most, most);
  GVariant *parsed = g_variant_parse(
    G_VARIANT_TYPE("(a(u(bta(btbs)a(btssssuutt)a(btssssuutt)))a(buu(bta(btbs)a(btssssuutt)a(btssssuutt)))a(ss)bs)"), text, NULL, NULL,
    &error);
  if (!parsed) die("policy", error);
  g_autoptr(GUnixFDList) sockets = g_unix_fd_list_new_from_array(&listener, 1);
  if (!g_dbus_connection_call_with_unix_fd_list_sync(
        broker, NULL, PATH "Broker", INTERFACE "Broker", "AddListener", g_variant_new("(ohv)", PATH "Listener/0", 0, parsed), NULL,
        G_DBUS_CALL_FLAGS_NONE, -1, sockets, NULL, NULL, &error))
    die("AddListener", error);
}

/* MARK: Services */

static void ended(GPid process, int status, gpointer data) {
  (void)process, (void)status;
  struct activation *activation = data;
  /* Does nothing if the service already owned its name. */
  g_dbus_connection_call(
    activation->service->broker, NULL, activation->service->path, INTERFACE "Name", "Reset",
    g_variant_new("(ts)", activation->serial, INTERFACE "Name.Error.UnitFailure"), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
  g_free(activation);
}

static void activate(
  GDBusConnection *broker, const char *sender, const char *path, const char *interface, const char *signal, GVariant *arguments,
  gpointer data) {
  (void)broker, (void)sender, (void)path, (void)interface, (void)signal;
  struct service *service = data;
  struct activation *activation = g_new(struct activation, 1);
  GPid process;
  GError *error = NULL;
  activation->service = service;
  g_variant_get(arguments, "(t)", &activation->serial);
  if (!g_spawn_async(
        NULL, service->command, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, end_with_parent, NULL, &process, &error))
    die(service->command[0], error);
  g_child_watch_add(process, ended, activation);
}

static void add_service(GDBusConnection *broker, const char *file, int number) {
  GError *error = NULL;
  g_autoptr(GKeyFile) keys = g_key_file_new();
  if (!g_key_file_load_from_file(keys, file, G_KEY_FILE_NONE, &error)) die(file, error);
  g_autofree char *name = g_key_file_get_string(keys, "D-BUS Service", "Name", &error);
  g_autofree char *command = name ? g_key_file_get_string(keys, "D-BUS Service", "Exec", &error) : NULL;
  struct service *service = g_new0(struct service, 1);
  if (!command || !g_shell_parse_argv(command, NULL, &service->command, &error)) die(file, error);
  service->broker = broker;
  service->path = g_strdup_printf(PATH "Name/%d", number);
  g_dbus_connection_signal_subscribe(
    broker, NULL, INTERFACE "Name", "Activate", service->path, NULL, G_DBUS_SIGNAL_FLAGS_NONE, activate, service, NULL);
  if (!g_dbus_connection_call_sync(
        broker, NULL, PATH "Broker", INTERFACE "Broker", "AddName", g_variant_new("(osu)", service->path, name, (guint32)getuid()), NULL,
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error))
    die("AddName", error);
}

static gboolean read_input(int file, GIOCondition condition, gpointer loop) {
  char bytes[64];
  (void)condition;
  if (read(file, bytes, sizeof bytes) > 0) return G_SOURCE_CONTINUE;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static void closed(GDBusConnection *broker, gboolean by_peer, GError *error, gpointer nothing) {
  (void)broker, (void)by_peer, (void)nothing;
  die("the broker has ended", error);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    g_printerr("usage: broker-launch BROKER [SERVICE-FILE...]\n");
    return 1;
  }
  int listener = listen_anywhere();
  g_setenv("DBUS_STARTER_ADDRESS", address, TRUE);
  g_setenv("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
  GDBusConnection *broker = start_broker(argv[1]);
  for (int index = 2; index < argc; index++) add_service(broker, argv[index], index);
  serve(broker, listener);
  g_signal_connect(broker, "closed", G_CALLBACK(closed), NULL);
  g_print("%s\n", address);
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, read_input, loop);
  g_main_loop_run(loop);
  return 0;
}
