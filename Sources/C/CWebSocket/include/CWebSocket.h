#pragma once
#include <stddef.h>
#include <sys/types.h>
#include <wslay/wslay.h>

/// Writes what `Sec-WebSocket-Accept` answers to a key (RFC 6455 4.2.2), 28 characters and a zero.
///
/// In C since nettle's context is of no use to Swift.
void clup_ws_accept(const char *key, size_t length, char accept[29]);
