/* Ends the script of a question that cannot be answered, because the script would continue with an empty answer.

   An exit status is not enough: command substitutions, conditions and pipelines hide it, and loops ask again. Killing
   the process group would be too much: without a terminal, it often belongs to the program that started the script.
   Therefore, this code finds the shells that execute the script. It ends the shells above this process, as long as they
   execute the same script, or code that one shell passes to another; the subshells beside this process; and the
   programs that read the answer from a pipe. If it cannot end them, it prints a message, and stops here if a shell
   waits for this process. */
#include "script.h"
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MILLISECONDS = 2000, PAUSE_MILLISECONDS = 10, MOST_PROCESSES = 128, MOST_PIPES = 64, MOST_WORDS = 4096 };

struct process {
  pid_t id, parent, group, session;
  bool has_terminal;
  char program[64];       /* the last part of the path of its executable file */
  char words[MOST_WORDS]; /* its command line: NUL-terminated words */
  size_t length;
};

/* A process to end. */
struct target {
  pid_t id;
  int descriptor; /* a pidfd; -1 if no descriptor is left, or the kernel is too old */
};

/* The processes to end. */
struct targets {
  struct target *all;
  size_t count;
};

/* The shells that execute the script, youngest first. */
struct script {
  struct process shells[MOST_PROCESSES];
  size_t count;
  bool is_out_of_reach;  /* whether the user may not signal one of its shells */
  struct process between; /* a program between two shells, which must end the upper one; nameless for none */
};

static size_t read_file(pid_t process, const char *name, char *buffer, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  FILE *file = fopen(path, "re");
  size_t length = file == NULL ? 0 : fread(buffer, 1, room - 1, file);
  if (file != NULL) fclose(file);
  buffer[length] = 0;
  return length;
}

static bool read_process(pid_t id, struct process *process) {
  char buffer[512], path[64];
  int parent, group, session, terminal;
  memset(process, 0, sizeof *process);
  process->id = id;
  /* PID (NAME) STATE PARENT GROUP SESSION TERMINAL; NAME may contain any character. */
  char *end = read_file(id, "stat", buffer, sizeof buffer) == 0 ? NULL : strrchr(buffer, ')');
  if (end == NULL || sscanf(end, ") %*c %d %d %d %d", &parent, &group, &session, &terminal) != 4) return false;
  process->parent = parent;
  process->group = group;
  process->session = session;
  process->has_terminal = terminal != 0;
  process->length = read_file(id, "cmdline", process->words, sizeof process->words);
  snprintf(path, sizeof path, "/proc/%d/exe", (int)id);
  ssize_t count = readlink(path, buffer, sizeof buffer - 1);
  /* The executable file of another user's process cannot be read; its command line can. */
  if (count < 0) count = snprintf(buffer, sizeof buffer, "%.500s", process->words + (process->words[0] == '-'));
  buffer[count] = 0;
  const char *slash = strrchr(buffer, '/');
  snprintf(process->program, sizeof process->program, "%.63s", slash == NULL ? buffer : slash + 1);
  return true;
}

/* Returns whether a program is one of these, in any version: bash, bash-5.2 and "bash (deleted)" are. */
static bool is_one_of(const char *program, const char *const *names) {
  for (; *names != NULL; names++) {
    size_t length = strlen(*names);
    if (strncmp(program, *names, length) == 0 && strspn(program + length, "-.0123456789") == strcspn(program + length, " "))
      return true;
  }
  return false;
}

static const char *next_word(const struct process *process, const char *word) {
  const char *next = word + strlen(word) + 1;
  return next < process->words + process->length ? next : NULL;
}

static bool is_shell(const struct process *process) {
  static const char *const shells[] = {
    "sh", "dash", "bash", "zsh", "ksh", "mksh", "lksh", "pdksh", "yash", "ash", "posh", "rbash", NULL};
  static const char *const boxes[] = {"busybox", "toybox", NULL};
  if (!is_one_of(process->program, boxes)) return is_one_of(process->program, shells);
  const char *word = process->length == 0 ? NULL : process->words;
  for (int i = 0; i < 2 && word != NULL; i++, word = next_word(process, word)) {
    const char *slash = strrchr(word, '/');
    if (is_one_of(slash == NULL ? word : slash + 1, shells)) return true;
  }
  return false;
}

