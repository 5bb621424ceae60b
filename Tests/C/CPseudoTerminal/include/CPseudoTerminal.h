#pragma once
#include <stddef.h>

// posix_openpt(3), grantpt(3), unlockpt(3) and ptsname_r(3), which Swift's Glibc module does not export. Returns the
// descriptor of a new terminal's master and the path of its other side, or -1 with errno.
int clup_open_terminal(char *path, size_t length);
