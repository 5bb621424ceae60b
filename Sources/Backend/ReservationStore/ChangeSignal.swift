public import Reservations

/// A notice that one server sends to the others.
public enum ChangeNotice: Hashable, Sendable {
    /// The present number of changes of the shop's queue: a server that knows of fewer changes loads it again.
    case queue(ShopID, Int64)
    /// The shop's calls for help, or the orders whose customers are here, have changed.
    case desks(ShopID)
    /// Shops or keys, or anything at all, may have changed.
    case everything
    /// A message for the open sockets of a shop; never the notice of a change, since it may be lost.
    case message(ShopID, String)
}

/// Notifies servers on the same database of each other's changes, sooner than they would find them by looking.
///
/// A notice may be lost or come twice.
public protocol ChangeSignal: AnyObject, Sendable {
    /// Begins to listen; `heard` gets the notices of other servers. Own changes may come back, own messages do not.
    func start(_ heard: @escaping @Sendable (ChangeNotice) -> Void)
    /// Sends a notice of what is committed, without waiting for anything.
    func notify(_ notice: ChangeNotice)
    func stop()
    /// The number of servers that listen, including this one, at most two seconds ago; at least 1.
    var servers: Int { get }
}
