// Filled by the work on KioskFlowTests.
