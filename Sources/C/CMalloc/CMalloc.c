#include "CMalloc.h"

#include <malloc.h>

void clup_share_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
