#pragma once

// mallopt(3) with M_ARENA_MAX, which Swift's Glibc module does not export: all threads share one heap, so that
// memory freed by one thread can be used by another. To be called while there is one thread only.
void clup_share_one_heap(void);
