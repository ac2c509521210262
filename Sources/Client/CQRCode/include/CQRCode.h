#ifndef COORDINATORD_CQRCODE_H
#define COORDINATORD_CQRCODE_H

/* libqrencode, loaded when the first code is created. */
#include <qrencode.h>

/* Must be called before any other function of this module, from any thread. Returns a null pointer, or the reason why the
   library cannot be loaded: a text that remains valid until the process ends. */
const char *cqrcode_load(void);

#endif
