/* coordinator-ask: the questions and steps of flows that are shell scripts. See Docs/script-protocol.md. */
#include "command.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The version in Sources/Contract/CoordinatorBus/Release.swift; a test compares them. */
static const char version[] = "0.1.0\n";

const struct command *current;
bool ends_without_readers;

const struct command *find_command(const char *name) {
  for (const struct command *command = commands; command->name != NULL; command++) {
    if (strcmp(command->name, name) == 0) return command;
  }
  return NULL;
}

/* Opens standard descriptors that the script has closed, so that no socket gets one of their numbers. */
static void open_standard_files(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) < 0) _exit(STATUS_UNABLE);
  }
}

/* A result must be recorded even if no process reads the output. */
static void ignore_lost_readers(void) {
  struct sigaction before;
  ends_without_readers = sigaction(SIGPIPE, NULL, &before) != 0 || before.sa_handler == SIG_DFL;
  signal(SIGPIPE, SIG_IGN);
}

int main(int count, char **words) {
  /* Secrets pass through this process, so it must not leave a core dump, and other processes must not read its
     memory. */
  prctl(PR_SET_DUMPABLE, 0);
  open_standard_files();
  ignore_lost_readers();
  const char *name = count < 2 ? NULL : words[1];
  if (name == NULL) wrong("the command is missing");
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    current = count > 2 ? find_command(words[2]) : NULL;
    print_help(current);
    return 0;
  }
  if (strcmp(name, "--version") == 0) return write_all(STDOUT_FILENO, version, sizeof version - 1) ? 0 : 1;
  current = find_command(name);
  if (current == NULL) wrong("there is no command '%.100s': ask --help lists them", name);
  return current->run(words + 2);
}
