#pragma once
// Without it curses.h declares none of the wide-character functions (curs_addwstr(3X)).
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Macros that Swift does not import: button events are shifted masks (curs_mouse(3X)).
static const mmask_t clup_button1_pressed = BUTTON1_PRESSED;
static const mmask_t clup_button1_released = BUTTON1_RELEASED;
static const mmask_t clup_button1_clicked = BUTTON1_CLICKED;

// Attributes are casts in macros (curs_attr(3X)).
static const attr_t clup_bold = A_BOLD;
static const attr_t clup_reverse = A_REVERSE;

// LINES, COLS, COLORS and COLOR_PAIRS are variables, which Swift 6 does not read as safe.
static inline int clup_colours(void) { return COLORS; }
static inline int clup_pairs(void) { return COLOR_PAIRS; }
static inline WINDOW *clup_stdscr(void) { return stdscr; }
// curscr: what is on the glass as far as ncurses knows.
static inline WINDOW *clup_curscr(void) { return curscr; }

// The description of a terminal before ncurses starts (curs_terminfo(3X)); term.h itself defines
// names like `columns` as macros. Answers 1 ok, 0 unknown, -1 no descriptions at all; end only after 1.
int clup_description_begin(const char *type, int fd);
void clup_description_end(void);

// wattr_set is a macro over its opts argument: colour pairs beyond 32767 go there (curs_attr(3X)).
static inline int clup_attr_set(WINDOW *window, attr_t attributes, int pair) {
    return wattr_set(window, attributes, (short)(pair < 32767 ? pair : 32767), &pair);
}

// ioctl is variadic (ioctl(2), TIOCGWINSZ); answers false where the descriptor is no terminal.
bool clup_terminal_size(int fd, int *rows, int *cols);

// A string of the begun description without its padding ($<..>); answers its length, 0 where it is
// absent or cancelled: both are special pointer values (curs_terminfo(3X)).
size_t clup_description_string(const char *name, char *buffer, size_t room);

// Gives the terminal back when the process dies of a fault or calls exit without having done so.
// Only what signal-safety(7) allows runs then: write and tcsetattr with what was stored here.
bool clup_restore_arm(int fd, const char *bytes, size_t length);
void clup_restore_disarm(void);

// nl_langinfo(CODESET) after setlocale(LC_ALL, ""): whether the locale is one of UTF-8.
bool clup_locale_is_utf8(void);

// Whether the other side of the terminal is gone (poll(2), POLLHUP and POLLERR).
bool clup_hung_up(int fd);
