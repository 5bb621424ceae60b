#pragma once
#include <sodium.h>

// prctl(2) is variadic, which Swift cannot call: sets PR_SET_DUMPABLE to 0 and forbids a core file (setrlimit(2)).
// Answers 0, or -1 if the system refuses.
int clup_hide_process(void);