/* Whether a program runs a command for its caller, and waits for its end. */
static bool is_wrapper(const struct process *process) {
  static const char *const wrappers[] = {
    "timeout", "xargs", "find", "flock", "time", "setsid", "sudo", "su", "runuser", "strace", "unshare", NULL};
  return is_one_of(process->program, wrappers);
}

/* Whether a shell executes code from its command line: sh -c CODE. */
static bool is_given_code(const struct process *process) {
  const char *word = process->length == 0 ? NULL : next_word(process, process->words);
  for (; word != NULL && (*word == '-' || *word == '+'); word = next_word(process, word)) {
    if (word[0] == '-' && word[1] != '-' && strchr(word, 'c') != NULL) return true;
    if (word[strlen(word) - 1] == 'o' && (word = next_word(process, word)) == NULL) return false;
  }
  return false;
}

static bool is_same_script(const struct process *one, const struct process *other) {
  return one->length == other->length && memcmp(one->words, other->words, one->length) == 0;
}

static bool ignores(pid_t process, int number) {
  char buffer[4096];
  read_file(process, "status", buffer, sizeof buffer);
  const char *line = strstr(buffer, "\nSigIgn:");
  return line != NULL && (strtoull(line + strlen("\nSigIgn:"), NULL, 16) >> (number - 1) & 1) != 0;
}

/* Whether a user types into this shell: such a shell gives each command its own process group, and ignores SIGTERM. */
static bool is_typed_in(const struct process *process) {
  return process->has_terminal
         && (process->group != getpgrp() || (process->id == process->session && ignores(process->id, SIGTERM)));
}

/* Whether a shell above a program may take its exit status for an answer. A shell in another session did not start the
   program for that purpose. */
static bool is_below_shell(const struct process *program) {
  struct process process = *program;
  for (int depth = 0; depth < 64 && process.parent > 0 && read_process(process.parent, &process); depth++) {
    if (program->session != getsid(0) || process.session != program->session) return false;
    if (is_shell(&process)) return !is_typed_in(&process);
  }
  return false;
}

static void find_script(struct script *script) {
  struct process process;
  memset(script, 0, sizeof *script);
  for (pid_t id = getppid(); id > 0 && script->count < MOST_PROCESSES && read_process(id, &process); id = process.parent) {
    const struct process *last = script->count == 0 ? NULL : &script->shells[script->count - 1];
    bool is_above = last == NULL || is_given_code(last);
    if (is_shell(&process) && (is_above || is_same_script(last, &process))) {
      if (is_typed_in(&process)) return;
      script->is_out_of_reach = kill(process.id, 0) != 0;
      if (script->is_out_of_reach) return;
      script->shells[script->count++] = process;
    } else if (!is_wrapper(&process) || !is_above) {
      if (is_above && is_below_shell(&process)) script->between = process;
      return;
    }
  }
}

static bool is_below(pid_t id, pid_t ancestor) {
  struct process process;
  for (int depth = 0; depth < 64 && id > 1 && read_process(id, &process); depth++, id = process.parent) {
    if (process.parent == ancestor) return true;
  }
  return false;
}

/* Returns the pipe to which this process writes the answer; 0 if the output is not a pipe, or if the standard error is
   the same pipe. */
static ino_t answer_pipe(void) {
  struct stat output, errors;
  if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISFIFO(output.st_mode)) return 0;
  return fstat(STDERR_FILENO, &errors) == 0 && errors.st_ino == output.st_ino ? 0 : output.st_ino;
}

struct pipes {
  ino_t all[MOST_PIPES];
  size_t count;
};

/* Returns whether a process has a pipe open for reading, and adds the pipes to which it may forward what it reads. All
   descriptors count: a shell that is starting a program has not redirected its standard input and output yet, and diff
   <(ask …) reads from another descriptor. */
