import Synchronization

/// A value behind a lock, for tests that wait between its changes.
public final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    public init(_ value: Value) { mutex = Mutex(value) }

    public var value: Value { mutex.withLock { $0 } }

    public func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in
            var new = value
            body(&new)
            value = new
        }
    }
}
