// Filled by the work on KioskJournal.
