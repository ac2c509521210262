/* The shells that execute the script to which this process belongs, where no engine runs it. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "text.h"

/* Ends them, by SIGTERM, and by SIGKILL where that does not do it. Returns when they have ended, or if there are none: a
   program in another language can see the exit status. */
void end_script(void);

#endif
