/* coordinator-dialog: replaces whiptail, dialog and askpass in programs that `coordinatorctl exec` runs, acts as a
   pinentry, and answers requests of systemd for passwords. It does not interpret the arguments of these programs: it
   sends its call to the keeper and carries out the requests that follow. connection.h describes the protocol. */
#define _GNU_SOURCE
#include "conversation.h"
#include "files.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The caller may have closed the standard descriptors; the socket must not take their numbers. */
static void open_standard_files(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) < 0) _exit(255);
  }
}

/* A result may go to a descriptor that the caller forgot to open: the socket must not have its number. */
static void move_connection(void) {
  int moved = fcntl(keeper, F_DUPFD_CLOEXEC, 100);
  if (moved < 0) return;
  close(keeper);
  keeper = moved;
}

static void send_size(void) {
  struct winsize size;
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return;
  if (ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    char text[32];
    send_message("size", text, (size_t)snprintf(text, sizeof text, "%d %d", size.ws_row, size.ws_col));
  }
  close(terminal);
}

static void send_writable(void) {
  char text[256];
  size_t length = 0;
  for (int descriptor = 0; descriptor < 64; descriptor++) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, length == 0 ? "%d" : " %d", descriptor);
  }
  send_message("writable", text, length);
}

static void send_call(char **words) {
  send_message("shim", program_name, strlen(program_name));
  for (; *words != NULL; words++) send_message("argument", *words, strlen(*words));
  for (char **variable = environ; *variable != NULL; variable++) {
    bool is_of_dialog = strncmp(*variable, "DIALOG", 6) == 0 && strncmp(*variable, "DIALOGRC=", 9) != 0;
    if (is_of_dialog || strncmp(*variable, "SSH_ASKPASS_PROMPT=", 19) == 0)
      send_message("variable", *variable, strlen(*variable));
  }
  send_size();
  send_writable();
  send_message("ready", "", 0);
}

static bool is_called(const char *name) { return strcmp(program_name, name) == 0; }

/* gpg-agent uses the standard streams, or descriptors that `coordinatorctl pinentry` has passed on. */
static void begin_conversation(char **words) {
  if (is_called("pinentry")) relay(words[1] != NULL && *words[1] >= '0' && *words[1] <= '9' ? atoi(words[1]) : STDIN_FILENO);
  if (is_called("password-request") && words[1] != NULL) end_without(words[1]);
}

static int status_in(const struct message *message) {
  char *end;
  long status = *message->bytes >= '0' && *message->bytes <= '9' ? strtol(message->bytes, &end, 10) : -1;
  if (status < 0 || status > 255 || *end != 0) unable("received a malformed message");
  return (int)status;
}

int main(int count, char **words) {
  prctl(PR_SET_DUMPABLE, 0); /* Secrets pass through this process. */
  open_standard_files();
  signal(SIGPIPE, SIG_IGN);
  if (count > 0) {
    const char *slash = strrchr(words[0], '/');
    program_name = slash == NULL ? words[0] : slash + 1;
  }
  if (getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid())
    unable("refusing to run setuid or setgid");
  if (!is_called("whiptail") && !is_called("dialog") && !is_called("askpass") && !is_called("pinentry")
      && !is_called("password-request"))
    unable("this program must be called 'whiptail', 'dialog', 'askpass', 'pinentry' or 'password-request'");
  connect_to_keeper();
  move_connection();
  send_call(words + 1);
  begin_conversation(words);
  static struct message message;
  for (;;) {
    wait_for_message();
    receive_message(&message);
    if (strcmp(message.name, "read") == 0) send_file(message.bytes, WHOLE);
    else if (strcmp(message.name, "read-regular") == 0) send_file(message.bytes, REGULAR);
    else if (strcmp(message.name, "read-start") == 0) send_file(message.bytes, START);
    else if (strcmp(message.name, "read-descriptor") == 0) send_descriptor(message.bytes);
    else if (strcmp(message.name, "input") == 0) send_input();
    else if (strcmp(message.name, "output") == 0) write_output(&message);
    else if (strcmp(message.name, "datagram") == 0) send_datagram(&message);
    else if (strcmp(message.name, "exit") == 0) return status_in(&message);
    else unable("received a malformed message");
    explicit_bzero(message.bytes, message.length);
  }
}
