#pragma once
#include <stddef.h>
#include <sys/types.h>
#include <wslay/wslay.h>

// Writes the value of `Sec-WebSocket-Accept` for a key (RFC 6455 4.2.2), 28 characters and a zero.
//
// It is written in C since Swift cannot use nettle's context.
void clup_ws_accept(const char *key, size_t length, char accept[29]);
