import Synchronization

/// A value behind a lock, for tests that wait between its changes.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in
            var new = value
            body(&new)
            value = new
        }
    }
}
