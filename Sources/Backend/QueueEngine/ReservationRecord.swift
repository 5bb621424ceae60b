public import Reservations

/// Who may extend, confirm or release a hold.
public enum HoldOwner: Hashable, Sendable {
    /// The machine at which its customer stands.
    case machine(MachineID)
    /// The phone of its holder.
    case phone(HolderID)

    /// Nil for a phone.
    public var machine: MachineID? {
        if case .machine(let machine) = self { machine } else { nil }
    }

    /// Nil for a machine, whose customers have no name.
    public var holder: HolderID? {
        if case .phone(let holder) = self { holder } else { nil }
    }
}

/// A place that is held for a customer who has not confirmed yet.
public struct Hold: Hashable, Sendable {
    public let id: ReservationID
    public let owner: HoldOwner
    /// Whether the phone's customer was elsewhere, and not at the shop's door (rules: elsewhere).
    public let isRemote: Bool
    public let kind: ReservationKind
    /// The shop's calendar day to which the place belongs.
    public internal(set) var day: CalendarDay
    public let taken: LocalMoment
    /// The place expires at this moment unless it is confirmed, extended or given back.
    public var expires: LocalMoment
    /// How often it was extended.
    public var extensions: Int
    /// The wait that was quoted to the customer; for a visit its start, without a spread.
    public var wait: WaitEstimate
    /// The slot that a visit is booked for; nil for a ticket.
    public let visit: VisitSlot?
    /// How many minutes the customer of a visit expects to stay; nil if they have not said it (rules: visits).
    public let declaredMinutes: Int?

    public init(
        id: ReservationID, owner: HoldOwner, isRemote: Bool = false, kind: ReservationKind,
        day: CalendarDay, taken: LocalMoment, expires: LocalMoment, extensions: Int,
        wait: WaitEstimate, visit: VisitSlot? = nil, declaredMinutes: Int? = nil
    ) {
        self.declaredMinutes = declaredMinutes
        self.id = id
        self.owner = owner
        self.isRemote = isRemote
        self.kind = kind
        self.day = day
        self.taken = taken
        self.expires = expires
        self.extensions = extensions
        self.wait = wait
        self.visit = visit
    }

    /// The way on which it was taken.
    public var channel: Channel {
        switch owner {
        case .machine: .machine
        case .phone: isRemote ? .remote : .phone
        }
    }

    /// The place as its owner knows it.
    public func place(at now: Moment) -> HeldPlace {
        HeldPlace(
            id: id, kind: kind, now: taken.at(now), expires: expires, wait: wait, visit: visit)
    }
}

/// What a hold gains when it is confirmed: number and position together (rules: numbers), and the codes.
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

/// A reservation in any state, as the store keeps it.
public struct ReservationRecord: Hashable, Sendable {
    public internal(set) var hold: Hold
    public private(set) var state: ReservationState
    /// The moment since when it is in this state.
    public private(set) var since: Moment
    /// Why it is in this state.
    public private(set) var cause: TransitionCause
    /// Set from the planned state on; nil for a hold that was never confirmed.
    public internal(set) var confirmation: Confirmation?
    /// When its holder entered; nil if they never did.
    public private(set) var entered: Moment?
    /// What its holder has done about its turn (rules: more-time).
    public internal(set) var turn: TurnChanges
    /// The question whether its holder is coming (rules: coming-question).
    public internal(set) var question: ComingQuestion

    public init(
        hold: Hold, state: ReservationState, since: Moment, cause: TransitionCause,
        confirmation: Confirmation?, entered: Moment? = nil, turn: TurnChanges = TurnChanges(),
        question: ComingQuestion = ComingQuestion()
    ) {
        self.turn = turn
        self.question = question
        self.hold = hold
        self.state = state
        self.since = since
        self.cause = cause
        self.confirmation = confirmation
        self.entered = entered
    }

    /// Whether its customer is asked whether they are coming, and has not answered.
    public var isAsked: Bool {
        hold.isRemote && question.asked != nil && question.answered == nil
    }

    /// Whether the link that shows it is the same: its visit was not moved to another day, and it has no other code.
    public func hasSameLink(as other: ReservationRecord) -> Bool {
        hold.day == other.hold.day && confirmation?.number == other.confirmation?.number
            && confirmation?.code == other.confirmation?.code
    }

    /// The change to its next state.
    public func change(to next: ReservationState, at moment: Moment, because cause: TransitionCause)
        -> QueueChange
    { .moved(Transition(id: hold.id, from: state, to: next, at: moment, cause: cause)) }

    /// The record as it is in the queue in memory.
    func inQueue(_ state: ReservationState, _ live: LiveReservation) -> ReservationRecord {
        var present = self
        present.state = state
        present.since = live.since
        present.turn = live.turn
        present.question = live.question
        return present
    }

    /// The record after its holder was asked whether they are coming, or has said so.
    public func with(_ question: ComingQuestion) -> ReservationRecord {
        var next = self
        next.question = question
        return next
    }

    /// The record in its next state.
    public func after(_ transition: Transition) -> ReservationRecord {
        var next = self
        next.state = transition.to
        next.since = transition.at
        next.cause = transition.cause
        if transition.to == .active { next.entered = transition.at }
        return next
    }
}

/// What the holder of a reservation has done about its turn (rules: more-time).
public struct TurnChanges: Hashable, Sendable {
    /// Where a delay has put a ticket.
    public struct Place: Hashable, Sendable {
        /// The position among the waiting tickets.
        public let position: Int64
        /// The earliest time that was quoted for it (p10), or before; whichever is later.
        public let earliest: Moment

        public init(position: Int64, earliest: Moment) {
            self.position = position
            self.earliest = earliest
        }
    }

