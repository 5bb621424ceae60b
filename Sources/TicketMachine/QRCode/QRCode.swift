// Filled by the work on QRCode.
