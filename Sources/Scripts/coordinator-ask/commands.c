/* The table of subcommands, and their help. */
#include "command.h"

#include <string.h>
#include <unistd.h>

#define SCREEN_PARTS \
  "\nOptions of the screen:\n" \
  "  --body TEXT             the text below the title\n" \
  "  --paragraph, --bullet, --verbatim, --strong TEXT\n" \
  "                          one more part of the body; the last is a paragraph in bold\n" \
  "  --link TEXT=ADDRESS     a paragraph that is a link: https://, http:// or mailto:\n" \
  "  --info, --warning, --error TEXT\n" \
  "                          a message; an empty TEXT is none. An error says that an answer to this\n" \
  "                          question could not be used\n" \
  "  --accent #RRGGBB        a color\n" \
  "  --step NUMBER[/COUNT]   the place in a sequence\n" \
  "  --qr TEXT               a QR code\n" \
  "  --picture FILE=TEXT     a PNG or JPEG file, and its description\n" \
  "  --timeout SECONDS       wait no longer; then the answer is the --default, or the exit status is 124\n" \
  "  --default VALUE         where the cursor begins, and what is chosen after the timeout. On a form, and for\n" \
  "                          what is destructive, only after the timeout\n"

#define SCREEN_OPTIONS SCREEN_PARTS "  --json                  print the whole answer as JSON\n"

#define ACTION_OPTIONS \
  "\nActions:\n" \
  "  --action, --primary, --destructive ID=TITLE\n" \
  "                          one more action\n" \
  "  --cancel[=[ID=]TITLE]   an action that ends the flow as cancelled\n" \
  "  --summary TEXT, --sure QUESTION, --disabled WHY\n" \
  "                          of the action before: explains it, asks before it, or makes it unavailable\n"

#define STEP_OPTIONS \
  "  --busy TEXT             what is shown meanwhile\n" \
  "  --attempts N            try up to N times while the command fails; a step is begun no more often, also over\n" \
  "                          crashes\n" \
  "  --progress              show what the command prints as NN%, with the words after it; these lines are not recorded\n" \
  "  --stoppable             the user can stop it: the command gets SIGTERM, and the script its status\n" \
  "  --secret-result         what it prints is a secret with the name of the step, which the next step can take\n"