static bool reads_pipe(pid_t id, ino_t pipe, struct pipes *written) {
  char path[64 + sizeof ((struct dirent *)NULL)->d_name];
  snprintf(path, sizeof path, "/proc/%d/fd", (int)id);
  DIR *directory = opendir(path);
  struct dirent *entry;
  bool reads = false;
  written->count = 0;
  while (directory != NULL && (entry = readdir(directory)) != NULL) {
    struct stat file, access;
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)id, entry->d_name);
    /* The access mode of a descriptor is the mode of its link. */
    if (stat(path, &file) != 0 || !S_ISFIFO(file.st_mode) || lstat(path, &access) != 0) continue;
    reads |= file.st_ino == pipe && (access.st_mode & S_IRUSR) != 0;
    bool is_passed_on = file.st_ino != pipe && (access.st_mode & S_IWUSR) != 0 && atoi(entry->d_name) != STDERR_FILENO;
    if (is_passed_on && written->count < MOST_PIPES) written->all[written->count++] = file.st_ino;
  }
  if (directory != NULL) closedir(directory);
  return reads;
}

static void add_target(struct targets *targets, pid_t id) {
  for (size_t i = 0; i < targets->count; i++) {
    if (targets->all[i].id == id) return;
  }
  int descriptor = (int)syscall(SYS_pidfd_open, id, 0), spare = descriptor < 0 ? -1 : dup(descriptor);
  /* Keeps one descriptor free, which is needed to find the other processes. */
  if (spare >= 0) close(spare);
  else if (descriptor >= 0) close(descriptor), descriptor = -1;
  *APPEND(targets->all, targets->count) = (struct target){id, descriptor};
}

/* Returns all processes below the topmost shell. Reads the list of processes first, because only one descriptor may be
   left. */
static pid_t *find_family(const struct process *top, size_t *count) {
  DIR *directory = opendir("/proc");
  pid_t *family = NULL;
  size_t all = 0;
  struct dirent *entry;
  while (directory != NULL && (entry = readdir(directory)) != NULL) {
    pid_t id = (pid_t)atoi(entry->d_name);
    if (id > 1 && id != getpid()) *APPEND(family, all) = id;
  }
  if (directory != NULL) closedir(directory);
  *count = 0;
  for (size_t i = 0; i < all; i++) {
    if (is_below(family[i], top->id)) family[(*count)++] = family[i];
  }
  return family;
}

static void add_subshells(struct targets *targets, const pid_t *family, size_t family_count, const struct script *script) {
  struct process process;
  for (size_t i = 0; i < family_count; i++) {
    if (!read_process(family[i], &process) || !is_shell(&process)) continue;
    for (size_t shell = 0; shell < script->count; shell++) {
      if (is_same_script(&process, &script->shells[shell])) add_target(targets, process.id);
    }
  }
}

static bool is_shell_of(const struct script *script, pid_t id) {
  for (size_t i = 0; i < script->count; i++) {
    if (script->shells[i].id == id) return true;
  }
  return false;
}

/* Adds the programs that read the answer: xargs rm would act on an empty one. */
static void add_readers(struct targets *targets, const pid_t *family, size_t family_count, const struct script *script) {
  struct pipes pipes = {{answer_pipe()}, 1}, written;
  pid_t readers[MOST_PROCESSES];
  size_t reader_count = 0;
  if (pipes.all[0] == 0) return;
  for (size_t next = 0; next < pipes.count; next++) {
    for (size_t i = 0; i < family_count && reader_count < MOST_PROCESSES; i++) {
      if (is_shell_of(script, family[i]) || !reads_pipe(family[i], pipes.all[next], &written)) continue;
      readers[reader_count++] = family[i];
      for (size_t k = 0; k < written.count && pipes.count < MOST_PIPES; k++) {
        bool is_known = false;
        for (size_t known = 0; known < pipes.count; known++) is_known |= pipes.all[known] == written.all[k];
        if (!is_known) pipes.all[pipes.count++] = written.all[k];
      }
    }
  }
  /* The last reader ends first, because it would act on the end of its input, too. */
  while (reader_count > 0) add_target(targets, readers[--reader_count]);
}

