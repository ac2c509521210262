/* The options that several kinds of questions have. */
#ifndef ASK_OPTIONS_H
#define ASK_OPTIONS_H

#include "command.h"
#include "question.h"

enum what {
  BODY, ACCENT, STEP, TIMEOUT, DEFAULT, OUTPUT_JSON, QR, PICTURE, CANCEL, ACTION, PRIMARY, DESTRUCTIVE, SUMMARY, SURE,
  DISABLED, SUBTITLE, GROUP, ERROR, WARNING, INFO, PARAGRAPH, BULLET, VERBATIM, STRONG, LINK, ITEMS, MULTIPLE, INITIAL, YES, NO,
};

extern const struct option common_options[], action_options[], list_options[], field_options[], field_details[];

/* Checks what can be checked only when all fields are known, and completes the form. */
void finish_fields(struct question *question);

#endif
