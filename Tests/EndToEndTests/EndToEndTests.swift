// Filled by the work on EndToEndTests.
