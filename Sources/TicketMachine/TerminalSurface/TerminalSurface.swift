// Filled by the work on TerminalSurface.
