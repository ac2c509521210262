/* The data that a trial shares with the library that it injects into a daemon (FaultInjector): a file that both map,
   with the plan and the counts, and the records of the operations on files. */
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <stdint.h>
#include <string.h>

/* The environment variables with the path of the plan and the path of the recording. */
#define FAULT_PLAN_VARIABLE "COORDINATORD_FAULT_PLAN"
#define FAULT_RECORD_VARIABLE "COORDINATORD_FAULT_RECORD"

#define FAULT_PLAN_MAGIC 0x4661756c74506c31ull
#define FAULT_SITES 2048
#define FAULT_PREFIX 512

enum fault_operation {
  FAULT_OPEN, FAULT_CREATE, FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_ALLOCATE, FAULT_UNLINK, FAULT_RENAME, FAULT_MKDIR,
  FAULT_STAT
};

enum fault_file {
  FAULT_DATABASE, FAULT_WAL, FAULT_SHM, FAULT_JOURNAL, FAULT_LOCK, FAULT_RESERVE, FAULT_DIRECTORY, FAULT_OTHER
};

/* The effect on an operation that the plan hits: nothing, failure, or a write of half the data. */
enum fault_effect { FAULT_NONE, FAULT_FAIL, FAULT_SHORT };

/* A place in the code that performs an operation on a kind of file. The id is a hash of the return addresses, each
   relative to its module. */
struct fault_site {
  uint64_t site;
  uint32_t operation;
  uint32_t file;
  /* The number of operations, in all processes with this plan. */
  uint32_t count;
  uint32_t unused;
};

struct fault_plan {
  uint64_t magic;
  /* Only files below this path count. No slash at the end. */
  char prefix[FAULT_PREFIX];
  /* The operation that is hit: the site and the number of the operation at this site, from 1. */
  uint64_t site;
  uint32_t operation;
  uint32_t file;
  uint32_t occurrence;
  uint32_t effect;
  int32_t error;
  /* Whether later operations are hit as well, and a bit set of the operations that are. */
  uint32_t persistent;
  uint32_t scope;
  /* Whether syncs return without syncing. Waiting for the disk costs time, and only matters if the power is cut. */
  uint32_t skip_sync;
  /* The results: whether the operation was hit, the number of operations hit, and the number of all operations. */
  uint32_t is_hit;
  uint32_t hits;
  uint32_t operations;
  uint32_t site_count;
  /* The sequence number of the newest record. */
  uint64_t sequence;
};

/* The table of sites follows the plan in the file. */
#define FAULT_PLAN_SIZE (sizeof(struct fault_plan) + FAULT_SITES * sizeof(struct fault_site))

static inline struct fault_site *fault_plan_sites(struct fault_plan *plan) { return (struct fault_site *)(plan + 1); }

/* A record of an operation on a file. It is followed by the name, the new name after a rename, and the written data. */
struct fault_record {
  uint64_t sequence;
  /* The sequence number of the record of the open() call that returned the descriptor. */
  uint64_t handle;
  /* For a sync: the newest record when the sync began. Everything up to that record is on the disk. */
  uint64_t begin;
  uint64_t offset;
  uint32_t operation;
  uint32_t process;
  uint32_t name_length;
  uint32_t second_length;
  uint32_t data_length;
  uint32_t unused;
};

/* The functions that the trial uses on a plan that another process may have mapped. */

static inline size_t fault_plan_size(void) { return FAULT_PLAN_SIZE; }

static inline void fault_plan_begin(struct fault_plan *plan, const char *prefix, uint32_t skip_sync) {
  plan->magic = FAULT_PLAN_MAGIC;
  strncpy(plan->prefix, prefix, FAULT_PREFIX - 1);
  plan->skip_sync = skip_sync;
}

static inline void fault_plan_set(struct fault_plan *plan, uint64_t site, uint32_t operation, uint32_t occurrence, uint32_t effect,
                                  int32_t error, uint32_t persistent, uint32_t scope) {
  plan->site = site;
  plan->operation = operation;
  plan->occurrence = occurrence;
  plan->error = error;
  plan->scope = scope;
  __atomic_store_n(&plan->persistent, persistent, __ATOMIC_RELEASE);
  __atomic_store_n(&plan->effect, effect, __ATOMIC_RELEASE);
}

/* Clears the plan, so that no further operation is hit. */
static inline void fault_plan_clear(struct fault_plan *plan) {
  __atomic_store_n(&plan->persistent, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&plan->effect, FAULT_NONE, __ATOMIC_RELEASE);
}

static inline uint32_t fault_plan_hits(struct fault_plan *plan) { return __atomic_load_n(&plan->hits, __ATOMIC_ACQUIRE); }

static inline uint32_t fault_plan_operations(struct fault_plan *plan) { return __atomic_load_n(&plan->operations, __ATOMIC_ACQUIRE); }

static inline uint64_t fault_plan_sequence(struct fault_plan *plan) { return __atomic_load_n(&plan->sequence, __ATOMIC_ACQUIRE); }

#endif
