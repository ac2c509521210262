#ifndef COORDINATORD_CNCURSES_H
#define COORDINATORD_CNCURSES_H

/* Wide characters, and functions in place of the macros that Swift does not import. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* What ncurses takes for the width of a character. The C library declares it for _XOPEN_SOURCE only. */
extern int wcwidth(wchar_t character);

/* Takes the terminal over. False if it cannot be; initscr would end the process then. */
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

/* The pairs 1 to 6 are the colours of those numbers on the terminal's own background. False if it has no colours. */
static inline bool ccurses_start_colours(void) {
  if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) return false;
  for (short colour = 1; colour <= 6; colour++) init_pair(colour, colour, -1);
  return true;
}

static inline void ccurses_start_mouse(void) {
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

enum ccurses_mouse { CCURSES_OTHER, CCURSES_CLICK, CCURSES_WHEEL_UP, CCURSES_WHEEL_DOWN };

/* What KEY_MOUSE was about. */
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

/* The next key that has been pressed; does not wait. */
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

/* Puts one character, with its marks, into a cell. */
static inline void ccurses_put(int row, int column, const wchar_t *text, attr_t attributes, short colour) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, colour, NULL) == OK) mvwadd_wch(stdscr, row, column, &cell);
}

static inline void ccurses_erase(void) { werase(stdscr); }

/* Shows what was put since, with the cursor there, or with none. */
static inline void ccurses_show(int row, int column, bool is_visible) {
  curs_set(is_visible ? 1 : 0);
  wmove(stdscr, row, column);
  wrefresh(stdscr);
}

/* Writes everything anew with the next ccurses_show. */
static inline void ccurses_forget(void) { clearok(curscr, true); }

/* How large the terminal is now. */
static inline bool ccurses_size(int *rows, int *columns) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

#endif
