/* libFuzzer as a library, which the compiler's option -fsanitize=fuzzer links.
   Source: "libFuzzer: a library for coverage-guided fuzz testing", section "Using libFuzzer as a library". */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
