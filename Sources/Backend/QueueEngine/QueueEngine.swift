// Filled by the work on QueueEngine.
