#include <crypt.h>

/* struct crypt_data is too large for Swift to import; crypt_rn takes it as bytes. */
static inline int ccrypt_data_size(void) { return (int)sizeof(struct crypt_data); }
