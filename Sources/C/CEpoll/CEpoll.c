#include "CEpoll.h"

#include <stddef.h>
#include <sys/epoll.h>

int clup_new_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int change(int set, int operation, int descriptor, uint64_t key, bool writing) {
    struct epoll_event event = {.events = EPOLLIN | (writing ? EPOLLOUT : 0), .data.u64 = key};
    return epoll_ctl(set, operation, descriptor, &event);
}

int clup_add_to_set(int set, int descriptor, uint64_t key) {
    return change(set, EPOLL_CTL_ADD, descriptor, key, false);
}

int clup_watch_for_writing(int set, int descriptor, uint64_t key, bool writing) {
    return change(set, EPOLL_CTL_MOD, descriptor, key, writing);
}

int clup_remove_from_set(int set, int descriptor) {
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
}

int clup_take_ready(int set, clup_ready *ready) {
    struct epoll_event events[clup_most_ready];
    int count = epoll_wait(set, events, clup_most_ready, 0);
    for (int i = 0; i < count; i++) {
        ready[i].key = events[i].data.u64;
        ready[i].can_read = (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
        ready[i].can_write = (events[i].events & EPOLLOUT) != 0;
    }
    return count;
}
