/* coordinator-ask: the questions and steps of a flow that is a shell script. See Docs/script-protocol.md. */
#include "command.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The same as in Sources/Contract/CoordinatorBus/Release.swift, which a test compares. */
static const char version[] = "0.1.0\n";

const struct command *current;
bool ends_without_readers;

const struct command *find_command(const char *name) {
  for (const struct command *command = commands; command->name != NULL; command++) {
    if (strcmp(command->name, name) == 0) return command;
  }
  return NULL;
}

/* A script may have closed them; a socket must not take their place. */
static void open_standard_files(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) < 0) _exit(STATUS_UNABLE);
  }
}

/* Nobody may read what this process says; what was done has to be recorded all the same. */
static void ignore_lost_readers(void) {
  struct sigaction before;
  ends_without_readers = sigaction(SIGPIPE, NULL, &before) != 0 || before.sa_handler == SIG_DFL;
  signal(SIGPIPE, SIG_IGN);
}

int main(int count, char **words) {
  /* Secrets pass through this process: no core dump, and no look into its memory. */
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
  if (current == NULL) wrong("there is no command '%.100s'", name);
  return current->run(words + 2);
}
