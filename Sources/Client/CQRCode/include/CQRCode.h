#ifndef COORDINATORD_CQRCODE_H
#define COORDINATORD_CQRCODE_H

/* libqrencode, loaded when a code is first made. */
#include <qrencode.h>

/* Has to be called before any other function of this module, from any thread. Returns a null pointer, or why the library
   cannot be loaded: a text that lasts as long as the process. */
const char *cqrcode_load(void);

#endif
