// Filled by the work on CupsPrinter.
