/* The flow `turn` of bench-daemon, as one would write it in C on GDBus. See main.c. */
#pragma once
#include <gio/gio.h>

#define ROOT "/org/coordinatord/Coordinator1"
#define INTERFACE "org.coordinatord.Coordinator1"
#define ERROR INTERFACE ".Error"

/* What a flow tree shows, as the object PATH/router. */
typedef struct {
  GDBusConnection *bus;
  char *path;
  guint64 revision, top;
  GVariant *screen;
  GHashTable *renderers; /* their unique names */
} Router;

/* A leaf of paper: each event takes a screen down and puts another up. */
typedef struct {
  char *path;
  gboolean is_first;
  Router *router;
} Turn;

/* The description of one of the interfaces that this program has. */
GDBusInterfaceInfo *interface_info(const char *name);
void export(GDBusConnection *bus, const char *path, const char *interface, const GDBusInterfaceVTable *methods, gpointer object);

/* SCREEN is an a{sv} without an id, and is taken. */
Router *router_new(GDBusConnection *bus, const char *path, GVariantBuilder *screen);
guint64 router_replace(Router *router, GVariantBuilder *screen, const char *event, const char *client);

Turn *turn_new(GDBusConnection *bus, const char *path);