const struct command commands[] = {
  {"menu", "NAME TITLE ID=TITLE…", "ask menu size \"How large?\" small=Small large=Large",
   "Asks which of a few actions to choose, and prints its id.\n" ACTION_OPTIONS SCREEN_OPTIONS, run_menu},
  {"list", "NAME TITLE [--items=-] [--multiple[=MIN-MAX]] ID=TITLE…",
   "ask list disk \"Which disk?\" sda=\"System disk\" sdb=\"USB stick\"",
   "Asks which rows to choose, and prints their ids, one a line. If an action is chosen, prints its id.\n"
   "\nOptions:\n"
   "  --items=-               read the rows from the standard input, up to its end: ID, or ID, TITLE,\n"
   "                          SUBTITLE and GROUP with tabs between them. Empty lines and repeated ids are\n"
   "                          skipped; ID=TITLE are further actions\n"
   "  --multiple[=MIN-MAX]    choose several rows\n"
   "  --initial ID            a row that is chosen at first; may be repeated. Without such a row, it is left out\n"
   "  --subtitle TEXT, --group TEXT, --disabled WHY\n"
   "                          of the row before\n" ACTION_OPTIONS SCREEN_OPTIONS, run_list},
  {"form", "NAME TITLE FIELD…",
   "ask form account \"Your account\" --text login=\"Log-in name\" --length 1..32 --secret password",
   "Asks for the values of fields. Prints the value, if there is one field that is not secret. Of several fields, and\n"
   "with several actions, prints assignments with --assignments, and JSON with --json; without either, it is an error.\n"
   "Secrets are not printed: ask step --stdin passes them to a command.\n"
   "\nFields, each KEY or KEY=TITLE:\n"
   "  --text, --multiline, --secret, --integer, --number, --flag\n"
   "  --choice, --several     with an --option for each choice\n"
   "  --texts, --integers, --numbers\n"
   "                          lists of values\n"
   "  --date, --time, --date-time, --duration, --email, --phone, --host, --ip, --url, --file, --uuid\n"
   "  --schema KEY=JSON       a field that Docs/forms.md describes as JSON Schema\n"
   "\nOf the field before:\n"
   "  --option ID=TITLE       a choice\n"
   "  --value VALUE           the value at first; may be repeated for lists; an empty VALUE is none\n"
   "  --optional              may be left empty; without it, a text has a character at least\n"
   "  --length, --range, --count MIN..MAX\n"
   "                          how many characters, which numbers, how many values\n"
   "  --pattern REGEX         what a text must contain, or with ^ and $ must be\n"
   "  --message TEXT          what is said about a value that breaks a rule\n"
   "  --help-text TEXT, --example VALUE, --unit UNIT, --purpose PURPOSE\n"
   "                          hints\n"
   "  --revealable            a secret may be shown while it is typed\n"
   "  --shown-if KEY=VALUE[,VALUE…]\n"
   "                          only if another field has one of the values\n"
   "  --same-as KEY           must be typed like the text or secret of another field\n"
   "\nOptions:\n"
   "  --submit ID=TITLE       the action that sends the form\n"
   "  --assignments           print name='value' lines for eval, and action='id' if there are several actions.\n"
   "                          '-' and '.' become '_' in names. Names without a lower-case letter, such as PATH,\n"
   "                          and two fields with the same name are refused\n"
   "  --error KEY=TEXT        a message about a field; also --warning and --info\n" ACTION_OPTIONS SCREEN_OPTIONS, run_form},
  {"confirm", "NAME TITLE [--yes TEXT] [--no TEXT]", "ask confirm erase \"Erase everything?\" --yes Erase --no Keep",
   "Asks a question, and exits with 0 for yes, and 1 for no. Prints nothing.\n"
   "\nOptions:\n"
   "  --yes TEXT, --no TEXT   the titles of the answers; their ids are yes and no\n"
   "  --destructive           yes destroys something\n" SCREEN_OPTIONS, run_confirm},
  {"message", "NAME TITLE [BODY] [ID=TITLE…]", "ask message done \"Connected\" \"This device is in the network.\"",
   "Shows a message, and waits until it has been read. Prints the id of the action, if there are several.\n"
   "Behind '--', the first word is BODY, even if it looks like ID=TITLE.\n" ACTION_OPTIONS
     SCREEN_OPTIONS, run_message},
  {"review", "NAME TITLE [BODY] [ID=TITLE…]", "ask review check \"Is this right?\" --primary apply=Apply",
   "Shows the answers since the last step, each of which the user can change, and waits until the user goes on. Prints\n"
   "the id of the action, if there are several. A change leads back to the question.\n" ACTION_OPTIONS
     SCREEN_OPTIONS, run_review},
  {"look", "NAME [--busy TEXT] -- COMMAND…",
   "ask look scan --busy \"Looking for networks\" -- nmcli -e no -g SSID device wifi list",
   "Runs a command that changes nothing. What it prints and its exit status are recorded, and are those of this\n"
   "command. Of more than 64 KiB, the first lines are kept, with a notice; after 16 MiB the command is ended.\n"
   "\nOptions:\n" STEP_OPTIONS, run_look},
  {"step", "NAME [--stdin SECRET]… [--busy TEXT] [--undo WORD…] -- COMMAND…",
   "ask step join --stdin passphrase -- nmcli --ask device wifi connect home",
   "Runs a command that has an effect. What it prints and its exit status are recorded, and are those of this\n"
   "command. Of more than 64 KiB, the first lines are kept, with a notice. A step that was interrupted is begun\n"
   "again. The command finds in its environment: COORDINATOR_KEY, the same in each attempt, and\n"
   "COORDINATOR_ATTEMPT, which counts them.\n"
   "\nOptions:\n"
   "  --stdin SECRET          the standard input is this secret of the last form; without it, it is empty. Of\n"
   "                          several, each is on a line, in this order\n"
   "  --fd N=SECRET           the command reads this secret from the descriptor N, from 3 to 9\n"
   "  --once                  never begin it again: exit with 1 if it is not known whether it was done\n"
   "  --undo WORD…            the command that takes it back when the user goes back, up to the '--' of the\n"
   "                          step's own command: the last option. No shell reads it\n"
   "  --undo=COUNT WORD…      the same with so many words, of which any may be '--'\n" STEP_OPTIONS, run_step},
  {"progress", "PERCENT [TEXT]", "ask progress 40 \"Copying files\"",
   "Shows how far the command of a step or look has got, in which it runs.\n", run_progress},
  {"finish", "[KEY=VALUE | KEY:=JSON]…", "ask finish size=\"$size\" paid:=true",
   "Ends the flow as finished, with this result.\n", run_finish},
  {"fail", "CODE MESSAGE", "ask fail no-disk \"There is no disk.\"", "Ends the flow as failed.\n", run_fail},
  {"cancel", "", "ask cancel", "Ends the flow as cancelled.\n", run_cancel},
  {"again", "[KEY=VALUE | KEY:=JSON]…", "ask again folder=\"$folder\"",
   "Begins the script anew with this input, and forgets all answers and steps.\n", run_again},
  {"run", "FLOW [--name NAME] [--value KEY] [KEY=VALUE | KEY:=JSON]…", "login=$(ask run account --value login role=admin)",
   "Runs another flow with this input. Exits with 0 if it finished, 1 if it was cancelled, and 3 if it failed. Prints\n"
   "its result only with one of the options:\n"
   "\nOptions:\n"
   "  --name NAME             the name of this use, if it is not that of the flow\n"
   "  --value KEY             print one value of the result\n"
   "  --assignments=KEY,KEY…  print name='value' lines for eval, for these keys\n"
   "  --assignments           the same for all keys of the result. The flow chooses them, so it can set any variable\n"
   "                          of the script, but those that form --assignments refuses\n"
   "  --json                  print the result as JSON\n", run_child},
  {"sleep", "NAME SECONDS", "ask sleep pause 60",
   "Waits, also if the computer or the script is started anew.\n", run_sleep},
  {"now", "", "ask now", "Prints the time in seconds since 1970, the same in each run.\n", run_value},
  {"random", "", "ask random", "Prints a random number from 0 to 1, the same in each run.\n", run_value},
  {"uuid", "", "ask uuid", "Prints a random UUID, the same in each run.\n", run_value},
  {"patched", "NAME", "if ask patched sure; then ask confirm sure \"Are you sure?\"; fi",
   "Exits with 0 where a script may do something new, and with 1 where it has been further before it was changed.\n", run_patched},
  {"language", "[LANGUAGE | --choose[=TITLE] [LANGUAGE…]]",
   "LANGUAGE=$(ask language --choose en de); export LANGUAGE",
   "Prints the language of the user, as gettext(1) uses it: de, pt_BR. With LANGUAGE, shows the whole flow in it from\n"
   "here on: the script runs again from its first line, and its answers and steps are kept. With --choose, asks for\n"
   "the language first, and prints it. The rows are the LANGUAGEs; without any, those of the catalogs of TEXTDOMAIN\n"
   "in TEXTDOMAINDIR; without these, those of coordinatord. Each has its own name, and the user's comes first.\n"
   "A script on a terminal without coordinatord exports what it prints: the example does the same in both.\n"
   "\nOptions:\n"
   "  --choose[=TITLE]        ask for the language; the title is Language, in the user's language\n"
   "  --name NAME             the name of the question, if it is not 'language'\n" SCREEN_PARTS, run_language},
  {"input", "KEY [DEFAULT] | --assignments KEY[=DEFAULT]…", "ask input color red",
   "Prints a value of the flow's input. Without it, prints DEFAULT, or exits with 1.\n"
   "\n  --assignments KEY[=DEFAULT]…\n"
   "                          print name='value' lines for eval, for these keys\n", run_input},
  {0},
};

