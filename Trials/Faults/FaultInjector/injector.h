/* The interface between the parts of the library. */
#ifndef INJECTOR_H
#define INJECTOR_H

#include "../CFaultPlan/fault_plan.h"

#include <stdbool.h>
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* The plan; NULL if there is none, in which case nothing is watched. */
extern struct fault_plan *injector_plan HIDDEN;

/* Finds the kind of file of a path and its name below the prefix; returns false if the path is not watched. */
bool injector_knows(const char *path, enum fault_file *file, const char **name) HIDDEN;

/* Counts an operation and returns its effect. Sets errno unless that is FAULT_NONE. */
enum fault_effect injector_decide(enum fault_operation operation, enum fault_file file) HIDDEN;

/* Returns a hash of the callers, which is the same in each process of the same program. */
uint64_t injector_call_site(void) HIDDEN;

/* Returns whether operations are recorded. */
bool injector_records(void) HIDDEN;
/* Between these two calls no other thread changes a file, so that the records are in the order of the operations. */
void injector_begin(void) HIDDEN;
void injector_end(void) HIDDEN;
/* Returns the sequence number of the newest record. */
uint64_t injector_newest(void) HIDDEN;
/* Assigns a sequence number to a record, writes it, and returns the number; 0 if operations are not recorded. */
uint64_t injector_record(struct fault_record record, const char *name, const char *second, const void *data) HIDDEN;

#endif
