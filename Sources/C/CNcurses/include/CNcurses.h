#pragma once
// Without it curses.h declares none of the wide-character functions (curs_addwstr(3X)).
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
// curscr: the contents of the physical screen as far as ncurses knows.
static inline WINDOW *clup_curscr(void) { return curscr; }

// Reads the description of a terminal before ncurses starts (curs_terminfo(3X)); term.h itself defines names like
// `columns` as macros. Answers 1 for success, 0 for an unknown terminal, -1 if there are no descriptions at all; the
// function that ends it may only be called after 1.
int clup_description_begin(const char *type, int fd);
void clup_description_end(void);

// A character with up to two marks over it (0 for none) and its look, as wadd_wchnstr takes it (curs_getcchar(3X)). A
// character to which the C library gives no columns would move the ones after it, and U+FFFD is shown for it.
cchar_t clup_cell(
    uint32_t base, uint32_t mark, uint32_t second, attr_t attributes, int pair);

// ioctl is variadic (ioctl(2), TIOCGWINSZ); answers false if the descriptor is no terminal.
bool clup_terminal_size(int fd, int *rows, int *cols);

// A string of the current description without its padding ($<..>). Answers its length, 0 if it is absent or
// cancelled: both are special pointer values (curs_terminfo(3X)).
size_t clup_description_string(const char *name, char *buffer, size_t room);

// Restores the terminal when the process dies of a fault or calls exit without having restored it. Only calls that
// signal-safety(7) allows run then: write and tcsetattr with the values that were stored here.
bool clup_restore_arm(int fd, const char *bytes, size_t length);
void clup_restore_disarm(void);

// nl_langinfo(CODESET) after setlocale(LC_ALL, ""): whether the locale uses UTF-8.
bool clup_locale_is_utf8(void);

// Whether the other side of the terminal is gone (poll(2), POLLHUP and POLLERR).
bool clup_hung_up(int fd);
