#ifndef ZEROING_FREE_H
#define ZEROING_FREE_H

/* Returns whether this process overwrites memory before it frees it. */
_Bool zeroing_free_is_on(void);

#endif
