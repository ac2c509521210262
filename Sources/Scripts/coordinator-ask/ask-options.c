/* The options that several kinds of questions have. */
#include "ask-options.h"
#include "json.h"
#include "shell.h"

#include <string.h>

static const char *const action_roles[] = {
  [ACTION] = "normal", [PRIMARY] = "primary", [DESTRUCTIVE] = "destructive"};
static const char *const levels[] = {[ERROR] = "error", [WARNING] = "warning", [INFO] = "info"};
static const char *const block_kinds[] = {[PARAGRAPH] = "paragraph", [BULLET] = "bullet", [VERBATIM] = "verbatim", [STRONG] = "paragraph", [LINK] = "paragraph"};

static void take_step(struct question *question, const char *value) {
  const char *slash = strchr(value, '/');
  size_t length = slash == NULL ? strlen(value) : (size_t)(slash - value);
  bool good = read_number(value, length, 9999, &question->step) && question->step > 0;
  if (good && slash != NULL) good = read_number(slash + 1, strlen(slash + 1), 9999, &question->steps);
  if (!good || (slash != NULL && question->steps < question->step)) wrong("the --step '%.100s' is neither NUMBER nor NUMBER/COUNT, such as 2/5", value);
}

static void take_multiple(struct question *question, const char *value) {
  question->multiple = true;
  question->most = (unsigned long long)-1;
  if (value == NULL) return;
  const char *dash = strchr(value, '-');
  size_t length = dash == NULL ? strlen(value) : (size_t)(dash - value);
  bool good = length == 0 ? dash != NULL : read_number(value, length, 1 << 20, &question->least);
  if (dash == NULL) question->most = question->least;
  else if (dash[1] != 0) good = good && read_number(dash + 1, strlen(dash + 1), 1 << 20, &question->most);
  if (!good || question->most < question->least || question->most == 0)
    wrong("--multiple='%.100s' is not MIN-MAX, such as --multiple=1-3", value);
}

static void take_default(struct question *question, const char *value) {
  *APPEND(question->defaults, question->default_count) = value;
}

static void take_timeout(struct question *question, const char *value) {
  bool integer;
  if (!json_is_number(value, &integer) || *value == '-' || strspn(value, "0.") == strlen(value) || strpbrk(value, "eE"))
    wrong("the --timeout '%.100s' is not a number of seconds above 0, such as 60", value);
  question->timeout = value;
}

static void take_accent(struct question *question, const char *value) {
  if (strlen(value) != 7 || *value != '#' || strspn(value + 1, "0123456789abcdefABCDEF") != 6)
    wrong("the --accent '%.100s' is not #RRGGBB, such as #2e7d32", value);
  question->accent = value;
}

/* An option that explains an action or a row applies to the one before it. */
static void take_detail(struct question *question, int what, const char *value) {
  const char *option = what == SUBTITLE ? "--subtitle" : what == SUMMARY ? "--summary" : what == GROUP ? "--group"
    : what == SURE ? "--sure" : "--disabled";
  struct action *action = question->action_count == 0 ? NULL : &question->actions[question->action_count - 1];
  struct item *item = question->item_count == 0 ? NULL : &question->items[question->item_count - 1];
  if (item != NULL) {
    if (what == SUBTITLE || what == SUMMARY) item->subtitle = value;
    else if (what == GROUP) item->group = value;
    else if (what == DISABLED) item->disabled = value;
    else wrong("--sure is about an action, but follows the row '%.100s'", item->id);
    return;
  }
  if (action == NULL) wrong("the %s '%.100s' follows no ID=TITLE: give it behind the one that it is about", option, value);
  if (what == SUMMARY) action->summary = value;
  else if (what == SURE) action->sure = value;
  else if (what == DISABLED) action->disabled = value;
  else wrong("%s is about a row of a list, but follows the action '%.100s', which --summary explains", option, action->id);
}

/* Takes TEXT=ADDRESS, or ADDRESS, which is then also the text. */
static void take_link(struct block *block, const char *value) {
  static const char *const schemes[] = {"https://", "http://", "mailto:"};
  char *text = NULL, *address = (char *)value;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strncmp(value, schemes[i], strlen(schemes[i])) == 0) text = (char *)value;
  }
  if (text == NULL) split_pair(value, &text, &address, true);
  block->text = text;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strncmp(address, schemes[i], strlen(schemes[i])) == 0) block->link = address;
  }
  if (block->link == NULL) wrong("--link takes TEXT=ADDRESS with an address that begins with https://, http:// or mailto:, not '%.100s'", value);
}

