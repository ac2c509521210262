#include "include/CNCurses.h"

#include <CLoading.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SONAME "libncursesw.so.6"
CLOADING_NOTE("terminal", "flows on the whole screen of a terminal", "recommended", SONAME)

#define FUNCTIONS(X) \
  X(int, ERR, cbreak, (void), ()) \
  X(int, ERR, clearok, (WINDOW * a, bool b), (a, b)) \
  X(int, ERR, curs_set, (int a), (a)) \
  X(int, ERR, define_key, (const char *a, int b), (a, b)) \
  X(int, ERR, endwin, (void), ()) \
  X(int, ERR, getmouse, (MEVENT * a), (a)) \
  X(bool, false, has_colors, (void), ()) \
  X(int, ERR, idlok, (WINDOW * a, bool b), (a, b)) \
  X(int, ERR, init_extended_pair, (int a, int b, int c), (a, b, c)) \
  X(int, ERR, init_pair, (short a, short b, short c), (a, b, c)) \
  X(int, ERR, intrflush, (WINDOW * a, bool b), (a, b)) \
  X(int, ERR, keypad, (WINDOW * a, bool b), (a, b)) \
  X(int, ERR, mouseinterval, (int a), (a)) \
  X(mmask_t, 0, mousemask, (mmask_t a, mmask_t *b), (a, b)) \
  X(int, ERR, mvwadd_wch, (WINDOW * a, int b, int c, const cchar_t *d), (a, b, c, d)) \
  X(SCREEN *, NULL, newterm, (const char *a, FILE *b, FILE *c), (a, b, c)) \
  X(int, ERR, nodelay, (WINDOW * a, bool b), (a, b)) \
  X(int, ERR, noecho, (void), ()) \
  X(int, ERR, nonl, (void), ()) \
  X(int, ERR, reset_prog_mode, (void), ()) \
  X(int, ERR, resizeterm, (int a, int b), (a, b)) \
  X(int, ERR, set_escdelay, (int a), (a)) \
  X(int, ERR, setcchar, (cchar_t * a, const wchar_t *b, const attr_t c, short d, const void *e), (a, b, c, d, e)) \
  X(int, ERR, start_color, (void), ()) \
  X(char *, NULL, tigetstr, (const char *a), (a)) \
  X(int, ERR, use_default_colors, (void), ()) \
  X(int, ERR, wclrtoeol, (WINDOW * a), (a)) \
  X(int, ERR, werase, (WINDOW * a), (a)) \
  X(int, ERR, wget_wch, (WINDOW * a, wint_t *b), (a, b)) \
  X(int, ERR, wmove, (WINDOW * a, int b, int c), (a, b, c)) \
  X(int, ERR, wrefresh, (WINDOW * a), (a))
#define VARIABLES(X) X(COLORS) X(COLOR_PAIRS) X(curscr) X(stdscr)

CLOADING_LIBRARY(ccurses_load, FUNCTIONS, CLOADING_NONE, VARIABLES, SONAME)

/* Without a locale, or with one that is not installed, C has ASCII only, and ncurses drops the other letters that are
   typed, in secrets as well. Terminals send UTF-8. */
static void choose_encoding(void) {
  if (setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0) setlocale(LC_CTYPE, "C.UTF-8");
}

bool ccurses_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

bool ccurses_start(void) {
  choose_encoding();
  if (newterm(NULL, stdout, stdin) == NULL) return false;
  cbreak();
  noecho();
  nonl();
  intrflush(*library.stdscr, false);
  keypad(*library.stdscr, true);
  nodelay(*library.stdscr, true);
  idlok(*library.stdscr, true);
  set_escdelay(25);
  return true;
}

bool ccurses_start_colours(void) {
  if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) return false;
  for (short colour = 1; colour <= 6; colour++) init_pair(colour, colour, -1);
  init_pair(7, COLOR_WHITE, COLOR_BLACK);
  return true;
}

int ccurses_colours(void) { return *library.COLORS; }

bool ccurses_define(int pair, int colour) {
  return pair < *library.COLOR_PAIRS && init_extended_pair(pair, colour, -1) == OK;
}

void ccurses_start_mouse(void) {
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

enum ccurses_mouse ccurses_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return CCURSES_OTHER;
  *row = event.y;
  *column = event.x;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return CCURSES_CLICK;
  if (event.bstate & BUTTON4_PRESSED) return CCURSES_WHEEL_UP;
  if (event.bstate & BUTTON5_PRESSED) return CCURSES_WHEEL_DOWN;
  return CCURSES_OTHER;
}

enum ccurses_read ccurses_read(wint_t *key) {
  switch (wget_wch(*library.stdscr, key)) {
  case OK: return CCURSES_CHARACTER;
  case KEY_CODE_YES: return CCURSES_KEY;
  default: return CCURSES_NOTHING;
  }
}

void ccurses_put(int row, int column, const wchar_t *text, attr_t attributes, short colour) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, colour, NULL) == OK) mvwadd_wch(*library.stdscr, row, column, &cell);
}

void ccurses_erase(void) { werase(*library.stdscr); }

void ccurses_erase_row(int row) {
  if (wmove(*library.stdscr, row, 0) == OK) wclrtoeol(*library.stdscr);
}

void ccurses_show(int row, int column, bool is_visible) {
  curs_set(is_visible ? 1 : 0);
  wmove(*library.stdscr, row, column);
  wrefresh(*library.stdscr);
}

void ccurses_forget(void) { clearok(*library.curscr, true); }

bool ccurses_size(int *rows, int *columns) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}
