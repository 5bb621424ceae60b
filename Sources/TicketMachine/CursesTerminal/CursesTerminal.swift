// Filled by the work on CursesTerminal.
