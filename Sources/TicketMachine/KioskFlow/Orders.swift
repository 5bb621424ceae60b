public import Reservations

/// What the shop wants of the machine from afar (rules 25).
public struct ShopOrder: Hashable, Sendable {
    /// A later one has a higher one.
    public let id: Int64
    public let deed: Deed
    /// By the backend's clock.
    public let given: Moment

    public enum Deed: Hashable, Sendable {
        /// Customers read the message.
        case outOfService(message: String)
        case inService
        /// The program, once nobody is being served.
        case restart
        /// The machine's key.
        case rotate
        /// PINs may be tried again after ten wrong ones in a row.
        case unlock
    }

    public init(id: Int64, deed: Deed, given: Moment) {
        self.id = id
        self.deed = deed
        self.given = given
    }

    /// As events and the shop's commands name it.
    public var name: String {
        switch deed {
        case .outOfService: "out-of-service"
        case .inService: "in-service"
        case .restart: "restart"
        case .rotate: "rotate"
        case .unlock: "unlock"
        }
    }
}

/// Whether customers are served, as the staff or the shop decided it last.
public struct ServiceDecision: Hashable, Sendable {
    public var isPutOut: Bool
    /// What customers read then; nil for the usual words.
    public var message: String?
    /// By the backend's clock; nil where nobody has ever decided.
    public var at: Moment?

    public init(isPutOut: Bool = false, message: String? = nil, at: Moment? = nil) {
        self.isPutOut = isPutOut
        self.message = message
        self.at = at
    }
}

extension KioskFlow {
    /// The shop has ordered something that was not carried out before; it is told again until it was.
    ///
    /// - Parameter decided: when it was decided last whether customers are served; the later counts.
    public mutating func ordered(
        _ order: ShopOrder, decided: Moment?, now: Duration
    ) -> [KioskEffect] {
        switch order.deed {
        case .outOfService(let message):
            serve(order, decided: decided, isPutOut: true, message: message, now: now)
        case .inService:
            serve(order, decided: decided, isPutOut: false, message: nil, now: now)
        case .restart:
            wait(for: order)
        case .rotate: [.rotate(order.id)]
        case .unlock: [.unlock(order.id)]
        }
    }

    private mutating func wait(for order: ShopOrder) -> [KioskEffect] {
        awaitedRestart = order
        return []
    }

    /// Nobody is cut off: who is being served is served to the end.
    private mutating func serve(
        _ order: ShopOrder, decided: Moment?, isPutOut: Bool, message: String?, now: Duration
    ) -> [KioskEffect] {
        // What the staff decided while the order was on its way is the later word.
        if let decided, order.given < decided { return [.obeyed(order.id)] }
        self.isPutOut = isPutOut
        serviceMessage = message
        if state.isResting { rest(now: now) }
        return [.note(.ordered, order.name), .keepOrder(order), .obeyed(order.id)]
    }

    /// A new version of the program, or of its configuration, is there to be started.
    public mutating func renewalCame() { isRenewalAwaited = true }

    /// What had to wait until nobody is being served.
    public mutating func restingReached(now: Duration) -> [KioskEffect] {
        guard state.isResting else { return [] }
        if isRenewalAwaited, !isCustomerRemembered, now >= lastTouch + KioskTiming.renewal {
            isRenewalAwaited = false
            return [.renew]
        }
        guard let order = awaitedRestart else { return [] }
        awaitedRestart = nil
        return [.note(.ordered, order.name), .restartOnce(order.id)]
    }

    /// Why customers are not served; nil where they are, or it is not known yet.
    public var outOfService: OutOfService? {
        if isPutOut { return .staff }
        return isJournalBroken ? .journal : fault
    }
}
