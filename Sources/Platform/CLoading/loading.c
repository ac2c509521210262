#define _GNU_SOURCE
#include "include/CLoading.h"

#include <dlfcn.h>
#include <string.h>

const char *cloading_load(const char *soname, const struct cloading_symbol *symbols) {
  /* The library stays loaded, because it may have registered handlers for the end of the process. */
  void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const struct cloading_symbol *symbol = symbols;
  if (handle != NULL)
    while (symbol->name != NULL && (*symbol->place = dlsym(handle, symbol->name)) != NULL) symbol++;
  if (handle != NULL && symbol->name == NULL) return NULL;
  for (symbol = symbols; symbol->name != NULL; symbol++) *symbol->place = NULL;
  const char *reason = dlerror();
  const char *text = reason != NULL ? strdup(reason) : NULL;
  return text != NULL ? text : "out of memory";
}
