private import Synchronization

/// A connection that several threads use one at a time, with further state under the same lock.
public final class GuardedConnection<State: Sendable>: Sendable {
    /// `Connection` belongs to one thread at a time; the mutex around it ensures that.
    private struct Guarded: @unchecked Sendable {
        let connection: Connection
        var state: State
    }

    private let guarded: Mutex<Guarded>

    /// - Parameter connection: a connection that no other code uses from now on.
    public init(_ connection: sending Connection, state: State) {
        guarded = Mutex(Guarded(connection: connection, state: state))
    }

    public func withLock<Result>(_ body: (Connection, inout State) throws -> Result) rethrows
        -> Result
    { try guarded.withLock { guarded in try body(guarded.connection, &guarded.state) } }
}

extension GuardedConnection where State == Void {
    public convenience init(_ connection: sending Connection) { self.init(connection, state: ()) }

    public func withLock<Result>(_ body: (Connection) throws -> Result) rethrows -> Result {
        try withLock { connection, _ in try body(connection) }
    }
}
