#pragma once

#include <spawn.h>

// posix_spawn_file_actions_addclosefrom_np(3), which Swift's Glibc module does not export: the new program has no
// descriptor from this number on. Answers 0 or an error number.
int clup_close_from(posix_spawn_file_actions_t *actions, int first);
