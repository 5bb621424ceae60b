// Filled by the work on ReservationStore.
