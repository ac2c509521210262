/* What the shim does besides carrying out requests: the conversation of a pinentry, and a request of systemd. */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "connection.h"

/* Passes on what is read from a descriptor, as it arrives, whenever the shim waits. */
void relay(int descriptor);
/* Ends the shim when a file is gone: somebody else has answered, or nobody waits any longer. */
void end_without(const char *path);
/* Waits for a message of the keeper. */
void wait_for_message(void);
/* Carries out a `datagram` request. */
void send_datagram(const struct message *message);

#endif
