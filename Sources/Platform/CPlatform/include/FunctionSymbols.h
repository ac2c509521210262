#ifndef FUNCTION_SYMBOLS_H
#define FUNCTION_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* Calls BODY with CONTEXT for the name of each function whose name begins with PREFIX, in the program or library that
   contains ADDRESS. Finds none if that file is stripped or cannot be read.

   Source: elf(5). */
void function_symbols(const void *address, const char *prefix, void (*body)(const char *name, void *context), void *context);

/* Part of the Swift runtime: returns the demangled name, which the caller frees, or NULL if the name is not mangled. */
char *swift_demangle(const char *name, size_t length, char *output, size_t *output_size, uint32_t flags);

#endif
