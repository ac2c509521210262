/* Starts and ends daemons. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 120000000000ull

/* Subscribes to changes of the name's owner. */
static void watch_name(struct load *load) {
  char rule[256];
  DBusError error = DBUS_ERROR_INIT;
  if (load->watches_name) return;
  load->watches_name = true;
  snprintf(
    rule, sizeof rule, "type='signal',sender='" DBUS_SERVICE_DBUS "',member='NameOwnerChanged',arg0='%s'", load->name);
  dbus_bus_add_match(load->bus, rule, &error);
  if (dbus_error_is_set(&error)) die("%s", error.message);
}

/* Reads signals until the name has an owner, or until it has none. */
static void await_name(struct load *load, bool owned, pid_t child) {
  uint64_t begin = now();
  int file;
  if (!dbus_connection_get_unix_fd(load->bus, &file)) die("a bus without a socket");
  for (;;) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(load->bus))) {
      const char *name, *old, *new;
      bool is_it = dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
        && dbus_message_get_args(
          message, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &old, DBUS_TYPE_STRING, &new, DBUS_TYPE_INVALID)
        && (*new != 0) == owned;
      dbus_message_unref(message);
      if (is_it) return;
    }
    struct pollfd polled = {.fd = file, .events = POLLIN};
    poll(&polled, 1, 100);
    if (!dbus_connection_read_write(load->bus, 0)) die("the bus has gone");
    if (child && waitpid(child, NULL, WNOHANG) == child) die("the daemon has ended before it had its name");
    if (now() - begin > PATIENCE) die("nothing has happened to %s for two minutes", load->name);
  }
}

void boot(struct load *load, char *line) {
  char *arguments[64];
  size_t count = 0;
  if (load->daemon) die("there is a daemon already");
  for (char *word = strtok(line, " "); word && count < 63; word = strtok(NULL, " ")) arguments[count++] = word;
  arguments[count] = NULL;
  if (count == 0) die("boot what?");
  watch_name(load);
  uint64_t begin = now();
  pid_t child = fork();
  if (child < 0) die("fork: %s", strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
    dup2(STDIN_FILENO, STDOUT_FILENO);
    execv(arguments[0], arguments);
    _exit(127);
  }
  await_name(load, true, child);
  load->daemon = child;
  printf("{\"total\":%llu,\"process\":%d}\n", (unsigned long long)(now() - begin), child);
}

void halt(struct load *load, int number, bool keeps) {
  int status;
  if (!load->daemon) die("there is no daemon");
  kill(load->daemon, number);
  await_name(load, false, 0);
  waitpid(load->daemon, &status, 0);
  load->daemon = 0;
  if (!keeps) load->count = 0;
  puts("{}");
}

void processor(struct load *load) {
  clockid_t clock;
  struct timespec time;
  if (!load->daemon || clock_getcpuclockid(load->daemon, &clock) != 0 || clock_gettime(clock, &time) != 0) die("there is no daemon");
  printf("{\"total\":%llu}\n", (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec);
}

void activate(struct load *load) {
  watch_name(load);
  uint64_t begin = now();
  start_one(load);
  uint64_t total = now() - begin;
  printf("{\"total\":%llu}\n", (unsigned long long)total);
}

void evict(struct load *load) {
  uint32_t process;
  DBusMessage *message = dbus_message_new_method_call(
    DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetConnectionUnixProcessID");
  dbus_message_append_args(message, DBUS_TYPE_STRING, &load->name, DBUS_TYPE_INVALID);
  message = call(load->bus, message);
  if (!dbus_message_get_args(message, NULL, DBUS_TYPE_UINT32, &process, DBUS_TYPE_INVALID)) die("an answer without a process");
  dbus_message_unref(message);
  watch_name(load);
  kill((pid_t)process, SIGTERM);
  await_name(load, false, 0);
  load->count = 0;
  puts("{}");
}

void await_trees(struct load *load, size_t count) {
  uint64_t begin = now();
  DBusMessageIter arguments, array;
  DBusMessage *reply = call(load->bus, new_call(load, ROOT, MANAGER, "ListActive"));
  uint64_t total = now() - begin;
  size_t active = 0;
  dbus_message_iter_init(reply, &arguments);
  dbus_message_iter_recurse(&arguments, &array);
  for (; dbus_message_iter_get_arg_type(&array) != DBUS_TYPE_INVALID; dbus_message_iter_next(&array)) active++;
  if (active != count) die("there are %zu trees, not %zu", active, count);
  dbus_message_unref(reply);
  printf("{\"total\":%llu}\n", (unsigned long long)total);
}
