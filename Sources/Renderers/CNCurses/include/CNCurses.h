#ifndef COORDINATORD_CNCURSES_H
#define COORDINATORD_CNCURSES_H

/* ncurses, loaded when a terminal is taken over. Swift may call only those of its functions that have no
   counterpart here. */

/* Enables wide characters, and declares functions in place of macros, which Swift does not import. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdbool.h>
#include <wchar.h>

/* The width that ncurses assigns to a character. The C library declares it only with _XOPEN_SOURCE. */
extern int wcwidth(wchar_t character);

/* Must be called before any other function of this module, from any thread. Returns a null pointer, or the reason why the
   library cannot be loaded: a text that remains valid until the process ends. */
const char *ccurses_load(void);

/* Takes over the terminal; returns false on failure. initscr would end the process in that case. */
bool ccurses_start(void);

/* Whether the terminal reads and writes UTF-8; known once it has been taken over. */
bool ccurses_is_utf8(void);

/* Initializes the color pairs 1 to 6: the colors 1 to 6 on the default background; and 7: white on black. Returns false
   without colors. */
bool ccurses_start_colours(void);

/* The number of colors that the terminal has. */
int ccurses_colours(void);

/* Defines a color pair with a color on the default background; returns false if there are no more pairs. */
bool ccurses_define(int pair, int colour);

void ccurses_start_mouse(void);

enum ccurses_mouse { CCURSES_OTHER, CCURSES_CLICK, CCURSES_WHEEL_UP, CCURSES_WHEEL_DOWN };

/* Returns the mouse event behind KEY_MOUSE, and its position. */
enum ccurses_mouse ccurses_mouse(int *row, int *column);

enum ccurses_read { CCURSES_NOTHING, CCURSES_CHARACTER, CCURSES_KEY };

/* Reads the next pending key; does not wait. */
enum ccurses_read ccurses_read(wint_t *key);

static inline attr_t ccurses_attributes(bool bold, bool dim, bool underlined, bool reversed) {
  return (bold ? A_BOLD : 0) | (dim ? A_DIM : 0) | (underlined ? A_UNDERLINE : 0) | (reversed ? A_REVERSE : 0);
}

/* Puts a character, including its combining marks, into a cell. */
void ccurses_put(int row, int column, const wchar_t *text, attr_t attributes, short colour);

void ccurses_erase(void);

/* Erases one row of it. */
void ccurses_erase_row(int row);

/* Refreshes the terminal, and places the cursor, visible or not. */
void ccurses_show(int row, int column, bool is_visible);

/* Makes the next ccurses_show repaint everything. */
void ccurses_forget(void);

/* Reads the current size of the terminal; returns false on failure. */
bool ccurses_size(int *rows, int *columns);

#endif
