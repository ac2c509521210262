/* What the parts of the library know of each other. */
#ifndef INJECTOR_H
#define INJECTOR_H

#include "../CFaultPlan/fault_plan.h"

#include <stdbool.h>
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* The plan; NULL if there is none, and then nothing is watched. */
extern struct fault_plan *injector_plan HIDDEN;

/* Which kind of file a path is of, and its name below the prefix; false if it is none of ours. */
bool injector_knows(const char *path, enum fault_file *file, const char **name) HIDDEN;

/* Counts an operation. FAULT_NONE, or what is to happen to it; errno is set if it is to fail. */
enum fault_effect injector_decide(enum fault_operation operation, enum fault_file file) HIDDEN;

/* A hash of who called, the same in each process of the same program. */
uint64_t injector_call_site(void) HIDDEN;

/* Whether what is done is to be recorded. */
bool injector_records(void) HIDDEN;
/* Between these two no other thread changes a file, so that the records have the order in which things were done. */
void injector_begin(void) HIDDEN;
void injector_end(void) HIDDEN;
/* The number of the newest record. */
uint64_t injector_newest(void) HIDDEN;
/* Writes a record, with its number, which is returned. */
uint64_t injector_record(struct fault_record record, const char *name, const char *second, const void *data) HIDDEN;

#endif
