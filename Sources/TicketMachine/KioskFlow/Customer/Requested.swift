public import Reservations

/// What a customer has asked for that must happen exactly once, with a key of its own (rules: unanswered-confirmation,
/// start-up).
public enum Requested: Hashable, Sendable, Codable {
    /// To confirm the place that is held.
    case place(ReservationID)
    /// To be here for an order; the code is the proof (rules: order-arrivals).
    case arrival(OrderID, PresentedOrderCode)
}

/// A request that was sent, or was about to be, when the machine stopped (rules: start-up).
public struct OpenRequest: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let what: Requested
    /// Whether the customer had already given it up.
    public let deleteWhenKnown: Bool
    /// How old it was at the start, by the machine's own clock, which may have been set since: negative then.
    public let age: Duration

    public init(
        key: AttemptKey, what: Requested, deleteWhenKnown: Bool, age: Duration = .zero
    ) {
        self.key = key
        self.what = what
        self.deleteWhenKnown = deleteWhenKnown
        self.age = age
    }

    /// Whether its customer may still be at the machine so long after the start. For a place it does not matter: the
    /// backend's answer says how old it is, and the place of a customer who has gone is deleted.
    func mayBeAwaited(after time: Duration) -> Bool {
        switch what {
        case .place: true
        case .arrival: age >= .zero && age + time <= KioskTiming.maxResumeAge
        }
    }
}
