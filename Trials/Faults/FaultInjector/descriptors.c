#include "descriptors.h"

#include <pthread.h>

#define DESCRIPTORS 65536

static struct descriptor descriptors[DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set(int number, struct descriptor descriptor) {
  if (number < 0 || number >= DESCRIPTORS) return;
  pthread_mutex_lock(&lock);
  descriptors[number] = descriptor;
  pthread_mutex_unlock(&lock);
}

struct descriptor descriptor_at(int number) {
  struct descriptor found = {0};
  if (injector_plan == NULL || number < 0 || number >= DESCRIPTORS) return found;
  pthread_mutex_lock(&lock);
  found = descriptors[number];
  pthread_mutex_unlock(&lock);
  return found;
}

void descriptor_opened(int number, struct descriptor descriptor) { set(number, descriptor); }

void descriptor_closed(int number) {
  if (injector_plan != NULL) set(number, (struct descriptor){0});
}