static void signal_one(const struct target *target, int number) {
  bool is_sent = target->descriptor >= 0 && syscall(SYS_pidfd_send_signal, target->descriptor, number, NULL, 0) == 0;
  if (!is_sent && (target->descriptor < 0 || errno != ESRCH)) kill(target->id, number);
}

/* Sends a signal, and continues stopped processes, which could not handle it. */
static void signal_all(const struct targets *targets, int number) {
  for (size_t i = 0; i < targets->count; i++) {
    signal_one(&targets->all[i], number);
    signal_one(&targets->all[i], SIGCONT);
  }
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns whether a process is in one of these states, or no longer exists. */
static bool is_in_state(pid_t id, const char *states) {
  char buffer[512];
  if (kill(id, 0) != 0 && errno == ESRCH) return true;
  char *end = read_file(id, "stat", buffer, sizeof buffer) == 0 ? NULL : strrchr(buffer, ')');
  return end != NULL && strlen(end) > 2 && strchr(states, end[2]) != NULL;
}

/* Returns whether a process has ended, even if its parent has not waited for it. */
static bool is_over(pid_t id) { return is_in_state(id, "ZXx"); }

/* Waits until a stopped shell has stopped: on another processor, it continues for a moment, and may start a process
   that would be missed. */
static void await_stop(pid_t id) {
  long long end = milliseconds() + GRACE_MILLISECONDS;
  while (!is_in_state(id, "TtZXx") && milliseconds() < end) poll(NULL, 0, 1);
}

/* Waits for the end of all processes, but not longer than the grace period. Returns whether they have ended. */
static bool have_ended(const struct targets *targets) {
  long long end = milliseconds() + GRACE_MILLISECONDS;
  for (size_t i = 0; i < targets->count; i++) {
    struct pollfd file = {targets->all[i].descriptor, POLLIN, 0};
    for (;;) {
      if (file.fd < 0 && is_over(targets->all[i].id)) break;
      long long left = end - milliseconds();
      int time = left < 0 ? 0 : file.fd >= 0 ? (int)left : PAUSE_MILLISECONDS;
      int ready = poll(&file, 1, time);
      if (ready < 0 && errno == EINTR) continue;
      if (ready > 0) break;
      if (left <= 0) return false;
    }
  }
  return true;
}

/* Never returns. The script waits for this process, and therefore does nothing. */
_Noreturn static void stop_here(void) {
  notice("the script cannot be ended, and is stopped here; end it from outside");
  for (;;) pause();
}

void end_script(void) {
  static struct script script;
  struct targets targets = {0};
  /* Frees a descriptor, which may be the only one. Nothing is read from here on. */
  close(STDIN_FILENO);
  find_script(&script);
  if (script.is_out_of_reach) stop_here();
  if (script.between.program[0] != 0)
    notice("the script that has started '%.60s' cannot be ended from here; it has to heed the exit status", script.between.program);
  if (script.count == 0) return;
  /* The oldest shell comes first, so that none continues. A shell without a terminal may still be starting the rest of
     a pipeline, so it is stopped before its processes are listed. A shell with a terminal has finished that by the time
     a user answers, and the shell that started it would notice the stop. */
  for (size_t i = script.count; i-- > 0;) add_target(&targets, script.shells[i].id);
  for (size_t i = script.count; i-- > 0;) {
    if (!script.shells[i].has_terminal) signal_one(&targets.all[script.count - 1 - i], SIGSTOP);
  }
  for (size_t i = script.count; i-- > 0;) {
    if (!script.shells[i].has_terminal) await_stop(script.shells[i].id);
  }
  size_t family_count;
  pid_t *family = find_family(&script.shells[script.count - 1], &family_count);
  /* Readers end before subshells: a subshell may still be starting a reader, or a reader may read a subshell's
     output. */
  add_readers(&targets, family, family_count, &script);
  add_subshells(&targets, family, family_count, &script);
  signal_all(&targets, SIGTERM);
  if (have_ended(&targets)) return;
  /* A shell that traps or ignores SIGTERM would continue. */
  signal_all(&targets, SIGKILL);
  if (have_ended(&targets)) return;
  /* The first process of a container cannot be killed from inside. */
  stop_here();
}
