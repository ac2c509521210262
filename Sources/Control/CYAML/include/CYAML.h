#ifndef COORDINATORD_CYAML_H
#define COORDINATORD_CYAML_H

/* libyaml's parser, loaded when a file is first read. */
#include <yaml.h>

/* Has to be called before any other function of this module, from any thread. Returns a null pointer, or why the library
   cannot be loaded: a text that lasts as long as the process. */
const char *cyaml_load(void);

#endif
