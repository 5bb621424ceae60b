// Filled by the work on SQLiteStore.
