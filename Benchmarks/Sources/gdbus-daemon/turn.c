#include "daemon.h"

static void add_action(GVariantBuilder *actions, const char *id, const char *title, const char *role) {
  g_variant_builder_open(actions, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(actions, "{sv}", "id", g_variant_new_string(id));
  g_variant_builder_add(actions, "{sv}", "title", g_variant_new_string(title));
  g_variant_builder_add(actions, "{sv}", "role", g_variant_new_string(role));
  g_variant_builder_close(actions);
}

static void draw(const Turn *turn, GVariantBuilder *screen) {
  GVariantBuilder actions;
  g_variant_builder_init(&actions, G_VARIANT_TYPE("aa{sv}"));
  add_action(&actions, "turn", "Turn over", "primary");
  add_action(&actions, "leave", "Leave", "cancel");
  g_variant_builder_init(screen, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(screen, "{sv}", "name", g_variant_new_string(turn->is_first ? "first-side" : "other-side"));
  g_variant_builder_add(screen, "{sv}", "coordinator", g_variant_new_object_path(turn->path));
  g_variant_builder_add(screen, "{sv}", "style", g_variant_new_string("push"));
  g_variant_builder_add(screen, "{sv}", "layer", g_variant_new_uint32(0));
  g_variant_builder_add(screen, "{sv}", "kind", g_variant_new_string("message"));
  g_variant_builder_add(screen, "{sv}", "title", g_variant_new_string(turn->is_first ? "The first side" : "The other side"));
  g_variant_builder_add(
    screen, "{sv}", "body", g_variant_new_string("A leaf of paper has two sides. Turn it over to see what is on the other one."));
  g_variant_builder_add(screen, "{sv}", "actions", g_variant_builder_end(&actions));
  g_variant_builder_add(screen, "{sv}", "back", g_variant_new_boolean(TRUE));
}

static void delegate(
  GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *arguments,
  GDBusMethodInvocation *call, gpointer object) {
  (void)bus, (void)path, (void)interface, (void)method;
  Turn *turn = object;
  guint64 screen;
  const char *event;
  g_autoptr(GVariant) payload = NULL;
  GVariantBuilder drawn;
  g_variant_get(arguments, "(t&s@a{sv}@a{sv})", &screen, &event, &payload, NULL);
  if (screen != turn->router->top) return g_dbus_method_invocation_return_dbus_error(call, ERROR ".StaleScreen", "gone");
  if (strcmp(event, "turn") != 0) return g_dbus_method_invocation_return_dbus_error(call, ERROR ".UnknownEvent", "unknown event");
  if (g_variant_n_children(payload) > 0)
    return g_dbus_method_invocation_return_dbus_error(call, ERROR ".InvalidPayload", "unknown key");
  turn->is_first = !turn->is_first;
  draw(turn, &drawn);
  g_dbus_method_invocation_return_value(call, g_variant_new("(t)", router_replace(turn->router, &drawn, event, sender)));
}

Turn *turn_new(GDBusConnection *bus, const char *path) {
  static const GDBusInterfaceVTable methods = {.method_call = delegate};
  Turn *turn = g_new0(Turn, 1);
  GVariantBuilder drawn;
  turn->path = g_strdup(path);
  turn->is_first = TRUE;
  draw(turn, &drawn);
  turn->router = router_new(bus, path, &drawn);
  export(bus, path, INTERFACE ".Coordinator", &methods, turn);
  return turn;
}
