// Filled by the work on BackendAPITests.
