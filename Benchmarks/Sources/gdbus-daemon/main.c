/* The flow `turn` of bench-daemon, as one would write it in C on GDBus: objects with interfaces that the library dispatches to.

     gdbus-daemon ADDRESS NAME */
#include "daemon.h"

static const char interfaces[] =
  "<node>"
  "  <interface name='" INTERFACE ".Manager'>"
  "    <method name='StartFlow'>"
  "      <arg name='flow' type='s' direction='in'/>"
  "      <arg name='input' type='a{sv}' direction='in'/>"
  "      <arg name='options' type='a{sv}' direction='in'/>"
  "      <arg name='coordinator' type='o' direction='out'/>"
  "      <arg name='router' type='o' direction='out'/>"
  "    </method>"
  "  </interface>"
  "  <interface name='" INTERFACE ".Coordinator'>"
  "    <method name='Delegate'>"
  "      <arg name='screen' type='t' direction='in'/>"
  "      <arg name='event' type='s' direction='in'/>"
  "      <arg name='payload' type='a{sv}' direction='in'/>"
  "      <arg name='options' type='a{sv}' direction='in'/>"
  "      <arg name='revision' type='t' direction='out'/>"
  "    </method>"
  "  </interface>"
  "  <interface name='" INTERFACE ".Router'>"
  "    <method name='Attach'>"
  "      <arg name='capabilities' type='a{sv}' direction='in'/>"
  "      <arg name='revision' type='t' direction='out'/>"
  "      <arg name='screens' type='aa{sv}' direction='out'/>"
  "    </method>"
  "    <signal name='Answered'>"
  "      <arg name='revision' type='t'/><arg name='screen' type='t'/><arg name='event' type='s'/><arg name='kind' type='s'/>"
  "      <arg name='client' type='s'/>"
  "    </signal>"
  "    <signal name='Dismissed'>"
  "      <arg name='revision' type='t'/><arg name='screen' type='t'/><arg name='reason' type='s'/><arg name='animated' type='b'/>"
  "    </signal>"
  "    <signal name='Presented'>"
  "      <arg name='revision' type='t'/><arg name='screen' type='a{sv}'/><arg name='animated' type='b'/>"
  "    </signal>"
  "    <signal name='Settled'>"
  "      <arg name='revision' type='t'/><arg name='top' type='t'/>"
  "    </signal>"
  "  </interface>"
  "</node>";

static GDBusNodeInfo *node;
static guint flow_count;

GDBusInterfaceInfo *interface_info(const char *name) { return g_dbus_node_info_lookup_interface(node, name); }

void export(GDBusConnection *bus, const char *path, const char *interface, const GDBusInterfaceVTable *methods, gpointer object) {
  GError *error = NULL;
  if (!g_dbus_connection_register_object(bus, path, interface_info(interface), methods, object, NULL, &error))
    g_error("%s", error->message);
}

static void start_flow(
  GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *arguments,
  GDBusMethodInvocation *call, gpointer nothing) {
  (void)sender, (void)path, (void)interface, (void)method, (void)nothing;
  const char *flow;
  g_variant_get(arguments, "(&s@a{sv}@a{sv})", &flow, NULL, NULL);
  if (strcmp(flow, "turn") != 0) return g_dbus_method_invocation_return_dbus_error(call, ERROR ".UnknownFlow", "no such flow");
  g_autofree char *root = g_strdup_printf(ROOT "/flows/turn_%u", ++flow_count);
  Turn *turn = turn_new(bus, root);
  g_dbus_method_invocation_return_value(call, g_variant_new("(oo)", turn->path, turn->router->path));
}

static void name_lost(GDBusConnection *bus, const char *name, gpointer nothing) {
  (void)bus, (void)nothing;
  g_printerr("gdbus-daemon: %s is taken, or the bus has gone\n", name);
  exit(1);
}

int main(int argc, char **argv) {
  static const GDBusInterfaceVTable methods = {.method_call = start_flow};
  GError *error = NULL;
  if (argc != 3) {
    g_printerr("usage: gdbus-daemon ADDRESS NAME\n");
    return 1;
  }
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
    argv[1], G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  if (!bus || !(node = g_dbus_node_info_new_for_xml(interfaces, &error))) {
    g_printerr("gdbus-daemon: %s\n", error->message);
    return 1;
  }
  export(bus, ROOT, INTERFACE ".Manager", &methods, NULL);
  g_bus_own_name_on_connection(bus, argv[2], G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, NULL, name_lost, NULL, NULL);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
  return 0;
}
