#ifndef ZEROING_FREE_H
#define ZEROING_FREE_H

/* Whether memory that this process frees is overwritten first. */
_Bool zeroing_free_is_on(void);

#endif
