public import Reservations

/// What one server tells the others.
public enum ChangeNotice: Hashable, Sendable {
    /// How often the shop's queue was changed by now: whoever knows of fewer changes loads it anew.
    case queue(ShopID, Int64)
    /// Shops or keys, or anything at all, may have changed.
    case everything
    /// For the open sockets of a shop; never of a change, since it may be lost.
    case message(ShopID, String)
}

/// Tells servers on the same database of each other's changes, sooner than they would find out by looking.
///
/// A notice may be lost or come twice.
public protocol ChangeSignal: AnyObject, Sendable {
    /// Begins to listen; `heard` gets what other servers tell. Own changes may come back, own messages do not.
    func start(_ heard: @escaping @Sendable (ChangeNotice) -> Void)
    /// Tells of what is committed, without waiting for anything.
    func tell(_ notice: ChangeNotice)
    func stop()
    /// Servers that listen, this one with them, as of two seconds ago at most; at least 1.
    var servers: Int { get }
}
