/* The replay file: the recorded operations of the run's log. */
#include "run.h"
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The header of the file, little-endian: "ask-log1", the position of the next record, and the index of the next
   entry. */
struct header {
  uint64_t position;
  uint32_t next;
};

/* A position after all records: the run is live. */
static const uint64_t live = UINT64_MAX;

enum { HEADER_SIZE = 32, LONGEST_LINE = 1024, MOST_OUTPUT = 16 << 20 };

static int file = -1;
static struct header header;

static uint64_t read_little(const unsigned char *bytes, int count) {
  uint64_t result = 0;
  for (int i = count; i-- > 0;) result = result << 8 | bytes[i];
  return result;
}

/* Locks the file with fcntl(), whose locks belong to a process. A lock of flock() would exclude no process of the run:
   it belongs to the open file description, which all of them have inherited. */
static bool lock(short type) {
  struct flock all = {.l_type = type, .l_whence = SEEK_SET};
  while (fcntl(file, F_SETLKW, &all) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

static void open_file(void) {
  const char *number = getenv("COORDINATOR_LOG");
  unsigned long long descriptor;
  unsigned char bytes[HEADER_SIZE];
  if (number == NULL || !read_number(number, strlen(number), 1 << 20, &descriptor))
    unable("COORDINATOR_LOG is not the number of a file descriptor");
  file = (int)descriptor;
  if (!lock(F_WRLCK)) unable("the replay file, descriptor %d, is not open: the script must keep it", file);
  if (pread(file, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes || memcmp(bytes, "ask-log1", 8) != 0)
    unable("descriptor %d is not a replay file", file);
  header = (struct header){read_little(bytes + 8, 8), (uint32_t)read_little(bytes + 16, 4)};
}

static void write_header(void) {
  unsigned char bytes[12];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(header.position >> 8 * i);
  for (int i = 0; i < 4; i++) bytes[8 + i] = (unsigned char)(header.next >> 8 * i);
  if (pwrite(file, bytes, sizeof bytes, 8) != (ssize_t)sizeof bytes) unable("the replay file cannot be written");
}

/* Splits KIND NAME DIGEST STATUS LENGTH. */
static bool read_line(char *line, const char *parts[3], unsigned long long *status, unsigned long long *length) {
  char *words[5];
  for (int i = 0; i < 5; i++) {
    words[i] = line;
    line = i < 4 ? strchr(line, ' ') : NULL;
    if (i < 4 && line == NULL) return false;
    if (line != NULL) *line++ = 0;
  }
  memcpy(parts, words, 3 * sizeof *parts);
  return read_number(words[3], strlen(words[3]), 255, status) && read_number(words[4], strlen(words[4]), MOST_OUTPUT, length);
}

static bool read_output(struct text *output, uint64_t position, size_t length, const char *read, size_t already) {
  text_add(output, read, already < length ? already : length);
  char buffer[16384];
  while (output->length < length) {
    size_t wanted = length - output->length < sizeof buffer ? length - output->length : sizeof buffer;
    ssize_t count = pread(file, buffer, wanted, (off_t)(position + output->length));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text_add(output, buffer, (size_t)count);
  }
  return true;
}

/* Reads the next record. Returns whether it is this operation. An unreadable record counts as a different one, and the
   engine reports the problem. */
static bool read_record(const struct operation *operation, struct record *record, uint64_t *after) {
  char buffer[4096];
  struct stat information;
  if (header.position == live || header.position < HEADER_SIZE || fstat(file, &information) != 0) return false;
  if (header.position >= (uint64_t)information.st_size) return false;
  ssize_t count = pread(file, buffer, sizeof buffer, (off_t)header.position);
  char *end = count <= 0 ? NULL : memchr(buffer, '\n', (size_t)(count < LONGEST_LINE ? count : LONGEST_LINE));
  if (end == NULL || memchr(buffer, 0, (size_t)(end - buffer)) != NULL) return false;
  *end++ = 0;
  const char *parts[3];
  unsigned long long status, length;
  if (!read_line(buffer, parts, &status, &length)) return false;
  if (strcmp(parts[0], operation->kind) != 0 || strcmp(parts[1], operation->name) != 0
      || strcmp(parts[2], operation->digest) != 0)
    return false;
  uint64_t begin = header.position + (uint64_t)(end - buffer);
  if (length >= (uint64_t)information.st_size - begin) return false;
  if (!read_output(&record->bytes, begin, (size_t)length, end, (size_t)(buffer + count - end))) return false;
  record->verb = VERB_DONE;
  record->status = (unsigned)status;
  *after = begin + length + 1;
  return true;
}

bool replay(const struct operation *operation, struct record *record, unsigned long *entry) {
  bool patch = strcmp(operation->kind, "patch") == 0;
  *record = (struct record){0};
  open_file();
  *entry = header.next;
  bool found = read_record(operation, record, &header.position);
  if (!found) {
    text_free(&record->bytes);
    if (patch) return false;
    header.position = live;
  }
  header.next++;
  write_header();
  lock(F_UNLCK);
  return found;
}

unsigned long next_entry(void) {
  open_file();
  lock(F_UNLCK);
  return header.next;
}

void settle_patch(bool taken) {
  if (taken) {
    header.position = live;
    header.next++;
    write_header();
  }
  lock(F_UNLCK);
}
