// Filled by the work on BackendTests.
