#include "CWebSocket.h"

#include <nettle/base64.h>
#include <nettle/sha1.h>

void clup_ws_accept(const char *key, size_t length, char accept[29]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    struct sha1_ctx context;
    uint8_t digest[SHA1_DIGEST_SIZE];
    sha1_init(&context);
    sha1_update(&context, length, (const uint8_t *)key);
    sha1_update(&context, sizeof guid - 1, (const uint8_t *)guid);
    sha1_digest(&context, sizeof digest, digest);
    base64_encode_raw(accept, sizeof digest, digest);
    accept[28] = 0;
}
