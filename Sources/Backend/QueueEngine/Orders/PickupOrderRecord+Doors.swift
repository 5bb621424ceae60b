public import Reservations

// What the customer of an order does at the doors of a shop whose desk is inside (rules: desks-inside).
extension PickupOrderRecord {
    /// The customer is at the entrance; returns why not if the order is not called, or a customer has come in with its code.
    public mutating func enter() -> Refusal? {
        switch state {
        case .called, .arrived, .fetching, .notFound:
            guard !hasEntered else { return .inside }
            guard state == .called, called != nil else { return .notYetCalled }
            hasEntered = true
            return nil
        case .promised, .onShelf, .handedOver, .cancelled, .expired: return .orderNotCalled
        }
    }

    /// The customer goes out; returns why not if no customer has come in with the code.
    ///
    /// At the turnstile of the door the place of an order that was handed over is free at once. A customer who goes without the
    /// order may come in again.
    public mutating func leave(at point: ExitPoint) -> Refusal? {
        switch state {
        case .handedOver:
            if point == .turnstile {
                called = nil
                hasEntered = false
            }
            return nil
        case .called, .arrived, .fetching, .notFound:
            guard hasEntered else { return .notInside }
            if point == .turnstile { hasEntered = false }
            return nil
        case .promised, .onShelf, .cancelled, .expired: return .notInside
        }
    }

    /// What the reader at a door shows of it; nil if it has no number any more.
    public var passage: OrderPassage? {
        turn.map { OrderPassage(order: id, number: $0.number, desk: desk) }
    }
}
