#define _DEFAULT_SOURCE
#include "CPushCryptography.h"

#include <errno.h>
#include <gmp.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
#include <nettle/gcm.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { number_size = 32, number_bits = 8 * number_size, digest_size = SHA256_DIGEST_SIZE };

// getrandom(2) gives up to 256 bytes whole once the system has started; without randomness there is no safe way on.
static void make_random(void *context, size_t count, uint8_t *bytes) {
    (void)context;
    while (count > 0) {
        ssize_t got = getrandom(bytes, count < 256 ? count : 256, 0);
        if (got < 0 && errno != EINTR) abort();
        if (got > 0) bytes += got, count -= (size_t)got;
    }
}

// Numbers of the curve, big-endian. A number is made with its whole size, so that it is never moved in memory.

static void read_number(mpz_t number, const uint8_t bytes[number_size]) {
    mpz_init2(number, number_bits);
    mpz_import(number, number_size, 1, 1, 1, 0, bytes);
}

// The number is below 2^256.
static void write_number(uint8_t bytes[number_size], const mpz_t number) {
    size_t count = (mpz_sizeinbase(number, 2) + 7) / 8;
    memset(bytes, 0, number_size);
    mpz_export(bytes + number_size - count, NULL, 1, 1, 1, 0, number);
}

