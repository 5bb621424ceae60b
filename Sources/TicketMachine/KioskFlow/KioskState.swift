public import Reservations

/// The state of the machine; each case lists the states that can follow. Times are on the monotonic clock.
public enum KioskState: Hashable, Sendable, Codable {
    /// Nothing is known yet -> any resting state, unresolved, issued.
    case starting
    /// Waiting for a customer -> asking, scanning, looking up, closed, out of service, unresolved.
    case home
    /// -> home, out of service.
    case closed(opens: LocalMoment?)
    /// -> home, closed; by itself, as soon as the cause has been corrected.
    case outOfService(OutOfService)
    /// A place was asked for -> offer, no ticket today, closed, request failed, home.
    case asking(Asking)
    /// A place is held and shown -> confirming, asking (renewed), home.
    case offer(Offer)
    /// -> asking (a visit), home.
    case noTicketToday
    /// No visit is free within the next month -> home.
    case noVisit
    /// The confirmation, or the news that an order's customer is here, is on its way -> issued, unresolved, asking (hold
    /// expired), order, code refused, closed, request failed.
    case confirming(Confirming)
    /// The request has no answer yet, neither yes nor no (rules: unanswered-confirmation) -> issued, asking (hold
    /// expired), order, home.
    case unresolved(Unresolved)
    /// The customer has a place, or the number of an order -> home.
    case issued(Issued)
    /// The customer holds a code to the reader, or types it -> looking up, code refused, home.
    case scanning(Scanning)
    /// -> found, missed call, order, code refused, request failed, home.
    case lookingUp(LookingUp)
    /// The reservation is shown -> deleting, delay offers, home.
    case found(Found)
    /// The order is shown (rules: order-arrivals) -> confirming, home.
    case order(FoundOrder)
    /// The customer sees what letting people go ahead costs (rules: more-time) -> changing turn, home.
    case delayOffers(Found)
    /// The call was missed, and the place can be taken back (rules: more-time) -> changing turn, home.
    case missedCall(Found)
    /// -> turn changed, code refused, request failed, home.
    case changingTurn(ChangingTurn)
    /// -> home.
    case turnChanged(TurnChanged)
    /// -> deleted, code refused, request failed, home.
    case deleting(Deleting)
    /// -> home.
    case deleted(Deleted)
    /// -> scanning, home.
    case codeRefused(CodeRefused)
    /// The request failed and the customer has no place -> home.
    case requestFailed(RequestFailed)
    /// A staff member wants to enter maintenance mode -> staff, home.
    case pinEntry(PINEntry)
    /// Maintenance mode -> home.
    case staff(StaffSession)

    /// The name of the screen, which distinguishes another screen from the same one with other content.
    public var name: String { traits.name }

    /// Whether no customer is being served; these states are entered and left by what the backend reports.
    public var isResting: Bool { traits.user == .noStaff }

    /// Whether customers see it: not maintenance mode and not the PIN entry.
    public var isForCustomers: Bool { traits.user != .staff }

    /// What distinguishes a state from the others, whatever its data are.
    struct Traits {
        enum User { case noStaff, customer, staff }

        let name: String
        let user: User
        /// What a customer can choose on its screen.
        var actions: [UserAction] = []
        /// Whether a code that is read is looked up.
        var takesCodes = false
        /// Whether the screen has keys of its own, which may be pressed in quick succession.
        var hasKeys = false
    }

    var traits: Traits {
        func customer(_ name: String, _ actions: [UserAction], takesCodes: Bool = false) -> Traits {
            Traits(name: name, user: .customer, actions: actions, takesCodes: takesCodes)
        }
        return switch self {
        case .starting: Traits(name: "starting", user: .noStaff)
        case .home:
            Traits(
                name: "home", user: .noStaff,
                actions: [.getTicket, .findReservation, .collectOrder],
                takesCodes: true)
        case .closed: Traits(name: "closed", user: .noStaff)
        case .outOfService: Traits(name: "outOfService", user: .noStaff)
        case .asking: customer("asking", [.cancel])
        case .offer: customer("offer", [.confirm, .cancel])
        case .noTicketToday: customer("noTicketToday", [.bookVisit, .cancel])
        case .noVisit: customer("noVisit", [.cancel, .done])
        case .confirming: customer("confirming", [])
        case .unresolved: customer("unresolved", [.leave])
        case .issued: customer("issued", [.done], takesCodes: true)
        case .scanning:
            Traits(
                name: "scanning", user: .customer, actions: [.cancel, .enterCode],
                takesCodes: true, hasKeys: true)
        case .lookingUp: customer("lookingUp", [.cancel])
        case .found(let found):
            customer(
                "found", [.giveUp, .cancel] + (found.delayOffers.isEmpty ? [] : [.openDelays]))
        case .order(let found):
            customer(
                "order", found.isChoice ? [.arrive, .cancel] : [.done],
                takesCodes: !found.isChoice)
        case .delayOffers(let found):
            customer("delayOffers", [.cancel] + found.delayOffers.map { .delay(people: $0.people) })
        case .missedCall: customer("missedCall", [.reclaim, .cancel])
        case .changingTurn: customer("changingTurn", [])
        case .turnChanged: customer("turnChanged", [.done], takesCodes: true)
        case .deleting: customer("deleting", [])
        case .deleted: customer("deleted", [.done], takesCodes: true)
        case .codeRefused(let refused):
            customer("codeRefused", [refused.sought.search, .done], takesCodes: true)
        case .requestFailed: customer("apology", [.done], takesCodes: true)
        case .pinEntry: Traits(name: "staffEntrance", user: .staff, hasKeys: true)
        case .staff(let visit): Traits(name: "staff", user: .staff, hasKeys: visit.form != nil)
        }
    }