    /// Where the last delay has put it; nil for the position of its number.
    public var place: Place?
    /// How often its holder moved a visit to another slot (rules: moved-visits).
    public var moveCount = 0
    /// Where it was before, to which an undo returns it; nil for the position of its number.
    public var formerPlace: Place?
    /// The moment of the last delay that was not undone; nil if there is none.
    public var delayed: Moment?
    /// How often its holder let others go ahead.
    public var delayCount = 0
    /// How often its holder took it back after a missed call.
    public var reclaimCount = 0

    public init() {}
}

/// Whether the holder of a place that was taken elsewhere was asked whether they are coming, and what they said
/// (rules: coming-question).
public struct ComingQuestion: Hashable, Sendable {
    /// When they were asked; nil before.
    public var asked: Moment?
    /// When they said to be coming; nil before.
    public var answered: Moment?

    public init(asked: Moment? = nil, answered: Moment? = nil) {
        self.asked = asked
        self.answered = answered
    }
}

/// Why a reservation changed its state; the database contains the raw values.
public enum TransitionCause: String, Hashable, Sendable, CaseIterable {
    /// A customer asked for a place: it is pending.
    case requested
    /// The customer confirmed: it is planned.
    case confirmed
    /// The customer, or the machine on the customer's behalf, gave the held place back.
    case cancelled
    /// Its owner asked for another place (rules: holds).
    case replaced
    /// The time of the held place ended.
    case holdExpired = "lapsed"
    /// The customer deleted the reservation with its code [UC13].
    case withdrawn
    /// The customer deleted the reservation with its code after it was called [UC13].
    case declined
    /// The customer undid within two minutes that the reservation was given back or delayed: it is planned
    /// (rules: giving-back, more-time).
    case undone
    /// The customer let others go ahead: it is planned, behind them (rules: more-time).
    case delayed
    /// The customer moved the visit to another slot, or changed its length: it is planned (rules: moved-visits).
    case rebooked
    /// The customer, who had missed the call, took the place back: it is planned (rules: more-time).
    case reclaimed
    /// Staff deleted it for a customer who lost the ticket (rules: corrections).
    case deletedByStaff = "deleted-by-staff"
    /// The shop changed its hours and could not keep the visit (rules: capacity).
    case cancelledByShop = "cancelled-by-shop"
    /// The customer's turn came: it is called [SP2].
    case turn
    /// Staff announced the number again (rules: corrections).
    case calledAgain = "called-again"
    /// Staff gave a customer who missed the call the place back: it is planned (rules: corrections).
    case restored
    /// The entrance reader let the customer in: it is active [UC14].
    case entered
    /// Staff let the customer in (rules: corrections).
    case letIn = "let-in"
    /// The customer was scanned at the check-out: it is used, and its place is free after the leave delay [UC15].
    case checkedOut = "checked-out"
    /// The customer was scanned at the door: it is used, and its place is free at once [UC15].
    case left
    /// The exit was not scanned; it is presumed to have happened (rules: exits).
    case inferred
    /// Its holder was called too often without coming, and lost the other places too (rules: blocks).
    case blocked
    /// The customer was called and did not come within ten minutes [R12].
    case missed
    /// The customer was asked whether they are coming and did not answer; only rows that were written before schema 31 say so.
    case unanswered
    /// The shop closed before the customer's turn came (rules: closing).
    case closed
    /// The staff closed the shop before its time and sent the waiting customers home.
    case sentHome = "sent-home"

    /// Whether the customer lost the place without missing a call: the shop closed before their turn.
    public var isClosing: Bool { self == .closed || self == .sentHome }
}

/// A reservation or a held place that went from one state to another.
public struct Transition: Hashable, Sendable {
    public let id: ReservationID
    public let from: ReservationState
    public let to: ReservationState
    public let at: Moment
    public let cause: TransitionCause
}

/// A fact to be stored; the state in memory contains it already.
public enum QueueChange: Hashable, Sendable {
    /// A new pending place; its event is "requested".
    case inserted(ReservationRecord)
    /// A held place that became a reservation with number and codes.
    case confirmed(ReservationRecord)
    /// A reservation, or a held place that ended without one, in its next state.
    case moved(Transition)
    /// The holder has done something about its turn; the transition follows.
    case turnChanged(ReservationRecord)
    /// The holder has moved a visit, which may have another day and number now than on its former day; the transition
    /// follows.
    case rebooked(ReservationRecord, from: CalendarDay)
    /// The reservation has another code than the typed one that it had; no transition.
    case recoded(ReservationRecord, former: TypedCode)
    /// The holder was asked whether they are coming, or has said so; no transition.
    case questionChanged(ReservationID, ComingQuestion)
    /// A held place got more time; no transition.
    case extended(Hold)
    /// `to` was assigned for the day: the next one is higher. So many numbers before it were left out.
    case counterAdvanced(CalendarDay, to: QueueNumber, leavingOut: Int)
    /// The day closes at this moment; nil if it closes as the calendar says.
    case closingSet(CalendarDay, at: Moment?)
    /// Whether the staff has stopped giving out places of the day.
    case ticketsEnded(CalendarDay, Bool)
    /// The number of people inside who have no known reservation, and since when.
    case unregistered(Int, since: Moment)
    /// What was learned of the stays of customers who enter in this hour of the week.
    case learnedStays(LearnedStays.Cell, DurationSums)
    /// How many called customers came and did not come.
    case learnedAttendance(Attendance)
    /// An order that waited at a desk has a free place, and is called (rules: desks-inside).
    case orderCalled(OrderID, at: Moment)
    /// The orders at desks inside the shop have changed.
    case collectorsChanged
    /// A holder missed a call, which was at this moment.
    case noShow(HolderID, at: Moment)
    /// The missed calls of a holder count no longer.
    case noShowsForgotten(HolderID)
}
