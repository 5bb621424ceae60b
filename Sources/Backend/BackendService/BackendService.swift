// Filled by the work on BackendService.
