#define _GNU_SOURCE
#include "conversation.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The interval, in milliseconds, at which the shim checks whether another client has answered. */
enum { PATIENCE = 500 };

static int relayed = -1;
static bool has_conversation;
static const char *request;

void relay(int descriptor) {
  relayed = descriptor;
  has_conversation = true;
}

bool is_conversation(void) { return has_conversation; }

void end_without(const char *path) { request = path; }

void wait_for_message(void) {
  static char bytes[1 << 14];
  for (;;) {
    struct pollfd watched[] = {{keeper, POLLIN, 0}, {relayed, POLLIN, 0}};
    if (poll(watched, 2, request == NULL ? -1 : PATIENCE) < 0) continue;
    if (watched[0].revents != 0) return;
    if (request != NULL && access(request, F_OK) != 0) _exit(0);
    if (watched[1].revents == 0) continue;
    ssize_t count = read(relayed, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count > 0) {
      send_message("input", bytes, (size_t)count);
      explicit_bzero(bytes, (size_t)count);
    } else {
      send_message("end", "", 0);
      relayed = -1;
    }
  }
}

void send_datagram(const struct message *message) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char *newline = memchr(message->bytes, '\n', message->length);
  size_t length = newline == NULL ? sizeof address.sun_path : (size_t)(newline - message->bytes);
  if (length >= sizeof address.sun_path) unable("received a malformed message");
  memcpy(address.sun_path, message->bytes, length);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const char *bytes = newline + 1;
  ssize_t sent = sendto(
    descriptor, bytes, message->length - length - 1, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
  /* The asking process may have ended. */
  if (sent < 0 && errno != ECONNREFUSED && errno != ENOENT) {
    const char *reason = strerror(errno);
    char trouble[256];
    snprintf(trouble, sizeof trouble, "cannot answer %.*s: %s", (int)sizeof address.sun_path, address.sun_path, reason);
    send_trouble(trouble);
    unable("who has asked for the password did not take it: %s", reason);
  }
  close(descriptor);
}
