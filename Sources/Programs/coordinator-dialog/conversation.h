/* The shim's tasks besides requests: the conversation of a pinentry, and a request of systemd. */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "connection.h"

#include <stdbool.h>

/* Passes on bytes from a descriptor as they arrive, whenever the shim waits. */
void relay(int descriptor);
bool is_conversation(void);
/* Ends the shim when a file is removed: another client has answered, or the asking process no longer waits. */
void end_without(const char *path);
/* Waits for a message of the keeper. */
void wait_for_message(void);
/* Carries out a `datagram` request. */
void send_datagram(const struct message *message);

#endif
