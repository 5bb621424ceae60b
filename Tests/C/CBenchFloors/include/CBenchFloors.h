#pragma once
// The least work that clup-bench compares with: C libraries called without any of the project's code.

// Makes a QR symbol with libqrencode alone and drops it; returns 0, or -1 on failure.
int clup_floor_qr(const char *text);

// Makes a PDF of one empty page with cairo alone and drops it; returns its size in bytes, or -1 on failure.
long clup_floor_empty_pdf(double width, double height);

// Signs and verifies the message with libsodium alone; returns 0, or -1 on failure. sodium_init(3) must have been
// called.
int clup_floor_sign_verify(const unsigned char *message, unsigned long long length);

// Runs Argon2id of libsodium alone; returns 0, or -1 on failure.
int clup_floor_argon2id(unsigned long long passes, unsigned long memory);

// Multiplies the base point of P-256, and the product again, with nettle alone; returns 0, or -1 on failure.
int clup_floor_p256_products(void);
