#pragma once
// What clup-bench compares with: C libraries called with nothing of ours around them.

// Makes a QR symbol with libqrencode alone and drops it; 0, or -1 where it failed.
int clup_floor_qr(const char *text);

// Makes a PDF of one empty page with cairo alone and drops it; its bytes, or -1 where it failed.
long clup_floor_empty_pdf(double width, double height);

// Signs the message and verifies that with libsodium alone; 0, or -1 where it failed. sodium_init(3) was called.
int clup_floor_sign_verify(const unsigned char *message, unsigned long long length);

// Argon2id of libsodium alone; 0, or -1 where it failed.
int clup_floor_argon2id(unsigned long long passes, unsigned long memory);
