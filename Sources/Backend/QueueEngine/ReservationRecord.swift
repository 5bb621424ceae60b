public import Reservations

/// A place that is held for a customer who has not confirmed yet.
public struct Hold: Hashable, Sendable {
    public let id: ReservationID
    public let machine: MachineID
    public let kind: ReservationKind
    /// The shop's calendar day the place is of.
    public let day: CalendarDay
    public let taken: LocalMoment
    /// The place lapses at this moment unless it is confirmed, extended or given back.
    public var expires: LocalMoment
    /// How often it was extended.
    public var extensions: Int
    /// What the customer was told; of a visit its start, without a spread.
    public var wait: WaitEstimate
    /// What a visit is booked for; nil for a ticket.
    public let visit: VisitSlot?

    public init(
        id: ReservationID, machine: MachineID, kind: ReservationKind, day: CalendarDay,
        taken: LocalMoment, expires: LocalMoment, extensions: Int, wait: WaitEstimate,
        visit: VisitSlot? = nil
    ) {
        self.id = id
        self.machine = machine
        self.kind = kind
        self.day = day
        self.taken = taken
        self.expires = expires
        self.extensions = extensions
        self.wait = wait
        self.visit = visit
    }
}

/// What a hold gains when it is confirmed: number and position together (rules 1), and the codes.
public struct Confirmation: Hashable, Sendable {
    public let number: QueueNumber
    public let code: EntryCode
    public let typedCode: TypedCode
    public let issued: LocalMoment

    public init(number: QueueNumber, code: EntryCode, typedCode: TypedCode, issued: LocalMoment) {
        self.number = number
        self.code = code
        self.typedCode = typedCode
        self.issued = issued
    }
}

/// A reservation in whatever state, as the store keeps it.
public struct ReservationRecord: Hashable, Sendable {
    public let hold: Hold
    public let state: ReservationState
    /// Since when it is in this state.
    public let since: Moment
    /// Why it is in this state.
    public let cause: TransitionCause
    /// From planned on; nil for a hold that was never confirmed.
    public let confirmation: Confirmation?

    public init(
        hold: Hold, state: ReservationState, since: Moment, cause: TransitionCause,
        confirmation: Confirmation?
    ) {
        self.hold = hold
        self.state = state
        self.since = since
        self.cause = cause
        self.confirmation = confirmation
    }

    /// The same reservation in its next state.
    func becoming(_ state: ReservationState, at moment: Moment, because cause: TransitionCause)
        -> ReservationRecord
    {
        ReservationRecord(
            hold: hold, state: state, since: moment, cause: cause, confirmation: confirmation)
    }
}

/// Why a reservation changed its state; the texts stand in the database.
public enum TransitionCause: String, Hashable, Sendable, CaseIterable {
    /// A customer asked for a place: it is pending.
    case requested
    /// The customer confirmed: it is planned.
    case confirmed
    /// The customer, or the machine for him, gave the held place back.
    case cancelled
    /// The same machine asked for another place (rules 2).
    case replaced
    /// The held place ran out.
    case lapsed
    /// The customer deleted the reservation with its code [UC13].
    case withdrawn
    /// The customer came out of the shop: it is used.
    case left
    /// The customer was called and did not come within ten minutes [R12].
    case missed
    /// The shop closed before the customer's turn came (rules 8).
    case closed
}

/// A fact to be stored; applied to the state in memory only when it is written.
public enum QueueChange: Hashable, Sendable {
    /// A new pending place; its event is "requested".
    case inserted(ReservationRecord)
    /// The reservation is in another state, `since` and `cause` say when and why.
    case moved(ReservationRecord, from: ReservationState)
    /// A held place got more time; no transition.
    case extended(Hold)
    /// `number` was drawn for the day: the next is one more.
    case counterAdvanced(CalendarDay, to: QueueNumber)
}
