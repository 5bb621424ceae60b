// Filled by the work on BackendClient.
