internal import Dispatch
internal import Synchronization

/// A thread's worth of blocking calls, one after the other, whose callers never wait longer than
/// they said.
///
/// A call that overruns goes on alone: what it brings then goes to `late`. While it does, callers
/// that time out behind it are skipped, so nothing piles up.
final class BoundedWorker: Sendable {
    /// Calls that may wait; more mean that the other end hangs.
    private static let maxQueuedCalls = 16

    private let queue: DispatchQueue
    private let waiting = Mutex(0)

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// What a call brought, or nil when it did not end in time.
    ///
    /// `evenLate`: the work is done also when its caller has given up before it began.
    func run<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard enter() else { return nil }
        let place = Place<Value>()
        return await withCheckedContinuation { caller in
            place.wait(caller)
            // A queue of its own: the worker's may be blocked.
            DispatchQueue.global(qos: .userInitiated)
                .asyncAfter(deadline: .now() + limit.dispatch) { _ = place.give(nil) }
            queue.async { [self] in
                defer { leave() }
                guard evenLate || place.isAwaited else { return }
                let value = work()
                if !place.give(value) { late(value) }
            }
        }
    }

    private func enter() -> Bool {
        waiting.withLock { waiting in
            guard waiting < Self.maxQueuedCalls else { return false }
            waiting += 1
            return true
        }
    }

    private func leave() {
        waiting.withLock { $0 -= 1 }
    }
}

/// Where one caller waits for the first of two answers.
private final class Place<Value: Sendable>: Sendable {
    private let caller = Mutex<CheckedContinuation<Value?, Never>?>(nil)

    var isAwaited: Bool { caller.withLock { $0 != nil } }

    func wait(_ continuation: CheckedContinuation<Value?, Never>) {
        caller.withLock { $0 = continuation }
    }

    /// False when somebody was quicker.
    func give(_ value: Value?) -> Bool {
        let waiting = caller.withLock { caller in
            defer { caller = nil }
            return caller
        }
        waiting?.resume(returning: value)
        return waiting != nil
    }
}

extension Duration {
    /// To the microsecond, which is finer than any limit here.
    fileprivate var dispatch: DispatchTimeInterval {
        .microseconds(
            Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000))
    }
}
