#define _GNU_SOURCE
#include "injector.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fault_plan *injector_plan;

/* Runs before main(). No watched file is opened before that. */
__attribute__((constructor)) static void map_plan(void) {
  const char *path = getenv(FAULT_PLAN_VARIABLE);
  if (path == NULL) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return;
  struct fault_plan *plan = mmap(NULL, FAULT_PLAN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (plan != MAP_FAILED && plan->magic == FAULT_PLAN_MAGIC) injector_plan = plan;
}

static bool ends_with(const char *name, const char *end) {
  size_t length = strlen(name), count = strlen(end);
  return length >= count && strcmp(name + length - count, end) == 0;
}

bool injector_knows(const char *path, enum fault_file *file, const char **name) {
  if (injector_plan == NULL || path == NULL) return false;
  size_t length = strlen(injector_plan->prefix);
  if (strncmp(path, injector_plan->prefix, length) != 0 || (path[length] != '/' && path[length] != 0)) return false;
  const char *rest = path + length;
  while (*rest == '/') rest++;
  *name = rest;
  const char *slash = strrchr(rest, '/');
  const char *last = slash ? slash + 1 : rest;
  *file = *last == 0 || strcmp(last, "state") == 0 ? FAULT_DIRECTORY
    : ends_with(last, ".sqlite") ? FAULT_DATABASE
    : ends_with(last, "-wal") ? FAULT_WAL
    : ends_with(last, "-shm") ? FAULT_SHM
    : ends_with(last, "-journal") ? FAULT_JOURNAL
    : strcmp(last, "lock") == 0 ? FAULT_LOCK
    : strncmp(last, "reserve", 7) == 0 ? FAULT_RESERVE : FAULT_OTHER;
  return true;
}

/* Returns the entry of a site, which is the same for all processes. If the table is full, returns the last entry. */
static struct fault_site *place(uint64_t site, uint32_t operation, uint32_t file) {
  struct fault_plan *plan = injector_plan;
  struct fault_site *sites = fault_plan_sites(plan);
  uint64_t key = site;
  for (size_t i = 0, at = key % (FAULT_SITES - 1); i < FAULT_SITES - 1; i++, at = (at + 1) % (FAULT_SITES - 1)) {
    uint64_t found = __atomic_load_n(&sites[at].site, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&sites[at].site, &found, key, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      sites[at].operation = operation;
      sites[at].file = file;
      __atomic_add_fetch(&plan->site_count, 1, __ATOMIC_RELAXED);
      return &sites[at];
    }
    if (found == key) return &sites[at];
  }
  return &sites[FAULT_SITES - 1];
}

static enum fault_effect hit(enum fault_effect effect) {
  __atomic_add_fetch(&injector_plan->hits, 1, __ATOMIC_RELAXED);
  errno = injector_plan->error;
  return effect;
}

enum fault_effect injector_decide(enum fault_operation operation, enum fault_file file) {
  struct fault_plan *plan = injector_plan;
  int before = errno;
  /* The same callers may perform several operations, on several files. */
  uint64_t site = injector_call_site() * 31 + (uint64_t)operation * 16 + file;
  if (site == 0) site = 1;
  uint32_t count = __atomic_add_fetch(&place(site, operation, file)->count, 1, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&plan->operations, 1, __ATOMIC_RELAXED);
  errno = before;
  if (plan->effect == FAULT_NONE) return FAULT_NONE;
  if (__atomic_load_n(&plan->is_hit, __ATOMIC_ACQUIRE)) {
    if (!__atomic_load_n(&plan->persistent, __ATOMIC_ACQUIRE) || !(plan->scope & (1u << operation))) return FAULT_NONE;
    /* After a short write, later operations fail entirely. */
    return hit(FAULT_FAIL);
  }
  if (site != plan->site || count != plan->occurrence) return FAULT_NONE;
  __atomic_store_n(&plan->is_hit, 1, __ATOMIC_RELEASE);
  return hit(plan->effect);
}