    /// What ends a state by itself; times are on the monotonic clock.
    enum Ending: Hashable {
        /// The state is ended by an event, not by time.
        case never
        /// The time without a touch is over; the place must not stay on the screen longer than its hold.
        case untouched(until: Duration)
        /// A finished screen goes Home at this time.
        case finished(Duration)
        /// Maintenance mode ends after this time without a touch.
        case staff(until: Duration)
        /// The request is repeated until it is answered.
        case answer(Unresolved)
        /// No progress of the receipt was reported until then.
        case silence(Issued)

        /// What ends the state while another screen covers it: a time that its customer cannot see stands still.
        var whileCovered: Ending {
            switch self {
            case .never, .untouched, .finished, .staff: .never
            case .answer, .silence: self
            }
        }
    }

    /// - Parameter lastTouch: when the machine was touched last.
    func ending(lastTouch: Duration) -> Ending {
        switch self {
        case .starting, .home, .closed, .outOfService, .confirming, .deleting, .changingTurn:
            .never
        case .asking, .noTicketToday, .noVisit, .scanning, .lookingUp, .found, .delayOffers,
            .missedCall:
            .untouched(until: lastTouch + KioskTiming.inactivityTimeout)
        case .offer(let offer): .untouched(until: offer.ends(lastTouch: lastTouch))
        case .unresolved(let unresolved): .answer(unresolved)
        case .issued(let issued): issued.closes.map(Ending.finished) ?? .silence(issued)
        case .requestFailed(let requestFailed): .finished(requestFailed.closes)
        case .deleted(let deleted): .finished(deleted.closes)
        case .turnChanged(let changed): .finished(changed.closes)
        case .codeRefused(let refused): .finished(refused.closes)
        case .order(let found):
            found.closes.map(Ending.finished)
                ?? .untouched(until: lastTouch + KioskTiming.inactivityTimeout)
        case .pinEntry: .staff(until: lastTouch + KioskTiming.pinEntry)
        case .staff: .staff(until: lastTouch + KioskTiming.staff)
        }
    }
}

public struct RequestFailed: Hashable, Sendable, Codable {
    public let reason: OutOfService
    /// The change that the failed request was about, which may have happened; nil if it would have changed nothing.
    public let change: PlaceChange?
    public internal(set) var closes: Duration
}

/// What a customer asks to change about a reservation or an order that was found.
public enum PlaceChange: Hashable, Sendable, Codable {
    case deletion
    /// The customer of an order is here.
    case arrival
    case turn(TurnChange)
}

/// How a customer asks to be called at another time (rules: more-time).
public enum TurnChange: Hashable, Sendable, Codable {
    /// So many people go ahead.
    case delay(people: Int)
    /// The customer missed the call and takes the place back.
    case reclaim
}

public struct Asking: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public let kind: ReservationKind
    /// Whether the customer's previous offer has expired.
    public let renewed: Bool
    /// Whether a visit was asked for, and a ticket has become free meanwhile [UC12].
    public let insteadOfVisit: Bool
}

public struct Offer: Hashable, Sendable, Codable {
    public var place: HeldPlace
    /// When the hold expires at the backend.
    public var expires: Duration
    /// Whether the customer's previous offer has expired.
    public let renewed: Bool
    /// Whether a visit was asked for, and a ticket has become free meanwhile [UC12].
    public let insteadOfVisit: Bool
    /// The other shop of the last report when the offer came, kept while the customer decides (rules: nearby-shop).
    public var nearby: NearbyShop?
    public var extensions = 0
    public var lastExtension: Duration?

    /// Whether a touch can still extend the hold (rules: holds); otherwise the customer must decide.
    public var isExtendable: Bool { extensions < KioskTiming.extensions }

    /// When the place is given back without a touch; half of the margin is kept for the call.
    func ends(lastTouch: Duration) -> Duration {
        min(lastTouch + KioskTiming.inactivityTimeout, expires - KioskTiming.holdMargin / 2)
    }

    /// Whether the hold must be extended so that it lasts as long as the screen after a touch now (rules: holds).
    func needsExtension(now: Duration) -> Bool {
        let outlasts = now + KioskTiming.inactivityTimeout > expires - KioskTiming.holdMargin
        let isDue = lastExtension.map { now >= $0 + KioskTiming.minExtensionInterval } ?? true
        return outlasts && isDue && isExtendable
    }
}

