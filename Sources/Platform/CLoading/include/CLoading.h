/*
 * Libraries that are loaded when they are first used.
 *
 * Of the many names that the tools have, few need a library of their own, and to link it would cost every start of every
 * name its time and memory: about 0.15 ms and 100 KB for a small one. A module defines the library's functions under their
 * own names, hidden, so that the library itself finds its own ones; each calls the function that was loaded.
 *
 * A list of functions is a macro with a parameter X:
 *
 *   X(result, what to return without the library, name, parameters, arguments)   in FUNCTIONS
 *   X(name, parameters, arguments)                                              in PROCEDURES, which return nothing
 *   X(name)                                                                     in OTHERS: variables, and functions that the
 *                                                                               module defines itself
 */
#ifndef COORDINATORD_CLOADING_H
#define COORDINATORD_CLOADING_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* A function or variable of a library, and where its address belongs. */
struct cloading_symbol {
  const char *name;
  void **place;
};

/* Loads the first library of a list that is there, for the rest of the process, and all symbols of another list; the last
   element of either has a null pointer. Returns a null pointer, or why there is none: a text that lasts as long as the
   process. The places are null then. */
const char *cloading_load(const char *const *sonames, const struct cloading_symbol *symbols);

/* An empty list. */
#define CLOADING_NONE(X)

#define CLOADING_MEMBER(result, failure, name, parameters, arguments) __typeof__(&name) name;
#define CLOADING_MEMBER_OF_PROCEDURE(name, parameters, arguments) __typeof__(&name) name;
#define CLOADING_MEMBER_OF_OTHER(name) __typeof__(&name) name;
#define CLOADING_SYMBOL(result, failure, name, parameters, arguments) {#name, (void **)&library.name},
#define CLOADING_SYMBOL_OF_PROCEDURE(name, parameters, arguments) {#name, (void **)&library.name},
#define CLOADING_SYMBOL_OF_OTHER(name) {#name, (void **)&library.name},
#define CLOADING_FUNCTION(result, failure, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { \
    return library.name != NULL ? library.name arguments : failure; \
  }
#define CLOADING_PROCEDURE(name, parameters, arguments) \
  __attribute__((visibility("hidden"))) void name parameters { \
    if (library.name != NULL) library.name arguments; \
  }

/* Defines `library`, which holds the addresses, the functions and procedures, and load_name(), which has to be called before
   any of them, from any thread: `const char *load_name(void)` returns what cloading_load() does. The file names of the
   library follow, those that are tried first coming first. `library` is written once, before load_name() returns. */
#define CLOADING_LIBRARY(load_name, FUNCTIONS, PROCEDURES, OTHERS, ...) \
  static struct { \
    FUNCTIONS(CLOADING_MEMBER) \
    PROCEDURES(CLOADING_MEMBER_OF_PROCEDURE) \
    OTHERS(CLOADING_MEMBER_OF_OTHER) \
  } library; \
  FUNCTIONS(CLOADING_FUNCTION) \
  PROCEDURES(CLOADING_PROCEDURE) \
  static const char *load_failure; \
  static void load(void) { \
    static const char *const sonames[] = {__VA_ARGS__, NULL}; \
    static const struct cloading_symbol symbols[] = { \
        FUNCTIONS(CLOADING_SYMBOL) PROCEDURES(CLOADING_SYMBOL_OF_PROCEDURE) OTHERS(CLOADING_SYMBOL_OF_OTHER){NULL, NULL}}; \
    load_failure = cloading_load(sonames, symbols); \
  } \
  const char *load_name(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    pthread_once(&once, load); \
    return load_failure; \
  }

/* Says in the program's file that it loads a library. Source: the ELF dlopen metadata specification of the UAPI group.
   The parameters are literals. */
#define CLOADING_NOTE(feature, description, priority, soname) \
  CLOADING_NOTE_OF("[{\"feature\":\"" feature "\",\"description\":\"" description "\",\"priority\":\"" priority \
                   "\",\"soname\":[\"" soname "\"]}]")
#define CLOADING_NOTE_OF(json) \
  __attribute__((used, aligned(4), section(".note.dlopen"))) static const struct { \
    uint32_t name_size, text_size, type; \
    char name[4]; \
    _Alignas(4) char text[sizeof(json)]; \
  } note = {4, sizeof(json), 0x407c0c0a, "FDO", json};

#endif
