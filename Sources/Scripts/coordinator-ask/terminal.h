/* Asks on the terminal, outside of a run: starts coordinator-scripts, which shows one question as `coordinator-tui
   --linear` does, and replies like an engine. */
#ifndef TERMINAL_H
#define TERMINAL_H

/* Starts the conversation. Returns a socket that accepts an operation. Ends the process with an error if there is no
   terminal, or coordinator-scripts is missing. From this call on, a signal that would end this process first ends the
   conversation, which restores the terminal. */
int begin_conversation(void);
/* Waits until the conversation has replied, or has ended. */
void await_conversation(int socket);
/* Waits for the end of a conversation that has replied. */
void end_conversation(void);
/* Ends the script because there will be no answer: the user has cancelled, the terminal is gone, or coordinator-scripts
   is missing. */
_Noreturn void lose_conversation(void);
/* Ends the script as cancelled. */
_Noreturn void cancel_script(void);

#endif
