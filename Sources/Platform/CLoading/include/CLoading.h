/* Loads libraries at their first use.

   The installed tools are one program, and few of them need a given library. Linking it would cost each start of each tool
   about 0.15 ms and 100 KB. A module defines the library's functions under their own names, and each calls the function
   that was loaded. They are hidden, so that the library's own calls do not reach them.

   Packages must name these libraries: see Packaging/debian/control.

   A list of functions is a macro with a parameter X:

     X(result, value without the library, name, parameters, arguments)   in FUNCTIONS
     X(name, parameters, arguments)                                      in PROCEDURES, which return nothing
     X(name)                                                             in OTHERS: variables, and functions that the
                                                                         module defines itself */
#ifndef COORDINATORD_CLOADING_H
#define COORDINATORD_CLOADING_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* A function or variable of a library, and the location for its address. */
struct cloading_symbol {
  const char *name;
  void **place;
};

/* Loads a library until the process ends, and a list of its symbols, the last element of which has no name. Returns a null
   pointer, or the reason of the failure: a text that remains valid until the process ends. The addresses are null then. */
const char *cloading_load(const char *soname, const struct cloading_symbol *symbols);

/* An empty list. */
#define CLOADING_NONE(X)

#define CLOADING_MEMBER(result, failure, name, parameters, arguments) __typeof__(&name) name;
#define CLOADING_MEMBER_WITHOUT_RESULT(name, ...) __typeof__(&name) name;
#define CLOADING_SYMBOL(result, failure, name, parameters, arguments) {#name, (void **)&library.name},
#define CLOADING_SYMBOL_WITHOUT_RESULT(name, ...) {#name, (void **)&library.name},
#define CLOADING_FUNCTION(result, failure, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { \
    return library.name != NULL ? library.name arguments : failure; \
  }
#define CLOADING_PROCEDURE(name, parameters, arguments) \
  __attribute__((visibility("hidden"))) void name parameters { \
    if (library.name != NULL) library.name arguments; \
  }

/* Defines `library`, which contains the addresses, the functions and procedures, and load_name(), which must be called
   before any of them, from any thread: `const char *load_name(void)` returns what cloading_load() does. `library` is written once,
   before load_name() returns. */
#define CLOADING_LIBRARY(load_name, FUNCTIONS, PROCEDURES, OTHERS, soname) \
  static struct { \
    FUNCTIONS(CLOADING_MEMBER) \
    PROCEDURES(CLOADING_MEMBER_WITHOUT_RESULT) \
    OTHERS(CLOADING_MEMBER_WITHOUT_RESULT) \
  } library; \
  FUNCTIONS(CLOADING_FUNCTION) \
  PROCEDURES(CLOADING_PROCEDURE) \
  static const char *load_failure; \
  static void load(void) { \
    static const struct cloading_symbol symbols[] = { \
        FUNCTIONS(CLOADING_SYMBOL) PROCEDURES(CLOADING_SYMBOL_WITHOUT_RESULT) OTHERS(CLOADING_SYMBOL_WITHOUT_RESULT){NULL, NULL}}; \
    load_failure = cloading_load(soname, symbols); \
  } \
  const char *load_name(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    pthread_once(&once, load); \
    return load_failure; \
  }

/* Records in the program's file that it loads a library. Source: the ELF dlopen metadata specification of the UAPI group.
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
