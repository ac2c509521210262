/* The connection to the engine of a run, or to the conversation on the terminal. */
#include "run.h"
#include "command.h"
#include "json.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20, LONGEST_LINE = 64 };

bool in_run(void) {
  const char *path = getenv("COORDINATOR_SOCKET");
  return path != NULL && *path != 0;
}

bool engine_has(const char *feature) {
  const char *word = getenv("COORDINATOR_FEATURES");
  size_t length = strlen(feature);
  while (word != NULL && *word != 0) {
    size_t end = strcspn(word, " ");
    if (end == length && memcmp(word, feature, length) == 0) return true;
    word += end + strspn(word + end, " ");
  }
  return false;
}

/* The other end has closed the connection, or wants this process to end. */
_Noreturn static void lose_engine(void) {
  if (in_run()) stop_run();
  lose_conversation();
}

void begin_message(struct text *message, const unsigned long *entry) {
  const char *run = in_run() ? getenv("COORDINATOR_RUN") : "0";
  unsigned long long number;
  if (run == NULL || !read_number(run, strlen(run), 1ull << 62, &number))
    unable("COORDINATOR_RUN is not the number of a run");
  text_format(message, "{\"run\":%llu", number);
  if (entry != NULL) text_format(message, ",\"entry\":%lu", *entry);
}

int connect_to_engine(void) {
  if (!in_run()) return begin_conversation();
  const char *path = getenv("COORDINATOR_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) unable("the path in COORDINATOR_SOCKET is too long");
  strcpy(address.sun_path, path);
  stop_on_signals();
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) stop_run();
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    /* A run without an engine has ended. */
    if (errno != EINTR) stop_run();
  }
  return descriptor;
}

void send_to_engine(int descriptor, const struct text *message) {
  if (message->length >= MOST_MESSAGE) wrong("what is sent to the engine has more than 1 MiB: send less, or the name of a file");
  struct iovec parts[] = {{message->bytes, message->length}, {"\n", 1}};
  struct msghdr header = {.msg_iov = parts, .msg_iovlen = 2};
  while (parts[1].iov_len > 0) {
    ssize_t count = sendmsg(descriptor, &header, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) lose_engine();
    for (size_t i = 0; i < 2; i++) {
      size_t part = (size_t)count < parts[i].iov_len ? (size_t)count : parts[i].iov_len;
      parts[i].iov_base = (char *)parts[i].iov_base + part;
      parts[i].iov_len -= part;
      count -= (ssize_t)part;
    }
  }
}

static void keep_descriptors(struct msghdr *header, struct record *record) {
  for (struct cmsghdr *control = CMSG_FIRSTHDR(header); control != NULL; control = CMSG_NXTHDR(header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(control) + i * sizeof descriptor, sizeof descriptor);
      if (record->descriptor_count < MOST_SECRETS) record->descriptors[record->descriptor_count++] = descriptor;
      else close(descriptor);
    }
  }
}

/* Reads at least one byte, and the descriptors that come with it. */
static size_t receive_some(int socket, char *buffer, size_t room, struct record *record) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_SECRETS * sizeof(int))];
  } control;
  struct iovec part = {buffer, room};
  struct msghdr header = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count;
  if (!in_run()) await_conversation(socket);
  do count = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count <= 0) lose_engine();
  keep_descriptors(&header, record);
  return (size_t)count;
}

static bool read_line(char *line, struct record *record, size_t *length) {
  static const char *const verbs[] = {"done", "go", "usage", "stop", "terminate"};
  char *status = strchr(line, ' ');
  char *size = status == NULL ? NULL : strchr(status + 1, ' ');
  unsigned long long numbers[2];
  if (size == NULL) return false;
  *status++ = 0;
  *size++ = 0;
  if (!read_number(status, strlen(status), 1 << 30, &numbers[0])) return false;
  if (!read_number(size, strlen(size), MOST_BYTES, &numbers[1])) return false;
  *length = (size_t)numbers[1];
  record->status = (unsigned)numbers[0];
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(line, verbs[i]) != 0) continue;
    record->verb = (enum verb)i;
    return record->verb == VERB_GO || record->status <= 255;
  }
  return false;
}

void receive(int socket, struct record *record) {
  char line[LONGEST_LINE + 1];
  size_t used = 0, length = 0;
  *record = (struct record){0};
  /* Reads byte by byte, because later bytes belong to the next record; the line is short. */
  while (used == 0 || line[used - 1] != '\n') {
    if (used == LONGEST_LINE) lose_engine();
    used += receive_some(socket, line + used, 1, record);
  }
  line[used - 1] = 0;
  if (memchr(line, 0, used - 1) != NULL || !read_line(line, record, &length)) lose_engine();
  while (record->bytes.length < length) {
    char buffer[16384];
    size_t room = length - record->bytes.length;
    size_t count = receive_some(socket, buffer, room < sizeof buffer ? room : sizeof buffer, record);
    text_add(&record->bytes, buffer, count);
  }
  if (record->verb == VERB_STOP) lose_engine();
}

void disconnect(int socket) {
  close(socket);
  if (!in_run()) end_conversation();
}

int report_crash(const char *type, const char *message) {
  static bool reported;
  struct record record;
  struct text json = {0};
  if (reported) stop_run();
  reported = true;
  int socket = connect_to_engine();
  begin_message(&json, NULL);
  json_key(&json, "crash");
  text_byte(&json, '{');
  json_member(&json, "message", message);
  json_member(&json, "type", type);
  text_string(&json, "}}");
  send_to_engine(socket, &json);
  receive(socket, &record);
  return print_record(&record);
}
