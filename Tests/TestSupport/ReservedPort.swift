import Glibc

/// A TCP port of 127.0.0.1 that the system gives to no other socket while this exists, for a program that cannot choose
/// one itself and say which, or that listens there again after it has ended.
///
/// It is bound and does not listen: a connection to it is refused until the program listens there, which it can with the
/// option SO_REUSEADDR (socket(7)), as servers have it.
public final class ReservedPort: Sendable {
    public let number: UInt16
    /// `127.0.0.1:PORT`.
    public var address: String { "127.0.0.1:\(number)" }
    private let descriptor: Int32

    public init() throws { (descriptor, number) = try LoopbackWire.bound(to: 0) }

    deinit { close(descriptor) }

    /// Has the kernel take connections, from which no program accepts one.
    public func listen() throws {
        guard Glibc.listen(descriptor, 128) == 0 else { throw TestSupportError("listen failed") }
    }
}
