#ifndef COORDINATORD_CNCURSES_H
#define COORDINATORD_CNCURSES_H

/* Enables wide characters, and declares functions in place of macros, which Swift does not import. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* The width that ncurses assigns to a character. The C library declares it only with _XOPEN_SOURCE. */
extern int wcwidth(wchar_t character);

/* Takes over the terminal; returns false on failure. initscr would end the process in that case. */
static inline bool ccurses_start(void) {
  setlocale(LC_CTYPE, "");
  if (newterm(NULL, stdout, stdin) == NULL) return false;
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, false);
  keypad(stdscr, true);
  nodelay(stdscr, true);
  idlok(stdscr, true);
  set_escdelay(25);
  return true;
}

/* Initializes the color pairs 1 to 6: the colors 1 to 6 on the default background; and 7: white on black. Returns false
   without colors. */
static inline bool ccurses_start_colours(void) {
  if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) return false;
  for (short colour = 1; colour <= 6; colour++) init_pair(colour, colour, -1);
  init_pair(7, COLOR_WHITE, COLOR_BLACK);
  return true;
}

/* The number of colors that the terminal has. */
static inline int ccurses_colours(void) { return COLORS; }

/* Defines a color pair with a color on the default background; returns false if there are no more pairs. */
static inline bool ccurses_define(int pair, int colour) {
  return pair < COLOR_PAIRS && init_extended_pair(pair, colour, -1) == OK;
}

static inline void ccurses_start_mouse(void) {
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

enum ccurses_mouse { CCURSES_OTHER, CCURSES_CLICK, CCURSES_WHEEL_UP, CCURSES_WHEEL_DOWN };

/* Returns the mouse event behind KEY_MOUSE, and its position. */
static inline enum ccurses_mouse ccurses_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return CCURSES_OTHER;
  *row = event.y;
  *column = event.x;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return CCURSES_CLICK;
  if (event.bstate & BUTTON4_PRESSED) return CCURSES_WHEEL_UP;
  if (event.bstate & BUTTON5_PRESSED) return CCURSES_WHEEL_DOWN;
  return CCURSES_OTHER;
}

enum ccurses_read { CCURSES_NOTHING, CCURSES_CHARACTER, CCURSES_KEY };

/* Reads the next pending key; does not wait. */
static inline enum ccurses_read ccurses_read(wint_t *key) {
  switch (wget_wch(stdscr, key)) {
  case OK: return CCURSES_CHARACTER;
  case KEY_CODE_YES: return CCURSES_KEY;
  default: return CCURSES_NOTHING;
  }
}

static inline attr_t ccurses_attributes(bool bold, bool dim, bool underlined, bool reversed) {
  return (bold ? A_BOLD : 0) | (dim ? A_DIM : 0) | (underlined ? A_UNDERLINE : 0) | (reversed ? A_REVERSE : 0);
}

/* Puts a character, including its combining marks, into a cell. */
static inline void ccurses_put(int row, int column, const wchar_t *text, attr_t attributes, short colour) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, colour, NULL) == OK) mvwadd_wch(stdscr, row, column, &cell);
}

static inline void ccurses_erase(void) { werase(stdscr); }

/* Erases one row of it. */
static inline void ccurses_erase_row(int row) {
  if (wmove(stdscr, row, 0) == OK) wclrtoeol(stdscr);
}

/* Refreshes the terminal, and places the cursor, visible or not. */
static inline void ccurses_show(int row, int column, bool is_visible) {
  curs_set(is_visible ? 1 : 0);
  wmove(stdscr, row, column);
  wrefresh(stdscr);
}

/* Makes the next ccurses_show repaint everything. */
static inline void ccurses_forget(void) { clearok(curscr, true); }

/* Reads the current size of the terminal; returns false on failure. */
static inline bool ccurses_size(int *rows, int *columns) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

#endif
