#define _GNU_SOURCE
#include "injector.h"

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

/* The number of callers that identify a place. With more callers, the same place would count as several, depending
   on the code that awaits it. */
#define FRAMES 9
/* The number of frames of this library. */
#define SKIPPED 3
#define MODULES 128

struct module {
  uintptr_t start, end, base;
  uint64_t name;
};

static struct module modules[MODULES];
static size_t module_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdull;
  return hash ^ (hash >> 32);
}

static uint64_t hash_of(const char *text) {
  const char *name = strrchr(text, '/');
  uint64_t hash = 0xcbf29ce484222325ull;
  for (name = name ? name + 1 : text; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3ull;
  return hash;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (module_count == MODULES) return 1;
  struct module module = {.start = UINTPTR_MAX, .base = info->dlpi_addr, .name = hash_of(info->dlpi_name)};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
    if (start < module.start) module.start = start;
    if (end > module.end) module.end = end;
  }
  modules[module_count++] = module;
  return 0;
}

static const struct module *find(uintptr_t address) {
  for (size_t i = 0; i < module_count; i++)
    if (address >= modules[i].start && address < modules[i].end) return &modules[i];
  return NULL;
}

uint64_t injector_call_site(void) {
  void *frames[FRAMES + SKIPPED];
  int count = backtrace(frames, FRAMES + SKIPPED);
  uint64_t hash = 0;
  pthread_mutex_lock(&lock);
  for (int i = SKIPPED; i < count; i++) {
    const struct module *module = find((uintptr_t)frames[i]);
    if (module == NULL) {
      module_count = 0;
      dl_iterate_phdr(add_module, NULL);
      module = find((uintptr_t)frames[i]);
    }
    if (module != NULL) hash = mix(mix(hash, module->name), (uintptr_t)frames[i] - module->base);
  }
  pthread_mutex_unlock(&lock);
  return hash;
}
