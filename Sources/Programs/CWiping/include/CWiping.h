#pragma once

/// Makes the process overwrite memory with zeros when it is freed, so that values of secrets do not stay in it. This
/// holds for every program that links this function, even if it does not call it; with a sanitizer, nothing is
/// replaced.
void coordinatord_wipe_freed_memory(void);
