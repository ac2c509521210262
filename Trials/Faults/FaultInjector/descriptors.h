/* The process's descriptors of watched files. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "injector.h"

struct descriptor {
  bool is_ours;
  enum fault_file file;
  uint64_t handle;
};

/* Returns the entry of a descriptor; zeros if it is not watched. */
struct descriptor descriptor_at(int number) HIDDEN;
void descriptor_opened(int number, struct descriptor descriptor) HIDDEN;
void descriptor_closed(int number) HIDDEN;

#endif
