public import Reservations

/// What is asked of one shop's queue. Who asks comes with it, and identifiers and codes come from `QueueRecords`, so that a
/// decision generates none.
public enum QueueCommand: Hashable, Sendable {
    /// Holds for the sender the first free place of today or of the coming month.
    ///
    /// - Parameter isRemote: Whether the sender is a phone that is elsewhere (rules: elsewhere).
    case hold(ReservationKind, isRemote: Bool = false)
    /// Holds the slot that the holder of a phone chose for a visit, if it is free (rules: visits).
    case holdVisit(ChosenSlot)
    /// Concerns a place that is held for the sender.
    case held(ReservationID, HoldCommand)
    /// Concerns a confirmed reservation.
    case reservation(ReservationName, ReservationCommand)
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
    case openAgain
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
    /// Turns it into a reservation.
    case confirm
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
    /// The paper with this number was photographed: the reservation gets another code (rules: new-codes).
    case recode(QueueNumber)
}

/// What a command names a reservation by.
public enum ReservationName: Hashable, Sendable {
    case id(ReservationID)
    /// The code that its holder shows.
    case code(PresentedCode)
    /// The number that its holder has in the present opening.
    case number(QueueNumber)
}

/// What is stored of a shop's reservations, and what a new one gets, as a decision asks for it.
public protocol QueueRecords<Failure> {
    associatedtype Failure: Error

    /// The reservation of this name; called only if it is not an open hold.
    func record(_ name: ReservationName) throws(Failure) -> ReservationRecord?
    /// The reservations that were sent home on these days.
    func sentHome(on days: [CalendarDay]) throws(Failure) -> [ReservationRecord]
    /// An identifier that no reservation has yet.
    func newID(at now: Moment) -> ReservationID
    /// Codes that no reservation of the shop has.
    ///
    /// - Parameter isAnother: Whether they replace those of a reservation.
    func newCodes(isAnother: Bool) throws(Failure) -> (code: EntryCode, typed: TypedCode)
}

// What a command means for those who carry it out.
extension QueueCommand {
    /// Whether a customer is at a door.
    public var isPassage: Bool { passing != nil }

    /// The door at which a customer is; nil for every other command.
    public var passing: Passing? {
        switch self {
        case .reservation(_, .enter): .entrance
        case .reservation(_, .exit(let point)): .exit(point)
        case .hold, .holdVisit, .held, .reservation, .correctOccupancy, .unblock, .endTickets,
            .sendHome, .closeEarly, .openAgain, .collect, .tick:
            nil
        }
    }

    /// The code that was shown as a proof, or at a door; nil if there is none.
    public var shownCode: PresentedCode? {
        guard case .reservation(let name, let command) = self else { return nil }
        if case .code(let code) = name, isPassage { return code }
        return command.proof
    }

    /// The slot for which a visit is booked, or to which it is moved; nil for every other command.
    public var chosenSlot: ChosenSlot? {
        switch self {
        case .holdVisit(let slot), .reservation(_, .move(to: let slot, _)): slot
        case .hold, .held, .reservation, .correctOccupancy, .unblock, .endTickets, .sendHome,
            .closeEarly, .openAgain, .collect, .tick:
            nil
        }
    }

    /// Whether it asks for a place, or for another day of one.
    public var asksForPlace: Bool {
        if case .hold = self { true } else { chosenSlot != nil }
    }

    /// Whether a staff member makes it.
    public var isOfStaff: Bool {
        switch self {
        case .correctOccupancy, .unblock, .endTickets, .sendHome, .closeEarly, .openAgain: true
        case .reservation(_, let command): command.isOfStaff
        case .hold, .holdVisit, .held, .collect, .tick: false
        }
    }
}

extension ReservationCommand {
    /// What proves that the caller has the ticket; nil if the command needs no proof.
    var proof: PresentedCode? {
        switch self {
        case .delete(let proof), .undo(let proof), .delay(_, let proof), .move(_, let proof),
            .reclaim(let proof):
            proof
        case .comes, .deleteForCustomer, .enter, .letIn, .exit, .callAgain, .restore, .recode: nil
        }
    }

    fileprivate var isOfStaff: Bool {
        switch self {
        case .deleteForCustomer, .letIn, .callAgain, .restore, .recode: true
        case .delete, .undo, .delay, .comes, .move, .reclaim, .enter, .exit: false
        }
    }
}

/// The door at which a code was shown [UC14, UC15].
public enum Passing: Hashable, Sendable {
    case entrance
    case exit(ExitPoint)

    /// The customer of a reservation is there.
    public func command(_ code: PresentedCode) -> QueueCommand {
        switch self {
        case .entrance: .reservation(.code(code), .enter)
        case .exit(let point): .reservation(.code(code), .exit(at: point))
        }
    }

    /// The customer of an order is there (rules: desks-inside).
    public func command(_ code: PresentedOrderCode) -> OrderCommand {
        switch self {
        case .entrance: .enter(code)
        case .exit(let point): .leave(code, at: point)
        }
    }
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