static const char intro[] =
  "Usage: ask COMMAND …\n\n"
  "Asks the questions and does the steps of a flow that is a shell script. Its flow is run by coordinatord, and can be\n"
  "answered wherever flows are shown; without it, in a terminal, the same questions are asked there.\n\nCommands:\n";

static const char rest[] =
  "\n'ask COMMAND --help' explains a command. NAME consists of letters, digits, '.', '_' and '-'.\n\n"
  "Exit status:\n"
  "  0    success\n"
  "  1    the answer is no, the flow was cancelled, or there is no such value\n"
  "  2    the command line is wrong\n"
  "  3    there is no terminal to ask on, or the flow failed\n"
  "  124  the timeout is over, and there is no default\n"
  "look and step exit with the status of their command. When the user goes back or cancels, the script is killed;\n"
  "so it is if there is no terminal to ask on, because it would go on with an empty answer.\n";

void print_help(const struct command *command) {
  struct text text = {0};
  if (command == NULL) {
    text_string(&text, intro);
    for (const struct command *one = commands; one->name != NULL; one++)
      text_format(&text, "  %-9s %s\n", one->name, one->synopsis);
    text_string(&text, rest);
  } else {
    text_format(&text, "Usage: ask %s %s\n\n%s\nExample:\n  %s\n", command->name, command->synopsis, command->help,
                command->example);
  }
  write_all(STDOUT_FILENO, text.bytes, text.length);
}
