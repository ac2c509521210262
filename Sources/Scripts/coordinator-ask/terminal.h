/* Asks on the terminal, where there is no engine: by coordinator-scripts, which shows one question as `coordinator-tui --linear`
   does, and says what an engine would. */
#ifndef TERMINAL_H
#define TERMINAL_H

/* Starts the conversation. Returns the socket at which it takes an operation. Without a terminal, or without the program, ends
   with an error. From now on, what would end this process first ends the conversation, which leaves the terminal as it was. */
int begin_conversation(void);
/* Waits until the conversation has said something, or is over. */
void await_conversation(int socket);
/* Waits for its end, when it has answered. */
void end_conversation(void);
/* Ends the script, because there will be no answer: somebody has cancelled it, or the terminal or the program is gone. */
_Noreturn void lose_conversation(void);
/* Ends the script as cancelled. */
_Noreturn void cancel_script(void);

#endif
