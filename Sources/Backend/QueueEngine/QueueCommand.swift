public import Reservations

/// What is asked of one shop's queue; identifiers and codes come with it, so that a decision generates none.
public enum QueueCommand: Hashable, Sendable {
    /// Holds for this owner the first free place of today or of the coming month; `id` identifies it from now on.
    case hold(ReservationKind, owner: HoldOwner, isRemote: Bool = false, id: ReservationID)
    /// Holds the slot that the holder of a phone chose for a visit, if it is free (rules: visits).
    case holdVisit(ChosenSlot, holder: HolderID, id: ReservationID)
    /// Concerns a place that is held for this owner.
    case held(ReservationID, owner: HoldOwner, HoldCommand)
    /// Concerns a confirmed reservation.
    case reservation(ReservationID, ReservationCommand)
    /// Sets the number of people inside to the staff's count.
    case correctOccupancy(people: Int)
    /// Forgets the missed calls of a holder who is blocked; nil if the reference belongs to none (rules: blocks).
    case unblock(HolderID?)
    /// Gives out no more places of today; waiting customers are still called.
    case endTickets
    /// Closes now: all waiting customers lose their place, and customers who are already called keep their ten minutes.
    case sendHome
    /// Closes today earlier than the calendar says; customers whose turn does not come by then lose it (rules: closing).
    case closeEarly(at: Moment)
    /// Closes as the calendar says and gives out tickets again; customers who were sent home today and could still
    /// enter get their place back.
    case openAgain(sentHome: [ReservationID])
    /// The orders at desks inside the shop are these now (rules: desks-inside).
    case collect([Collector])
    /// Carries out only what the passing of time changes: holds expire, calls are made and missed, the shop closes.
    case tick
}

/// A command for a held place.
public enum HoldCommand: Hashable, Sendable {
    /// Asks for more time for it (rules: holds).
    case extend
    /// Gives it back.
    case release
    /// Turns it into a reservation with these codes.
    case confirm(code: EntryCode, typed: TypedCode)
}

/// A command for a confirmed reservation.
public enum ReservationCommand: Hashable, Sendable {
    /// Deletes it; the code proves that the caller has its ticket [UC13].
    case delete(proof: PresentedCode)
    /// Undoes within two minutes that its customer gave it back or delayed it; the code proves the same
    /// (rules: giving-back, more-time).
    case undo(proof: PresentedCode)
    /// Lets so many people go ahead; the code proves the same (rules: more-time).
    case delay(people: Int, proof: PresentedCode)
    /// Its customer, who was asked, says to be coming; it is known from the link alone who that is (rules: coming-question).
    case comes
    /// Moves a visit that was booked on a phone to another slot; the code proves the same (rules: moved-visits).
    case move(to: ChosenSlot, proof: PresentedCode)
    /// Takes it back after a missed call; the code proves the same (rules: more-time).
    case reclaim(proof: PresentedCode)
    /// Deletes it for a customer who lost the ticket; a staff member confirms that it is theirs (rules: corrections).
    case deleteForCustomer
    /// Its holder is at the entrance reader [UC14].
    case enter
    /// Staff let its holder in; `at` is set if that was earlier and is entered afterwards (rules: corrections).
    case letIn(at: Moment?)
    /// Its holder was scanned on the way out [UC15] (rules: exits).
    case exit(at: ExitPoint)
    /// Announces its number, which is called already, again and gives it another ten minutes (rules: corrections).
    case callAgain
    /// Gives its holder, who missed the call, the place in the queue back (rules: corrections).
    case restore
    /// The paper was photographed: the reservation gets this code (rules: new-codes).
    case recode(code: EntryCode, typed: TypedCode)
}

/// The place at which an exit is scanned (rules: exits).
public enum ExitPoint: String, Hashable, Sendable, Codable {
    /// The place is free after the shop's leave delay.
    case checkout
    /// The place is free at once.
    case turnstile
}

/// The result of a command.
public enum QueueOutcome: Hashable, Sendable {
    case held(Hold)
    /// The hold with its new expiry; the same expiry if it cannot be extended again.
    case extended(Hold)
    /// The held place is free, or was already.
    case released
    /// The reservation; the same one again if it was confirmed before.
    ///
    /// - Parameter day: The day to which it belongs.
    case confirmed(Reservation, day: CalendarDay)
    case deleted(ReservationID)
    case entered(Passage)
    case left(Passage)
    case called(Passage)
    case restored(Passage)
    /// The reservation as its holder is shown it, after it was delayed, taken back, or the delay undone.
    case changed(FoundReservation)
    /// The number of people inside, as the queue counts them now.
    case occupancy(Int)
    /// When today's last opening closes; nil if the shop is not open any more.
    case closing(LocalMoment?)
    case ticketsEnded
    case unblocked
    /// The number of customers who lost their place.
    case sentHome(Int)
    /// The number of customers who have their place again.
    case openedAgain(restored: Int)
    case ticked
    /// A call for help that the command began, or the machine's open call.
    case help(HelpCall, isNew: Bool)
    /// An order as its customer is shown it, who has just come, or was here or cannot collect it.
    case order(PickupOrder, isNew: Bool)
    /// An order as the page of a desk shows it, which was changed, or which is as it was.
    case deskOrder(DeskOrder, isNew: Bool)
    /// The customer of an order may pass a door.
    case orderPassage(OrderPassage)
    /// An order as the shop's own system is answered, which announced or changed it.
    case announced(OrderReceipt, isNew: Bool)
}

/// The answer to a command, and the facts to be stored before it is given.
public struct Decision: Hashable, Sendable {
    public let result: Result<QueueOutcome, Refused>
    /// The facts in order; a refusal has some too, as time passes whatever the command.
    public let changes: [QueueChange]
}