static void take_common(void *context, int what, const char *value) {
  struct question *question = context;
  switch (what) {
    case BODY: question->body = value; break;
    case ACCENT: take_accent(question, value); break;
    case STEP: take_step(question, value); break;
    case TIMEOUT: take_timeout(question, value); break;
    case DEFAULT: take_default(question, value); break;
    case OUTPUT_JSON:
      if (question->output != NULL && strcmp(question->output, "assignments") == 0 && assignments_are_asked_for())
        wrong("--assignments and --json exclude each other: each says how the answer is printed");
      question->output = "json";
      break;
    case QR: question->code = value; break;
    case PICTURE: {
      char *file, *description;
      split_pair(value, &file, &description, true);
      question->picture = read_picture(file, description);
      question->picture_text = description;
      break;
    }
    case ERROR:
    case WARNING:
    case INFO: {
      if (*value == 0) break;
      struct message *message = APPEND(question->messages, question->message_count);
      message->level = levels[what];
      message->text = value;
      break;
    }
    case PARAGRAPH:
    case BULLET:
    case VERBATIM:
    case STRONG:
    case LINK: {
      struct block *block = APPEND(question->blocks, question->block_count);
      *block = (struct block){.kind = block_kinds[what], .text = value, .style = what == STRONG ? "strong" : NULL};
      if (what == LINK) take_link(block, value);
    }
  }
}

static void take_action(void *context, int what, const char *value) {
  struct question *question = context;
  char *id, *title;
  if (what == CANCEL) {
    id = "cancel";
    title = value == NULL ? "Cancel" : (char *)value;
    if (value != NULL && strchr(value, '=') != NULL) split_pair(value, &id, &title, true);
    add_action(question, id, title, "cancel");
  } else if (what == ACTION || what == PRIMARY || what == DESTRUCTIVE) {
    split_pair(value, &id, &title, true);
    if (what == PRIMARY && primary_action(question) != NULL)
      wrong("only one action is --primary: '%.100s' is one already, so '%.100s' is an --action", primary_action(question)->id, id);
    add_action(question, id, title, action_roles[what]);
  } else {
    take_detail(question, what, value);
  }
}

static void take_list(void *context, int what, const char *value) {
  struct question *question = context;
  if (what == ITEMS) {
    if (strcmp(value, "-") != 0) wrong("the --items '%.100s' is not '-': the rows come from the standard input", value);
    question->items_from_stdin = true;
  } else if (what == MULTIPLE) {
    take_multiple(question, value);
  } else {
    *APPEND(question->initial, question->initial_count) = value;
  }
}

const struct option common_options[] = {
  {"--body", A_VALUE, take_common, BODY}, {"--accent", A_VALUE, take_common, ACCENT},
  {"--step", A_VALUE, take_common, STEP}, {"--timeout", A_VALUE, take_common, TIMEOUT},
  {"--default", A_VALUE, take_common, DEFAULT}, {"--json", NO_VALUE, take_common, OUTPUT_JSON},
  {"--qr", A_VALUE, take_common, QR}, {"--picture", A_VALUE, take_common, PICTURE},
  {"--error", A_VALUE, take_common, ERROR}, {"--warning", A_VALUE, take_common, WARNING},
  {"--info", A_VALUE, take_common, INFO}, {"--paragraph", A_VALUE, take_common, PARAGRAPH},
  {"--bullet", A_VALUE, take_common, BULLET}, {"--verbatim", A_VALUE, take_common, VERBATIM},
  {"--strong", A_VALUE, take_common, STRONG}, {"--link", A_VALUE, take_common, LINK}, {0}};

const struct option action_options[] = {
  {"--cancel", MAYBE_VALUE, take_action, CANCEL}, {"--action", A_VALUE, take_action, ACTION},
  {"--primary", A_VALUE, take_action, PRIMARY}, {"--destructive", A_VALUE, take_action, DESTRUCTIVE},
  {"--summary", A_VALUE, take_action, SUMMARY}, {"--sure", A_VALUE, take_action, SURE},
  {"--disabled", A_VALUE, take_action, DISABLED}, {0}};

const struct option list_options[] = {
  {"--items", A_VALUE, take_list, ITEMS}, {"--multiple", MAYBE_VALUE, take_list, MULTIPLE},
  {"--initial", A_VALUE, take_list, INITIAL}, {"--subtitle", A_VALUE, take_action, SUBTITLE},
  {"--group", A_VALUE, take_action, GROUP}, {0}};
