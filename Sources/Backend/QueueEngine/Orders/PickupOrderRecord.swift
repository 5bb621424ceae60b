public import Reservations

/// An order that a customer collects, as it is stored (rules: orders).
public struct PickupOrderRecord: Hashable, Sendable {
    /// The customer's turn at the desk.
    public struct Turn: Hashable, Sendable {
        /// The shop's day of the number.
        public let day: CalendarDay
        public let number: PickupNumber
        /// When the customer said to be here.
        public let arrived: Moment

        public init(day: CalendarDay, number: PickupNumber, arrived: Moment) {
            self.day = day
            self.number = number
            self.arrived = arrived
        }
    }

    public let id: OrderID
    public let reference: String
    public let code: PickupCode
    public let typedCode: TypedCode
    /// When the shop's system announced it.
    public let announced: Moment
    /// From when on it was promised to be ready.
    public internal(set) var promised: Moment
    public internal(set) var parcels: [Parcel]
    public internal(set) var state: OrderState
    /// When it came into this state.
    public internal(set) var since: Moment
    /// Nil until its customer is here, and after it was put back on the shelf.
    public internal(set) var turn: Turn?
    /// The desk whose assistant fetches it or has looked for it in vain, or to which it was called; nil in all other
    /// states.
    public internal(set) var desk: Int?
    /// When that assistant began to fetch it; nil in the states without a desk, and once it is known how long it took.
    public internal(set) var fetchingSince: Moment?
    /// When its number was called, at the desk at which it is or was; nil before, and while it waits there for a free place
    /// inside the shop.
    public internal(set) var called: Moment?
    /// Whether its customer has come in since then, as far as a reader at the door knows.
    public internal(set) var hasEntered: Bool
    /// Whether its last step was taken back: no other one before it is.
    public internal(set) var isUndone: Bool

    public init(
        id: OrderID, reference: String, code: PickupCode, typedCode: TypedCode, announced: Moment,
        promised: Moment, parcels: [Parcel], state: OrderState, since: Moment, turn: Turn? = nil,
        desk: Int? = nil, fetchingSince: Moment? = nil, called: Moment? = nil,
        hasEntered: Bool = false, isUndone: Bool = false
    ) {
        self.id = id
        self.reference = reference
        self.code = code
        self.typedCode = typedCode
        self.announced = announced
        self.promised = promised
        self.parcels = parcels
        self.state = state
        self.since = since
        self.turn = turn
        self.desk = desk
        self.fetchingSince = fetchingSince
        self.called = called
        self.hasEntered = hasEntered
        self.isUndone = isUndone
    }

    /// The state as its customer is shown it: no desk is named before there is a place for the customer.
    public var shownState: OrderState { state == .called && called == nil ? .fetching : state }

    /// Whether the code that was shown is this order's.
    public func isProved(by proof: PresentedOrderCode) -> Bool {
        switch proof {
        case .entry(let code): code == self.code
        case .typed(let code): code == typedCode
        }
    }

    /// Whether its customer may say to be here: it is on the shelf, or was promised to be by now. Not every shop reports
    /// what is on its shelves.
    public func isReady(at now: Moment) -> Bool {
        switch state {
        case .onShelf: true
        case .promised: promised <= now
        case .arrived, .fetching, .called, .notFound, .handedOver, .cancelled, .expired: false
        }
    }

    /// Enters a state that may follow the present one. A clock that was set back does not turn the order of events round.
    mutating func move(to next: OrderState, at now: Moment) {
        precondition(state.next.contains(next), "\(state) is not followed by \(next)")
        // Only a step that was taken back leads from the desk to fetching again.
        if state == .called, next != .fetching { fetchingSince = nil }
        // A customer who is inside already keeps the place.
        if state == .called, next == .fetching, !hasEntered { called = nil }
        state = next
        since = max(now, since)
        isUndone = false
        if !next.isHere, next != .handedOver {
            turn = nil
            loseCall()
        }
        if !next.isAtDesk {
            desk = nil
            fetchingSince = nil
        }
    }

