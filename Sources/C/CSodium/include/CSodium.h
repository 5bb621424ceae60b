#pragma once
#include <sodium.h>

// prctl(2) is variadic, which Swift cannot call: PR_SET_DUMPABLE 0, and no core file (setrlimit(2)). 0, or -1
// where the system refuses.
int clup_hide_process(void);
