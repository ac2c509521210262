/* Which of a process's descriptors are of files of ours. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "injector.h"

struct descriptor {
  bool is_ours;
  enum fault_file file;
  uint64_t handle;
};

/* What is known of a descriptor; nothing if it is none of ours. */
struct descriptor descriptor_at(int number) HIDDEN;
void descriptor_opened(int number, struct descriptor descriptor) HIDDEN;
void descriptor_closed(int number) HIDDEN;

#endif
