#include "include/CCrypt.h"

#include <CLoading.h>

/* Without DES's old functions, which are not used here, the same library is called libcrypt.so.2. */
#define SONAME "libcrypt.so.1"
#define OTHER_SONAME "libcrypt.so.2"
CLOADING_NOTE("passwords", "hashes of passwords", "required", SONAME "\",\"" OTHER_SONAME)

#define FUNCTIONS(X) \
  X(int, CRYPT_SALT_INVALID, crypt_checksalt, (const char *a), (a)) \
  X(char *, NULL, crypt_gensalt_rn, (const char *a, unsigned long b, const char *c, int d, char *e, int f), \
    (a, b, c, d, e, f)) \
  X(char *, NULL, crypt_rn, (const char *a, const char *b, void *c, int d), (a, b, c, d))

CLOADING_LIBRARY(ccrypt_load, FUNCTIONS, CLOADING_NONE, CLOADING_NONE, SONAME, OTHER_SONAME)
