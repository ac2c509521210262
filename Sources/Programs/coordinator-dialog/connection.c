#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int keeper = -1;
const char *program_name = "dialog";

void send_trouble(const char *reason) {
  char message[1100];
  int length = snprintf(message, sizeof message, "trouble %zu\n%s", strlen(reason), reason);
  /* If the keeper has ended, do not wait. */
  if (keeper >= 0 && length < (int)sizeof message) send(keeper, message, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void unable(const char *format, ...) {
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  send_trouble(sentence);
  dprintf(STDERR_FILENO, "%s: %s\n", program_name, sentence);
  _exit(255);
}

void *memory(void *old, size_t size) {
  void *new = realloc(old, size);
  if (new == NULL) unable("out of memory");
  return new;
}

void connect_to_keeper(void) {
  const char *path = getenv("COORDINATOR_PROGRAM");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || *path == 0)
    unable("COORDINATOR_PROGRAM is not set; start the program with 'coordinatorctl exec'");
  if (strlen(path) >= sizeof address.sun_path) unable("the path in COORDINATOR_PROGRAM is too long");
  strcpy(address.sun_path, path);
  keeper = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (keeper < 0) unable("cannot make a socket: %s", strerror(errno));
  while (connect(keeper, (struct sockaddr *)&address, sizeof address) != 0) {
    if (errno != EINTR) unable("the question cannot be asked: what keeps the program has ended (%s)", strerror(errno));
  }
}

static void send_all(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = send(keeper, bytes, length, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) unable("the question was lost: %s", strerror(errno));
    bytes += count;
    length -= (size_t)count;
  }
}

void send_message(const char *name, const void *bytes, size_t length) {
  char line[64];
  send_all(line, (size_t)snprintf(line, sizeof line, "%s %zu\n", name, length));
  send_all(bytes, length);
}

static void receive_all(char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = recv(keeper, bytes, length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) unable("the question was lost: %s", count == 0 ? "connection closed" : strerror(errno));
    bytes += count;
    length -= (size_t)count;
  }
}

void receive_message(struct message *message) {
  char line[64];
  size_t used = 0;
  /* Byte by byte: bytes after the line go into another buffer, and lines are short. */
  for (;;) {
    receive_all(line + used, 1);
    if (line[used] == '\n') break;
    if (++used == sizeof line) unable("received a malformed message");
  }
  line[used] = 0;
  char *end, *blank = strchr(line, ' ');
  if (blank == NULL || blank == line || (size_t)(blank - line) >= sizeof message->name || blank[1] < '0' || blank[1] > '9')
    unable("received a malformed message");
  unsigned long length = strtoul(blank + 1, &end, 10);
  if (*end != 0 || length > MOST_BYTES) unable("received a malformed message");
  *blank = 0;
  strcpy(message->name, line);
  message->bytes = memory(message->bytes, length + 1);
  message->length = length;
  receive_all(message->bytes, length);
  message->bytes[length] = 0;
}
