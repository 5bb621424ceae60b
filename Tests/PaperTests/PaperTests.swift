// Filled by the work on PaperTests.
