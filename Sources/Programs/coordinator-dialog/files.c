#define _GNU_SOURCE
#include "files.h"

#include "conversation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void send_failure(int error) {
  const char *reason = strerror(error);
  send_message("failed", reason, strlen(reason));
}

static void send_rest(int descriptor, bool is_cut) {
  size_t room = 1 << 16, length = 0;
  char *bytes = memory(NULL, room);
  for (;;) {
    ssize_t count = read(descriptor, bytes + length, room - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) send_failure(errno);
    else if (count == 0) send_message("content", bytes, length);
    if (count <= 0) break;
    length += (size_t)count;
    if (length > MOST_FILE) {
      if (is_cut) send_message("content", bytes, MOST_FILE);
      else send_failure(EFBIG);
      break;
    }
    if (length == room) bytes = memory(bytes, room *= 2);
  }
  /* The bytes may contain a secret. */
  explicit_bzero(bytes, room);
  free(bytes);
}

void send_file(const char *path, enum wanted wanted) {
  struct stat status;
  if (wanted == REGULAR && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    send_failure(EINVAL);
    return;
  }
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) {
    send_failure(errno);
    return;
  }
  send_rest(descriptor, wanted == START);
  close(descriptor);
}

static int descriptor_in(const char *text, char **end) {
  long number = *text >= '0' && *text <= '9' ? strtol(text, end, 10) : -1;
  if (number < 0 || number > INT_MAX) unable("received a malformed message");
  return (int)number;
}

void send_descriptor(const char *number) {
  char *end;
  int descriptor = descriptor_in(number, &end);
  /* The connection is not one of the caller's descriptors. */
  if (descriptor == keeper) send_failure(EBADF);
  else send_rest(descriptor, false);
}

void send_input(void) {
  static char bytes[1 << 16];
  struct pollfd watched[] = {{STDIN_FILENO, POLLIN, 0}, {keeper, POLLRDHUP, 0}};
  while (!isatty(STDIN_FILENO)) {
    if (poll(watched, 2, -1) < 0) continue;
    if (watched[1].revents != 0) unable("the question was lost: connection closed");
    if (watched[0].revents == 0) continue;
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    send_message("input", bytes, (size_t)count);
  }
  send_message("end", "", 0);
}

void write_output(const struct message *message) {
  char *end;
  int descriptor = descriptor_in(message->bytes, &end);
  if (*end != ' ') unable("received a malformed message");
  const char *bytes = end + 1;
  size_t length = message->length - (size_t)(bytes - message->bytes);
  if (descriptor == keeper) unable("cannot write the answer to descriptor %d: %s", descriptor, strerror(EBADF));
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count < 0 && errno == EAGAIN) {
      struct pollfd watched = {descriptor, POLLOUT, 0};
      poll(&watched, 1, -1);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    /* gpg-agent does not read the reply to its last command. */
    if (count < 0 && errno == EPIPE && is_conversation()) _exit(0);
    if (count < 0) unable("cannot write the answer to descriptor %d: %s", descriptor, strerror(errno));
    bytes += count;
    length -= (size_t)count;
  }
}
