// A library for LD_PRELOAD (ld.so(8)) that gives a program a wrong wall clock: CLOCK_REALTIME is some seconds
// off, as on a computer whose clock was set wrongly. Clocks that count from the computer's start, sleeps and
// timers (timerfd_settime(2), epoll_wait(2)) are the system's own.
//
// WALL_CLOCK names a file of eight bytes, the seconds that are added, as a signed integer. Another program may
// rewrite it at any time: that sets the clock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t *shared;

/// A test must not pass because its clock was right: without the file, the program does not start.
__attribute__((constructor)) static void open_clock(void) {
    const char *path = getenv("WALL_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        static const char words[] = "wall-clock: the file that WALL_CLOCK names cannot be read\n";
        (void)!write(STDERR_FILENO, words, sizeof words - 1);
        _exit(127);
    }
    close(file);
    shared = page;
}

static int64_t offset(void) {
    return shared ? atomic_load_explicit(shared, memory_order_relaxed) : 0;
}

#define SYSTEM(name, version)                                                                      \
    static __typeof__(&name) system_function;                                                      \
    if (!system_function) system_function = (__typeof__(&name))dlvsym(RTLD_NEXT, #name, version)

int clock_gettime(clockid_t clock, struct timespec *now) {
    SYSTEM(clock_gettime, "GLIBC_2.17");
    int status = system_function(clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += offset();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &precise);
    if (status == 0) *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
    return status;
}

time_t time(time_t *result) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// Who waits until a time has reckoned that from the clock above; the system compares it with its own.

static struct timespec system_time(const struct timespec *until) {
    return (struct timespec){until->tv_sec - offset(), until->tv_nsec};
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    SYSTEM(sem_timedwait, "GLIBC_2.34");
    struct timespec end = system_time(until);
    return system_function(semaphore, &end);
}

int pthread_mutex_timedlock(
    pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    SYSTEM(pthread_mutex_timedlock, "GLIBC_2.34");
    struct timespec end = system_time(until);
    return system_function(mutex, &end);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
    const struct timespec *restrict until) {
    SYSTEM(pthread_cond_timedwait, "GLIBC_2.3.2");
    // Bit 1: pthread_condattr_setclock(3) has chosen CLOCK_MONOTONIC (glibc, nptl/pthread_cond_common.c).
    struct timespec end = condition->__data.__wrefs & 2 ? *until : system_time(until);
    return system_function(condition, mutex, &end);
}
