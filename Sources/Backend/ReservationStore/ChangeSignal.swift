public import Reservations

/// Tells servers on the same database of each other's changes, sooner than they would find out by looking.
///
/// A message may be lost or come twice: it carries how often the queue was changed, and whoever knows of
/// fewer changes loads it anew.
public protocol ChangeSignal: AnyObject, Sendable {
    /// Begins to listen; `heard` is told the shop and how often its queue was changed, or no shop where
    /// shops or keys, or anything at all, may have changed.
    func start(_ heard: @escaping @Sendable (ShopID?, Int64) -> Void)
    /// Tells of a change that is committed, without waiting for anything.
    func tell(_ shop: ShopID?, _ sequence: Int64)
    func stop()
}
