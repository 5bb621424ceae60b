// Filled by the work on ReservationsTests.
