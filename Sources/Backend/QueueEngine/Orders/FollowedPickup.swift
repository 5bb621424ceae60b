public import Reservations

/// An order by what its customer's page has of it, as `FollowedReservation` is a place (rules: order-pages).
public enum FollowedPickup: Hashable, Sendable {
    /// The code of its symbol.
    case code(PickupCode)
    case id(OrderID)
}
