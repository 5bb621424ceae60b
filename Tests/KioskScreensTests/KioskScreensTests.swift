// Filled by the work on KioskScreensTests.
