#include "CFuzzer.h"

// libFuzzer is linked as a whole, with a main function that is not used but needs this one.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  return -1;
}
