public import Reservations

/// What is asked of one shop's queue; identifiers and codes come with it, so that deciding draws nothing.
public enum QueueCommand: Hashable, Sendable {
    /// Hold this machine the first free place of today or of the coming month; `id` names it from now on.
    case hold(ReservationKind, machine: MachineID, id: ReservationID)
    /// About a place that this machine holds.
    case held(ReservationID, machine: MachineID, HoldCommand)
    /// About a confirmed reservation.
    case reservation(ReservationID, ReservationCommand)
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

/// What a machine wants done with the place that it holds.
public enum HoldCommand: Hashable, Sendable {
    /// More time for it (rules 2).
    case extend
    /// Give it back.
    case release
    /// Turn it into a reservation with these codes.
    case confirm(code: EntryCode, typed: TypedCode)
}

/// What is to be done with a confirmed reservation.
public enum ReservationCommand: Hashable, Sendable {
    /// Delete it; the code proves that its paper is in the caller's hand [UC13].
    case delete(proof: PresentedCode)
    /// Delete it for a customer who lost the paper; a member of the staff vouches for him (rules 10).
    case deleteForCustomer
    /// Its holder stands at the entrance reader [UC14].
    case enter
    /// Staff let its holder in; `at` where that was earlier and is entered afterwards (rules 10).
    case letIn(at: Moment?)
    /// Its holder was scanned on the way out [UC15] (rules 7).
    case exit(at: ExitPoint)
    /// Announce its number, which is called, again, with another ten minutes (rules 10).
    case callAgain
    /// Give its holder, who missed the call, the place in the queue back (rules 10).
    case restore
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

/// The answer to a command, and the facts to be stored before it is given.
public struct Decision: Hashable, Sendable {
    public let result: Result<QueueOutcome, Refused>
    /// In order; also with a refusal, as time passes whatever is asked.
    public let changes: [QueueChange]

    public init(result: Result<QueueOutcome, Refused>, changes: [QueueChange]) {
        self.result = result
        self.changes = changes
    }
}
