#include "CFuzzer.h"

// libFuzzer is linked as a whole, with a main of its own that is not used, and that wants this.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  return -1;
}
