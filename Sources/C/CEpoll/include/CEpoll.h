#pragma once

// epoll(7), which Swift's Glibc module does not export. Each function answers -1 with errno if it fails.

// epoll_create1(2) with EPOLL_CLOEXEC: the descriptor of a new, empty set.
int clup_new_set(void);

// epoll_ctl(2) with EPOLL_CTL_ADD: the set is readable while `descriptor` is, or has hung up.
int clup_add_to_set(int set, int descriptor);

// epoll_ctl(2) with EPOLL_CTL_DEL.
int clup_remove_from_set(int set, int descriptor);
