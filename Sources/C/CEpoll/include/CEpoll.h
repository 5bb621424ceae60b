#pragma once

#include <stdbool.h>
#include <stdint.h>

// epoll(7), which Swift's Glibc module does not export. Each function answers -1 with errno if it fails.

// A descriptor of a set that has something to report: the number given for it, and what can be done with it.
typedef struct {
    uint64_t key;
    // It can be read, has hung up or has an error.
    bool can_read;
    bool can_write;
} clup_ready;

// epoll_create1(2) with EPOLL_CLOEXEC: the descriptor of a new, empty set.
int clup_new_set(void);

// epoll_ctl(2) with EPOLL_CTL_ADD: the set is readable while `descriptor` is, or has hung up.
int clup_add_to_set(int set, int descriptor, uint64_t key);

// epoll_ctl(2) with EPOLL_CTL_MOD: whether the set is readable, too, while `descriptor` can be written.
int clup_watch_for_writing(int set, int descriptor, uint64_t key, bool writing);

// epoll_ctl(2) with EPOLL_CTL_DEL.
int clup_remove_from_set(int set, int descriptor);

// How many descriptors are reported at once; the others follow.
enum { clup_most_ready = 64 };

// epoll_wait(2) without waiting: how many of the clup_most_ready entries were filled.
int clup_take_ready(int set, clup_ready *ready);