// Clears the limbs, also those that the value does not use.
static void clear_number(mpz_t number) {
    size_t count = (number_bits + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS;
    explicit_bzero(mpz_limbs_write(number, (mp_size_t)count), count * sizeof(mp_limb_t));
    mpz_limbs_finish(number, 0);
    mpz_clear(number);
}

static size_t limbs_size(const struct ecc_curve *curve) {
    return (ecc_bit_size(curve) + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS * sizeof(mp_limb_t);
}

static void clear_scalar(struct ecc_scalar *scalar) {
    explicit_bzero(scalar->p, limbs_size(scalar->ecc));
    ecc_scalar_clear(scalar);
}

// A point has two coordinates.
static void clear_point(struct ecc_point *point) {
    explicit_bzero(point->p, 2 * limbs_size(point->ecc));
    ecc_point_clear(point);
}

// Returns 0 for a number that is 0 or not below the order; the scalar must be cleared in any case.
static int read_scalar(struct ecc_scalar *scalar, const uint8_t bytes[number_size]) {
    mpz_t number;
    read_number(number, bytes);
    ecc_scalar_init(scalar, nettle_get_secp_256r1());
    int is_valid = ecc_scalar_set(scalar, number);
    clear_number(number);
    return is_valid;
}

// Returns 0 for bytes that are no point of the curve; the point must be cleared in any case.
static int read_point(struct ecc_point *point, const uint8_t bytes[clup_push_point_bytes]) {
    mpz_t x, y;
    read_number(x, bytes + 1);
    read_number(y, bytes + 1 + number_size);
    ecc_point_init(point, nettle_get_secp_256r1());
    int is_valid = bytes[0] == 4 && ecc_point_set(point, x, y);
    clear_number(x);
    clear_number(y);
    return is_valid;
}

static void write_point(uint8_t bytes[clup_push_point_bytes], const struct ecc_point *point) {
    mpz_t x, y;
    mpz_init2(x, number_bits);
    mpz_init2(y, number_bits);
    ecc_point_get(point, x, y);
    bytes[0] = 4;
    write_number(bytes + 1, x);
    write_number(bytes + 1 + number_size, y);
    clear_number(x);
    clear_number(y);
}

int clup_push_is_point(const uint8_t point[clup_push_point_bytes]) {
    struct ecc_point read;
    int is_valid = read_point(&read, point);
    clear_point(&read);
    return is_valid;
}

int clup_push_public_key(const uint8_t secret[clup_push_secret_bytes], uint8_t point[clup_push_point_bytes]) {
    struct ecc_scalar scalar;
    int result = -1;
    if (read_scalar(&scalar, secret)) {
        struct ecc_point product;
        ecc_point_init(&product, scalar.ecc);
        ecc_point_mul_g(&product, &scalar);
        write_point(point, &product);
        clear_point(&product);
        result = 0;
    }
    clear_scalar(&scalar);
    return result;
}

// HKDF with SHA-256 (RFC 5869): both steps, for at most 32 bytes.
static void derive(
    const uint8_t salt[clup_push_salt_bytes], const uint8_t key[number_size], const void *info, size_t info_count,
    uint8_t *derived, size_t count) {
    struct hmac_sha256_ctx context;
    uint8_t extracted[digest_size];
    nettle_hash_update_func *update = (nettle_hash_update_func *)hmac_sha256_update;
    nettle_hash_digest_func *digest = (nettle_hash_digest_func *)hmac_sha256_digest;
    hmac_sha256_set_key(&context, clup_push_salt_bytes, salt);
    hkdf_extract(&context, update, digest, digest_size, number_size, key, extracted);
    hmac_sha256_set_key(&context, digest_size, extracted);
    hkdf_expand(&context, update, digest, digest_size, info_count, info, count, derived);
    explicit_bzero(&context, sizeof context);
    explicit_bzero(extracted, sizeof extracted);
}

// Writes the sender's point and the x of the shared point (RFC 8291 3.1). Returns 0, or -1 for a wrong secret or point.
static int agree(
    const uint8_t secret[clup_push_secret_bytes], const uint8_t receiver[clup_push_point_bytes],
    uint8_t sender[clup_push_point_bytes], uint8_t shared[number_size]) {
    struct ecc_scalar scalar;
    struct ecc_point point, product;
    int is_valid = read_scalar(&scalar, secret);
    is_valid = read_point(&point, receiver) && is_valid;
    ecc_point_init(&product, scalar.ecc);
    if (is_valid) {
        uint8_t whole[clup_push_point_bytes];
        ecc_point_mul(&product, &scalar, &point);
        write_point(whole, &product);
        memcpy(shared, whole + 1, number_size);
        explicit_bzero(whole, sizeof whole);
        ecc_point_mul_g(&product, &scalar);
        write_point(sender, &product);
    }
    clear_point(&product);
    clear_point(&point);
    clear_scalar(&scalar);
    return is_valid ? 0 : -1;
}

int clup_push_seal_with(
    const uint8_t secret[clup_push_secret_bytes], const uint8_t salt[clup_push_salt_bytes],
    const uint8_t receiver[clup_push_point_bytes], const uint8_t auth[clup_push_auth_bytes], const uint8_t *content,
    size_t count, size_t padded, uint8_t *body) {
    static const char key_info[] = "Content-Encoding: aes128gcm", nonce_info[] = "Content-Encoding: nonce";
    if (count > padded || padded > clup_push_record_bytes - clup_push_head_bytes - clup_push_overhead_bytes) return -1;
    uint8_t shared[number_size], input[number_size], key[AES128_KEY_SIZE], nonce[GCM_IV_SIZE];
    // The head (RFC 8188 2.1): the record size of clup_push_record_bytes, and the length of the key.
    static const uint8_t sizes[5] = {0, 0, clup_push_record_bytes >> 8, 0, clup_push_point_bytes};
    uint8_t *sender = body + clup_push_salt_bytes + sizeof sizes;
    if (agree(secret, receiver, sender, shared) != 0) return -1;
    memcpy(body, salt, clup_push_salt_bytes);
    memcpy(body + clup_push_salt_bytes, sizes, sizeof sizes);

    // The keys (RFC 8291 3.4). Each text is hashed with the zero that ends it.
    uint8_t info[14 + 2 * clup_push_point_bytes] = "WebPush: info";
    memcpy(info + 14, receiver, clup_push_point_bytes);
    memcpy(info + 14 + clup_push_point_bytes, sender, clup_push_point_bytes);
    derive(auth, shared, info, sizeof info, input, sizeof input);
    derive(salt, input, key_info, sizeof key_info, key, sizeof key);
    derive(salt, input, nonce_info, sizeof nonce_info, nonce, sizeof nonce);

    // The record: content, the delimiter of a last record, zeros (RFC 8188 2), encrypted in place; then the tag.
    uint8_t *record = body + clup_push_head_bytes;
    if (count > 0) memcpy(record, content, count);
    record[count] = 2;
    memset(record + count + 1, 0, padded - count);
    struct gcm_aes128_ctx context;
    gcm_aes128_set_key(&context, key);
    gcm_aes128_set_iv(&context, sizeof nonce, nonce);
    gcm_aes128_encrypt(&context, padded + 1, record, record);
    gcm_aes128_digest(&context, GCM_DIGEST_SIZE, record + padded + 1);

    explicit_bzero(&context, sizeof context);
    explicit_bzero(shared, sizeof shared);
    explicit_bzero(input, sizeof input);
    explicit_bzero(key, sizeof key);
    explicit_bzero(nonce, sizeof nonce);
    return 0;
}

int clup_push_seal(
    const uint8_t receiver[clup_push_point_bytes], const uint8_t auth[clup_push_auth_bytes], const uint8_t *content,
    size_t count, size_t padded, uint8_t *body) {
    if (!clup_push_is_point(receiver)) return -1;
    uint8_t secret[clup_push_secret_bytes], salt[clup_push_salt_bytes];
    make_random(NULL, sizeof salt, salt);
    int result = -1;
    // All but one of 2^32 drawn numbers are scalars of the curve; eight draws fail with a chance of 2^-256.
    for (int draws = 0; draws < 8 && result != 0; draws++) {
        make_random(NULL, sizeof secret, secret);
        result = clup_push_seal_with(secret, salt, receiver, auth, content, count, padded, body);
    }
    explicit_bzero(secret, sizeof secret);
    return result;
}

int clup_push_sign(
    const uint8_t secret[clup_push_secret_bytes], const uint8_t *message, size_t count,
    uint8_t signature[clup_push_signature_bytes]) {
    struct ecc_scalar scalar;
    int result = -1;
    if (read_scalar(&scalar, secret)) {
        struct sha256_ctx context;
        uint8_t digest[digest_size];
        sha256_init(&context);
        sha256_update(&context, count, message);
        sha256_digest(&context, sizeof digest, digest);
        struct dsa_signature pair;
        dsa_signature_init(&pair);
        ecdsa_sign(&scalar, NULL, make_random, sizeof digest, digest, &pair);
        write_number(signature, pair.r);
        write_number(signature + number_size, pair.s);
        dsa_signature_clear(&pair);
        result = 0;
    }
    clear_scalar(&scalar);
    return result;
}
