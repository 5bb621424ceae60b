#pragma once
// Without it curses.h declares none of the wide-character functions (curs_addwstr(3X)).
#define NCURSES_WIDECHAR 1
#include <curses.h>
