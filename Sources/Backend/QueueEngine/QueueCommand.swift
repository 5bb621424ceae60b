public import Reservations

/// What is asked of one shop's queue; identifiers and codes come with it, so that deciding draws nothing.
public enum QueueCommand: Hashable, Sendable {
    /// Hold this machine the first free place of today or of the coming month; `id` names it from now on.
    case hold(ReservationKind, machine: MachineID, id: ReservationID)
    /// More time for a held place (rules 2).
    case extend(ReservationID, machine: MachineID)
    /// Give a held place back.
    case release(ReservationID, machine: MachineID)
    /// Turn a held place into a reservation with these codes.
    case confirm(ReservationID, machine: MachineID, code: EntryCode, typed: TypedCode)
    /// Delete a confirmed reservation; the code proves that its paper is in the caller's hand [UC13].
    case delete(ReservationID, proof: PresentedCode)
    /// Nothing but the passing of time: overdue holds lapse.
    case tick
}

/// What came of a command.
public enum QueueOutcome: Hashable, Sendable {
    case held(Hold)
    /// The hold with its new expiry; the same expiry where it cannot be extended again.
    case extended(Hold)
    /// The held place is free, or was before.
    case released
    /// Also the answer where it was confirmed before: the same reservation.
    case confirmed(Reservation)
    case deleted(ReservationID)
    case ticked
}

/// Why nothing was done.
public enum QueueRefusal: Error, Hashable, Sendable {
    /// Called so late that the usual stay would not end before closing (rules 3).
    case noTicketToday
    /// No visit is needed, as a ticket of today would be offered [UC12].
    case ticketAvailable
    /// No slot is free until the same date of next month [UC12] (rules 4).
    case nothingWithinAMonth
    /// `opens` is the next opening, where one is known [R27].
    case shopClosed(opens: LocalMoment?)
    /// The place was held once and is not any more (rules 2).
    case holdLapsed
    /// No such thing for this machine, or the code is not the reservation's.
    case notFound
    case alreadyDeleted
    case alreadyUsed
    /// Its holder did not come in time, or its day is over.
    case missed
    /// Its holder is in the shop.
    case inside
}

/// The answer to a command, and the facts to be stored before it is given.
public struct Decision: Hashable, Sendable {
    public let result: Result<QueueOutcome, QueueRefusal>
    /// In order; also with a refusal, as holds lapse whatever is asked.
    public let changes: [QueueChange]

    public init(result: Result<QueueOutcome, QueueRefusal>, changes: [QueueChange]) {
        self.result = result
        self.changes = changes
    }
}
