#include "CBenchFloors.h"

#include <cairo/cairo-pdf.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <qrencode.h>
#include <sodium.h>

int clup_floor_qr(const char *text) {
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    if (!code) return -1;
    QRcode_free(code);
    return 0;
}

static cairo_status_t count(void *bytes, const unsigned char *data, unsigned int length) {
    (void)data;
    *(long *)bytes += length;
    return CAIRO_STATUS_SUCCESS;
}

long clup_floor_empty_pdf(double width, double height) {
    long bytes = 0;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(count, &bytes, width, height);
    cairo_t *cairo = cairo_create(surface);
    cairo_show_page(cairo);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? bytes : -1;
}

int clup_floor_sign_verify(const unsigned char *message, unsigned long long length) {
    static unsigned char public_key[crypto_sign_PUBLICKEYBYTES], key[crypto_sign_SECRETKEYBYTES];
    static int made;
    if (!made) made = crypto_sign_keypair(public_key, key) == 0;
    unsigned char signature[crypto_sign_BYTES];
    if (crypto_sign_detached(signature, NULL, message, length, key) != 0) return -1;
    return crypto_sign_verify_detached(signature, message, length, public_key);
}

int clup_floor_argon2id(unsigned long long passes, unsigned long memory) {
    static const unsigned char salt[crypto_pwhash_SALTBYTES];
    unsigned char digest[32];
    return crypto_pwhash(digest, sizeof digest, "12345678", 8, salt, passes, memory,
                         crypto_pwhash_ALG_ARGON2ID13);
}

int clup_floor_p256_products(void) {
    const struct ecc_curve *curve = nettle_get_secp_256r1();
    struct ecc_scalar scalar;
    struct ecc_point base, product;
    mpz_t number;
    // Any number of 256 bits below the order of the curve: products take a time that does not depend on it.
    mpz_init(number);
    mpz_ui_pow_ui(number, 3, 161);
    ecc_scalar_init(&scalar, curve);
    ecc_point_init(&base, curve);
    ecc_point_init(&product, curve);
    int result = ecc_scalar_set(&scalar, number) ? 0 : -1;
    if (result == 0) {
        ecc_point_mul_g(&base, &scalar);
        ecc_point_mul(&product, &scalar, &base);
    }
    ecc_point_clear(&product);
    ecc_point_clear(&base);
    ecc_scalar_clear(&scalar);
    mpz_clear(number);
    return result;
}
