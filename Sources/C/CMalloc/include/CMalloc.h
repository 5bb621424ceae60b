#pragma once

// mallopt(3) with M_ARENA_MAX, which Swift's Glibc module does not show: all threads share one heap, and what
// one gives back another can have. To be called while there is one thread only.
void clup_share_one_heap(void);
