// Filled by the work on Cryptography.
