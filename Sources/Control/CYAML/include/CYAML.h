#ifndef COORDINATORD_CYAML_H
#define COORDINATORD_CYAML_H

/* libyaml's parser, loaded when a file is first read. */
#include <yaml.h>

/* Must be called before any other function of this module, from any thread. Returns a null pointer, or the reason why the
   library cannot be loaded: a text that remains valid until the process ends. */
const char *cyaml_load(void);

#endif
