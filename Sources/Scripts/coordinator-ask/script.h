/* The shells that execute the script to which this process belongs, outside of a run. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "text.h"

/* Ends these shells, by SIGTERM and then by SIGKILL. Returns when they have ended, or if there are none, because a
   program in another language can check the exit status. */
void end_script(void);

#endif
