// Filled by the work on TicketPaper.
