internal import Dispatch
public import MachineClock
internal import Reservations
internal import Synchronization

/// Runs blocking calls on one thread, one after the other; no caller waits longer than the limit it has given.
///
/// A call that takes longer goes on without its caller, and its result goes to `late`. Meanwhile the calls behind it
/// whose callers have given up are skipped, so that none pile up.
public final class BoundedWorker: Sendable {
    private let queue: DispatchQueue
    private let time: MachineClock
    private let maxQueuedCalls: Int
    private let waiting = Mutex(0)

    /// - Parameter maxQueuedCalls: the most calls that may wait; a further one has no result.
    public init(label: String, maxQueuedCalls: Int = .max, time: MachineClock = .system) {
        self.time = time
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.maxQueuedCalls = maxQueuedCalls
    }

    /// The result of a call, or nil if it did not end in time.
    ///
    /// `evenLate`: the work is done even if its caller gave up before it began.
    public func run<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        let isEntered = waiting.withLock { waiting in
            guard waiting < maxQueuedCalls else { return false }
            waiting += 1
            return true
        }
        guard isEntered else { return nil }
        return await withCheckedContinuation { caller in
            let place = Place(caller)
            // It is called on a thread of its own, because the worker's may be blocked.
            let timeout = time.timeout(after: limit) { _ = place.give(nil) }
            queue.async { [self] in
                defer { waiting.withLock { $0 -= 1 } }
                guard evenLate || place.isAwaited else { return }
                let value = work()
                if place.give(value) { time.cancel(timeout) } else { late(value) }
            }
        }
    }
}

/// The point at which one caller waits for the first of two results.
private final class Place<Value: Sendable>: Sendable {
    private let caller: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ caller: CheckedContinuation<Value?, Never>) { self.caller = Mutex(caller) }

    var isAwaited: Bool { caller.withLock { $0 != nil } }

    /// Hands over a result; false if another one came first.
    func give(_ value: Value?) -> Bool {
        let waiting = caller.withLock { caller in
            defer { caller = nil }
            return caller
        }
        waiting?.resume(returning: value)
        return waiting != nil
    }
}
