/* libxcrypt, loaded when a password is first hashed. */
#include <crypt.h>

/* Has to be called before any other function of this module, from any thread. Returns a null pointer, or why the library
   cannot be loaded: a text that lasts as long as the process. */
const char *ccrypt_load(void);

/* struct crypt_data is too large for Swift to import; crypt_rn takes it as bytes. */
static inline int ccrypt_data_size(void) { return (int)sizeof(struct crypt_data); }
