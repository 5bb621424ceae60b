// wchar.h declares wcwidth only with it.
#define _GNU_SOURCE
#include "CNcurses.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

int clup_description_begin(const char *type, int fd) {
    int status = -1;
    return setupterm(type, fd, &status) == OK ? 1 : status;
}

void clup_description_end(void) { del_curterm(cur_term); }

cchar_t clup_cell(
    uint32_t base, uint32_t mark, uint32_t second, attr_t attributes, int pair) {
    if (base > 0x7E && wcwidth((wchar_t)base) < 1) base = 0xFFFD;
    wchar_t text[] = {(wchar_t)base, (wchar_t)mark, (wchar_t)second, 0};
    cchar_t cell;
    setcchar(&cell, text, attributes, (short)(pair < 32767 ? pair : 32767), &pair);
    return cell;
}

bool clup_terminal_size(int fd, int *rows, int *cols) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
    *rows = size.ws_row;
    *cols = size.ws_col;
    return true;
}

size_t clup_description_string(const char *name, char *buffer, size_t room) {
    const char *text = tigetstr(name);
    if (text == NULL || text == (const char *)-1) return 0;
    size_t length = 0;
    while (*text != '\0' && length < room) {
        if (text[0] == '$' && text[1] == '<') {
            const char *end = strchr(text, '>');
            if (end != NULL) {
                text = end + 1;
                continue;
            }
        }
        buffer[length++] = *text++;
    }
    return length;
}

static struct termios saved_mode;
static char restoring[256];
static size_t restoring_length;
static volatile sig_atomic_t armed_fd = -1;

// The signals of faults that end a program (signal(7)); Swift's traps raise ILL or TRAP.
static const int faults[] = {SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
enum { FAULTS = sizeof faults / sizeof faults[0] };
static struct sigaction earlier[FAULTS];

static void restore(void) {
    int fd = armed_fd;
    if (fd < 0) return;
    armed_fd = -1;
    size_t done = 0;
    while (done < restoring_length) {
        ssize_t count = write(fd, restoring + done, restoring_length - done);
        if (count <= 0) break;
        done += (size_t)count;
    }
    tcsetattr(fd, TCSANOW, &saved_mode);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    restore();
    for (int index = 0; index < FAULTS; index++) {
        if (faults[index] == number) sigaction(number, &earlier[index], NULL);
    }
    // A real fault happens again at the same instruction and reaches the earlier handler with all its information. A
    // signal that was sent, or a breakpoint, would not, so that it is raised again.
    if (info->si_code <= 0 || number == SIGTRAP) raise(number);
}

bool clup_restore_arm(int fd, const char *bytes, size_t length) {
    static bool at_exit;
    if (length > sizeof restoring || tcgetattr(fd, &saved_mode) != 0) return false;
    memcpy(restoring, bytes, length);
    restoring_length = length;
    if (armed_fd < 0) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_fault;
        // The stack may be corrupt; the process's alternate stack is used if there is one.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        for (int index = 0; index < FAULTS; index++) {
            sigaction(faults[index], &action, &earlier[index]);
        }
    }
    armed_fd = fd;
    if (!at_exit) {
        atexit(restore);
        at_exit = true;
    }
    return true;
}

void clup_restore_disarm(void) {
    if (armed_fd < 0) return;
    armed_fd = -1;
    for (int index = 0; index < FAULTS; index++) sigaction(faults[index], &earlier[index], NULL);
}

bool clup_locale_is_utf8(void) {
    if (setlocale(LC_ALL, "") == NULL) return false;
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool clup_hung_up(int fd) {
    struct pollfd state = {.fd = fd, .events = POLLIN};
    return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
