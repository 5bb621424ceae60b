#pragma once
#include <stddef.h>
#include <stdint.h>

// The cryptography of Web Push on P-256: sealing a message to a browser (RFC 8291) and signing the sender's token
// (RFC 7518 3.4, ES256). It is written in C since Swift cannot use nettle's points and contexts.
//
// Every function takes buffers of fixed or given lengths, can be called from any thread, and clears its own copies of
// secrets. Working memory of GMP below nettle's functions is not cleared.

enum {
    // A point in uncompressed form: 4, x, y (SEC 1, 2.3.3).
    clup_push_point_bytes = 65,
    clup_push_secret_bytes = 32,
    // The secret of a subscription (RFC 8291 3.2).
    clup_push_auth_bytes = 16,
    clup_push_salt_bytes = 16,
    // r and s (RFC 7518 3.4).
    clup_push_signature_bytes = 64,
    // Salt, record size, length of the key, key (RFC 8188 2.1).
    clup_push_head_bytes = 86,
    // What the record adds to its content: the delimiter and the tag (RFC 8188 2).
    clup_push_overhead_bytes = 17,
    // The size of the one record (RFC 8291 4), which is also the most that a push service must take (RFC 8030 7.2).
    clup_push_record_bytes = 4096,
};

// Whether the bytes are a point of the curve; 1 or 0.
int clup_push_is_point(const uint8_t point[clup_push_point_bytes]);

// Writes the public key of a secret. Returns 0, or -1 if the secret is 0 or not below the order of the curve.
int clup_push_public_key(const uint8_t secret[clup_push_secret_bytes], uint8_t point[clup_push_point_bytes]);

// Writes the body of a message: one record of aes128gcm whose content is padded to `padded` bytes. The body has
// clup_push_head_bytes + padded + clup_push_overhead_bytes. Secret and salt are new ones of the system's randomness.
// Returns 0, or -1 if the receiver is no point of the curve or the lengths do not fit into a record.
int clup_push_seal(
    const uint8_t receiver[clup_push_point_bytes], const uint8_t auth[clup_push_auth_bytes], const uint8_t *content,
    size_t count, size_t padded, uint8_t *body);

// The same with a given secret and salt, as in the example of RFC 8291 5. Both must be used once only.
int clup_push_seal_with(
    const uint8_t secret[clup_push_secret_bytes], const uint8_t salt[clup_push_salt_bytes],
    const uint8_t receiver[clup_push_point_bytes], const uint8_t auth[clup_push_auth_bytes], const uint8_t *content,
    size_t count, size_t padded, uint8_t *body);

// Signs the SHA-256 of a message. Returns 0, or -1 for a secret that `clup_push_public_key` refuses.
int clup_push_sign(
    const uint8_t secret[clup_push_secret_bytes], const uint8_t *message, size_t count,
    uint8_t signature[clup_push_signature_bytes]);
