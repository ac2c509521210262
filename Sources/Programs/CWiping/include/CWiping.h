#pragma once

/// Has memory overwritten with zeros when it is freed, for as long as the process lives: values of secrets do not stay
/// in it. Programs that link this function have it, whether they call it or not; with a sanitizer, nothing is replaced.
void coordinatord_wipe_freed_memory(void);
