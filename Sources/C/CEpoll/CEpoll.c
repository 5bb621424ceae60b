#include "CEpoll.h"

#include <stddef.h>
#include <sys/epoll.h>

int clup_new_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clup_add_to_set(int set, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int clup_remove_from_set(int set, int descriptor) {
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
}
