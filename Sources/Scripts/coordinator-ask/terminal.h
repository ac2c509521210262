/* Asks on the terminal, where there is no engine. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "text.h"

/* Opens /dev/tty; without one, ends with an error. */
void open_terminal(void);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum reply { REPLY_LINE, REPLY_TIMEOUT };
/* After `seconds` from now, read_reply() returns REPLY_TIMEOUT. */
void start_timeout(const char *seconds);
/* Reads a line without its end; valid until the next one. The end of the input cancels. */
enum reply read_reply(char **line);
/* Reads a line that is not shown; its length. */
size_t ask_secret(const char *name, char *secret, size_t room);
/* Ends the script, as Ctrl-C does. */
_Noreturn void cancel_script(void);

#endif
