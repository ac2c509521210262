/* In C for speed, because all processes of the machine are scanned repeatedly until one of them has ended. */
#define _GNU_SOURCE
#include "Processes.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Larger than any environment that execve(2) accepts by default. */
static const size_t most = 4 << 20;

bool coordinatord_find_process(pid_t process, struct coordinatord_process *found) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  /* The name of the program, in parentheses, may contain any characters. Source: proc_pid_stat(5). */
  char *end = strrchr(text, ')'), state;
  int parent;
  unsigned long long started;
  static const char format[] = " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu";
  if (!end || sscanf(end + 1, format, &state, &parent, &started) != 3) return false;
  *found = (struct coordinatord_process){process, parent, started, strchr("ZXx", state) != NULL};
  return true;
}

unsigned long long coordinatord_process_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  unsigned long long ticks = (unsigned long long)sysconf(_SC_CLK_TCK);
  return (unsigned long long)now.tv_sec * ticks + (unsigned long long)now.tv_nsec * ticks / 1000000000;
}

size_t coordinatord_list_processes(struct coordinatord_process **list) {
  size_t count = 0, capacity = 0;
  *list = NULL;
  DIR *directory = opendir("/proc");
  if (!directory) return 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 512;
      struct coordinatord_process *larger = realloc(*list, capacity * sizeof **list);
      if (!larger) break;
      *list = larger;
    }
    if (coordinatord_find_process((pid_t)strtol(entry->d_name, NULL, 10), *list + count)) count++;
  }
  closedir(directory);
  return count;
}

char *coordinatord_environment(pid_t process, size_t *length) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
  *length = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  size_t capacity = 8192;
  char *bytes = malloc(capacity + 1);
  while (bytes) {
    ssize_t count = read(file, bytes + *length, capacity - *length);
    if (count <= 0) break;
    *length += (size_t)count;
    if (*length < capacity) continue;
    if (capacity >= most) break;
    capacity *= 2;
    char *larger = realloc(bytes, capacity + 1);
    if (!larger) break;
    bytes = larger;
  }
  close(file);
  if (bytes) bytes[*length] = '\0';
  return bytes;
}

bool coordinatord_is_marked(pid_t process, const char *run, const char *socket) {
  size_t length, suffix = strlen(socket);
  char *bytes = coordinatord_environment(process, &length);
  bool has_run = !run, has_socket = false;
  for (char *variable = bytes; variable && variable < bytes + length; variable += strlen(variable) + 1) {
    size_t size = strlen(variable);
    if (run && strcmp(variable, run) == 0) has_run = true;
    if (size >= suffix && strcmp(variable + size - suffix, socket) == 0) has_socket = true;
  }
  free(bytes);
  return has_run && has_socket;
}