    private mutating func loseCall() {
        called = nil
        hasEntered = false
    }

    /// How long it took an assistant to bring it to the desk, once it has left the desk's call: `ready` is not taken back after
    /// that. Nil if the change from `former` does not show it.
    public func fetchingTime(after former: PickupOrderRecord) -> Duration? {
        guard former.state == .called, let begun = former.fetchingSince, fetchingSince == nil else {
            return nil
        }
        return former.since - begun
    }
}

/// What a shop's own system says of an order.
public struct AnnouncedOrder: Hashable, Sendable {
    public let reference: String
    /// From when on it is promised to be ready.
    public let promised: Moment
    public let parcels: [Parcel]

    /// Nil if the reference is not of the form that `OrderReference` has, or there are not as many parcels as an order
    /// can have.
    public init?(reference: String, promised: Moment, parcels: [Parcel]) {
        guard OrderReference.isValid(reference), Parcel.counts.contains(parcels.count) else {
            return nil
        }
        self.reference = reference
        self.promised = promised
        self.parcels = parcels
    }

    /// How far ahead an order may be promised.
    public static let longestPromise = Duration.seconds(longestPromiseDays * 86_400)
    private static let longestPromiseDays = 400

    /// Whether the time is one that a shop can promise: not over for longer than it keeps orders, and not more than
    /// `longestPromise` ahead.
    public func isPlausible(at now: Moment, keeping days: Int) -> Bool {
        now - .seconds(days * 86_400) < promised && promised < now + Self.longestPromise
    }

    /// What the promised time is if the order is not plausible, for a sentence.
    public static func implausiblePromise(keeping days: Int) -> String {
        "a time that is over for longer than \(days) days, for which the shop keeps orders, "
            + "or more than \(longestPromiseDays) days away"
    }

    /// Whether it is known of each parcel where it is: then the order is ready to be fetched.
    public var isOnShelf: Bool { parcels.allSatisfy { !$0.shelf.isEmpty } }

    /// The order as it is stored first.
    public func record(
        id: OrderID, code: PickupCode, typedCode: TypedCode, at now: Moment
    ) -> PickupOrderRecord {
        PickupOrderRecord(
            id: id, reference: reference, code: code, typedCode: typedCode, announced: now,
            promised: promised, parcels: parcels, state: isOnShelf ? .onShelf : .promised,
            since: now)
    }
}

extension PickupOrderRecord {
    /// The order as the shop's own system is answered.
    public func receipt(local: (Moment) -> LocalMoment) -> OrderReceipt {
        OrderReceipt(
            reference: reference, state: state, since: local(since), code: code,
            typedCode: typedCode)
    }

    /// Takes over what the shop's system says of the order now; returns false if it comes too late: the customer is here
    /// or has been, or the order is over. What is not new never comes too late.
    public mutating func announce(_ order: AnnouncedOrder, at now: Moment) -> Bool {
        guard promised != order.promised || parcels != order.parcels else { return true }
        guard state == .promised || state == .onShelf else { return false }
        promised = order.promised
        parcels = order.parcels
        // An order that was put back stays on the shelf, even if it is not known on which one.
        if order.isOnShelf, state == .promised { move(to: .onShelf, at: now) }
        return true
    }

    /// The shop's system calls the order off; returns false if it is over. One that was called off stays so.
    public mutating func cancel(at now: Moment) -> Bool {
        guard state != .cancelled else { return true }
        guard state.next.contains(.cancelled) else { return false }
        move(to: .cancelled, at: now)
        return true
    }

    /// What only the passing of time changes: an order of which no customer came for so long expires, and one whose
    /// customer was here on an earlier day, or does not come to the desk, goes back on the shelf.
    ///
    /// - Parameters:
    ///   - firstDay: The first day whose customers may still be here: the day before, if the shop has stayed open over
    ///   midnight.
    ///   - callsAtOnce: Whether an order at a desk needs no place inside the shop.
    public mutating func pass(
        to now: Moment, firstDay: CalendarDay, keeping days: Int, callsAtOnce: Bool = true
    ) {
        if state.isHere, let turn, turn.day < firstDay { move(to: .onShelf, at: now) }
        // Its customer was here just now, and may come again.
        if isForgotten(at: now) { return move(to: .onShelf, at: now) }
        if callsAtOnce, isUncalled { called = max(now, since) }
        let isOver = promised + .seconds(days * 86_400) <= now
        if state == .promised || state == .onShelf, isOver { move(to: .expired, at: now) }
    }
}

