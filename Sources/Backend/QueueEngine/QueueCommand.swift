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
    /// Delete it for a customer who lost the paper; a member of the staff vouches for him (rules 10).
    case deleteForCustomer(ReservationID)
    /// Its holder stands at the entrance reader [UC14].
    case enter(ReservationID)
    /// Staff let its holder in; `at` where that was earlier and is entered afterwards (rules 10).
    case letIn(ReservationID, at: Moment?)
    /// Its holder was scanned on the way out [UC15] (rules 7).
    case exit(ReservationID, at: ExitPoint)
    /// Announce a called number again, with another ten minutes (rules 10).
    case callAgain(ReservationID)
    /// Give one who missed his call his place in the queue back (rules 10).
    case restore(ReservationID)
    /// So many people are inside, says the staff.
    case correctOccupancy(people: Int)
    /// Give out no more places of today; those who wait are still called.
    case endTickets
    /// Close now: everybody who waits loses his place, who is called already keeps his ten minutes.
    case sendHome
    /// Close today earlier than the calendar says; those whose turn does not come by then lose their place (rules 8).
    case closeEarly(at: Moment)
    /// Close as the calendar says and give out tickets again; whoever was sent home today and could still come in has
    /// his place again.
    case openAgain(sentHome: [ReservationID])
    /// Nothing but the passing of time: holds lapse, calls are made and missed, the shop closes.
    case tick
}

/// Where an exit is scanned (rules 7).
public enum ExitPoint: String, Hashable, Sendable, Codable {
    /// The place is free after the shop's leave delay.
    case checkout
    /// The place is free at once.
    case turnstile
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
    case entered(Passage)
    case left(Passage)
    case called(Passage)
    case restored(Passage)
    /// People inside, as the queue counts them now.
    case occupancy(Int)
    /// When today's last opening closes; nil where it is not open any more.
    case closing(LocalMoment?)
    case ticketsEnded
    /// So many people lost their place.
    case sentHome(Int)
    /// So many people have their place again.
    case openedAgain(restored: Int)
    case ticked
}

/// A reservation that came by a reader or a member of the staff.
public struct Passage: Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    /// Until when one who was called may enter; nil for everyone else.
    public let enterBy: LocalMoment?
    /// How long one who left was inside; nil for everyone else, and for one who was never read at the entrance.
    public let stay: Duration?

    init(
        _ record: ReservationRecord, number: QueueNumber, enterBy: LocalMoment?,
        stay: Duration? = nil
    ) {
        id = record.hold.id
        kind = record.hold.kind
        self.number = number
        self.enterBy = enterBy
        self.stay = stay
    }
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
    /// Its holder was called and did not come in time.
    case missed
    /// The shop closed before its holder's turn came.
    case closedBeforeTurn
    /// Its holder is in the shop.
    case inside
    /// His turn has not come; `expected` is when it should, where that is known [UC14].
    case notYetCalled(expected: WaitEstimate?)
    /// Nobody came in with it, so nobody can go out.
    case notInside
    /// It was called and its time runs: nothing needs to be restored.
    case stillValid
    /// Every place is taken.
    case full
    /// A time or a number that cannot be.
    case implausible
}

/// The answer to a command, and the facts to be stored before it is given.
public struct Decision: Hashable, Sendable {
    public let result: Result<QueueOutcome, QueueRefusal>
    /// In order; also with a refusal, as time passes whatever is asked.
    public let changes: [QueueChange]

    public init(result: Result<QueueOutcome, QueueRefusal>, changes: [QueueChange]) {
        self.result = result
        self.changes = changes
    }
}
