#include "daemon.h"

static void show(Router *router, GVariantBuilder *screen) {
  g_variant_builder_add(screen, "{sv}", "id", g_variant_new_uint64(++router->top));
  g_clear_pointer(&router->screen, g_variant_unref);
  router->screen = g_variant_ref_sink(g_variant_builder_end(screen));
}

static void emit(Router *router, const char *signal, GVariant *arguments) {
  g_dbus_connection_emit_signal(router->bus, NULL, router->path, INTERFACE ".Router", signal, arguments, NULL);
}

guint64 router_replace(Router *router, GVariantBuilder *screen, const char *event, const char *client) {
  guint64 gone = router->top;
  router->revision++;
  show(router, screen);
  if (g_hash_table_size(router->renderers) > 1)
    emit(router, "Answered", g_variant_new("(ttsss)", router->revision, gone, event, "", client));
  emit(router, "Dismissed", g_variant_new("(ttsb)", router->revision, gone, "replaced", TRUE));
  emit(router, "Presented", g_variant_new("(t@a{sv}b)", router->revision, router->screen, TRUE));
  emit(router, "Settled", g_variant_new("(tt)", router->revision, router->top));
  return router->revision;
}

static void attach(
  GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method, GVariant *arguments,
  GDBusMethodInvocation *call, gpointer object) {
  (void)bus, (void)path, (void)interface, (void)method, (void)arguments;
  Router *router = object;
  GVariantBuilder screens;
  g_hash_table_add(router->renderers, g_strdup(sender));
  g_variant_builder_init(&screens, G_VARIANT_TYPE("aa{sv}"));
  g_variant_builder_add_value(&screens, router->screen);
  g_dbus_method_invocation_return_value(call, g_variant_new("(taa{sv})", router->revision, &screens));
}

Router *router_new(GDBusConnection *bus, const char *path, GVariantBuilder *screen) {
  static const GDBusInterfaceVTable methods = {.method_call = attach};
  Router *router = g_new0(Router, 1);
  router->bus = bus;
  router->path = g_strconcat(path, "/router", NULL);
  router->revision = 1;
  router->renderers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  show(router, screen);
  export(bus, router->path, INTERFACE ".Router", &methods, router);
  return router;
}