// What assistants do.
extension PickupOrderRecord {
    /// An order that was called is called again once after so long.
    static let recallTime = Duration.minutes(5)
    /// An order that was called goes back on the shelf after so long.
    public static let callTime = Duration.minutes(15)
    /// The step back may be on its way for so long after `DeskStep.undoTime`.
    private static let undoMargin = Duration.seconds(10)

    /// For so long after a step, at most, it can be taken back.
    static let undoLimit = DeskStep.undoTime + undoMargin

    /// Whether its customer was called and has not come to the desk for too long.
    func isForgotten(at now: Moment) -> Bool {
        state == .called && called.map { $0 + Self.callTime <= now } == true
    }

    /// Whether it is at a desk and waits for a free place inside the shop.
    public var isUncalled: Bool { state == .called && called == nil }

    /// When it was called, or called again; nil if it is not called, or not yet.
    func announced(at now: Moment) -> Moment? {
        guard state == .called, let called else { return nil }
        let again = called + Self.recallTime
        return again <= now ? again : called
    }

    /// Until when the desk may take its last step back; nil if there is none to be taken back.
    var undoBy: Moment? {
        state.undone == nil || isUndone ? nil : since + DeskStep.undoTime
    }

    /// An assistant at a desk takes a step; returns false if the order is not in a state for it. A step that was taken at this
    /// desk already changes nothing.
    ///
    /// - Parameter callsAtOnce: Whether a ready order is called at once, and needs no place inside the shop.
    public mutating func take(
        _ step: DeskStep, at desk: Int, now: Moment, callsAtOnce: Bool = true
    ) -> Bool {
        let isOwn = self.desk == desk
        switch (step, state) {
        case (.fetch, .fetching), (.ready, .called), (.notFound, .notFound),
            (.handOver, .handedOver):
            return isOwn
        case (.fetch, .arrived), (.fetch, .notFound):
            move(to: .fetching, at: now)
            self.desk = desk
            fetchingSince = since
        case (.ready, .fetching) where isOwn:
            move(to: .called, at: now)
            if callsAtOnce || called != nil { called = since }
        case (.notFound, .fetching) where isOwn: move(to: .notFound, at: now)
        case (.handOver, .called) where isOwn: move(to: .handedOver, at: now)
        // Its assistant may have gone home.
        case (.release, .fetching): move(to: .arrived, at: now)
        case (.putBack, .arrived), (.putBack, .fetching), (.putBack, .called),
            (.putBack, .notFound):
            move(to: .onShelf, at: now)
        case (.undo, _):
            guard isOwn, let undoBy, now < undoBy + Self.undoMargin, let former = state.undone
            else { return false }
            move(to: former, at: now)
            isUndone = true
            // Its customer has as much time again.
            if former == .called, called != nil { called = since }
        case (.fetch, _), (.ready, _), (.notFound, _), (.handOver, _), (.release, _),
            (.putBack, _):
            return false
        }
        return true
    }
}

extension OrderState {
    /// Whether an assistant at a desk has to do with it, or had last.
    fileprivate var isAtDesk: Bool {
        switch self {
        case .fetching, .called, .notFound, .handedOver: true
        case .promised, .onShelf, .arrived, .cancelled, .expired: false
        }
    }

    /// The state before the step that an assistant took; nil if no step led here that can be taken back.
    fileprivate var undone: OrderState? {
        switch self {
        case .fetching: .arrived
        case .called, .notFound: .fetching
        case .handedOver: .called
        case .promised, .onShelf, .arrived, .cancelled, .expired: nil
        }
    }
}
