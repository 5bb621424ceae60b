// Filled by the work on QueueEngineTests.