public struct Confirming: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let what: Requested
    /// The kind of place that was shown; nil for an order.
    public let kind: ReservationKind?
    /// Whether it is repeated after a start because its answer was missing; its customer may have gone.
    public var isResumed = false
}

public struct Unresolved: Hashable, Sendable, Codable {
    /// The request that has no answer yet.
    public let asked: Confirming
    /// When the machine stops asking in front of the customer.
    public let until: Duration
    /// When the next attempt is due; nil while one is under way.
    public var nextTry: Duration?

    var deadlines: [Duration] { [until] + [nextTry].compactMap(\.self) }
}

public struct Issued: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let slip: Slip
    public var paper: Paper
    /// When the screen goes Home; nil while the outcome of the print job is open.
    public var closes: Duration?
    /// When the code is shown although no progress of the receipt was reported.
    var silent: Duration = .zero

    /// The outcome of the receipt so far.
    public enum Paper: Hashable, Sendable, Codable {
        /// The receipt is being printed without trouble so far.
        case printing
        /// The printer has trouble; the receipt may still come out, and the code is shown at once (rules: no-printout).
        case late(PrinterTrouble)
        case printed
        /// No receipt will come out: the code on the screen is the ticket.
        case shownOnly(PrinterTrouble)

        /// Whether the code must be large on the screen, so that it can be photographed or copied.
        public var isShownLarge: Bool {
            switch self {
            case .late, .shownOnly: true
            case .printing, .printed: false
            }
        }
    }
}

public struct Scanning: Hashable, Sendable, Codable {
    /// What the code is to find.
    public var sought = Sought.reservation
    /// The digits of the typed code so far.
    public var digits: String
    /// While a refused code is corrected: how many digits are in front of the one that the next key replaces.
    public var corrected: Int?

    /// The digit that the next key replaces; nil if it is added.
    public var marked: Int? { corrected.flatMap { $0 < digits.count ? $0 : nil } }

    mutating func type(_ digit: Int) {
        guard (0...9).contains(digit) else { return }
        if let marked {
            let place = digits.index(digits.startIndex, offsetBy: marked)
            digits.replaceSubrange(place...place, with: "\(digit)")
            corrected = marked + 1
        } else if digits.count < TypedCode.length {
            digits.append("\(digit)")
        }
    }

    /// Takes the last digit away, or goes back to the one before the marked one.
    mutating func erase() {
        if let corrected { self.corrected = max(0, corrected - 1) } else { _ = digits.popLast() }
    }

    /// Leaves the marked digit as it is; the first one follows the last one.
    mutating func keepDigit() {
        corrected = marked.map { $0 + 1 } ?? corrected.map { _ in 0 }
    }
}

public struct LookingUp: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public let code: ReadCode
    /// The digits that were typed on the screen; nil if the code was read.
    public var typed: String?
}

public struct Found: Hashable, Sendable, Codable {
    public let reservation: FoundReservation
    public let code: PresentedCode

    /// How the customer may let people go ahead; empty if that is not possible.
    public var delayOffers: [DelayOffer] { reservation.delayOffers ?? [] }
}

/// An order that was found by its code (rules: order-codes).
public struct FoundOrder: Hashable, Sendable, Codable {
    public let order: PickupOrder
    public let code: PresentedOrderCode
    /// When the screen goes Home; nil while the customer can choose to be here.
    public internal(set) var closes: Duration?

    /// Whether the customer may say to be here.
    public var isChoice: Bool { closes == nil }

    /// How long its screen stays without a touch: a number may have to be copied.
    var readingTime: Duration {
        order.state.isHere ? KioskTiming.shownOnly : KioskTiming.finished
    }

    init(order: PickupOrder, code: PresentedOrderCode, now: Duration) {
        self.order = order
        self.code = code
        if !order.mayArrive { closes = now + readingTime }
    }
}

extension PickupOrder {
    /// Whether its customer may say now to be here.
    public var mayArrive: Bool { isReady && (state == .promised || state == .onShelf) }
}

extension Sought {
    /// What leads to the screen that asks for its code.
    public var search: UserAction {
        switch self {
        case .reservation: .findReservation
        case .order: .collectOrder
        }
    }
}

public struct Deleting: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public let reservation: FoundReservation
}

public struct Deleted: Hashable, Sendable, Codable {
    public let number: QueueNumber
    public internal(set) var closes: Duration
}

public struct ChangingTurn: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public let change: TurnChange
}

public struct TurnChanged: Hashable, Sendable, Codable {
    public let change: TurnChange
    /// The reservation as it is now, waiting or called.
    public let reservation: FoundReservation
    public internal(set) var closes: Duration
}

public struct CodeRefused: Hashable, Sendable, Codable {
    public let reason: Refusal
    /// What the code was to find.
    public var sought = Sought.reservation
    public internal(set) var closes: Duration
    /// The digits that were typed on the screen, which the customer can check and correct; nil if the code was read.
    public var typed: String?
}
