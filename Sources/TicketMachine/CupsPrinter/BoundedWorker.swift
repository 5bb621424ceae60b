internal import Dispatch
internal import Synchronization

/// Runs blocking calls on one thread, one after the other; no caller waits longer than the limit it has given.
///
/// A call that takes longer goes on without its caller, and its result goes to `late`. Meanwhile the calls behind it
/// whose callers have given up are skipped, so that none pile up.
final class BoundedWorker: Sendable {
    /// The most calls that may wait; more would mean that the other end hangs.
    private static let maxQueuedCalls = 16

    private let queue: DispatchQueue
    private let waiting = Mutex(0)

    init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    /// The result of a call, or nil if it did not end in time.
    ///
    /// `evenLate`: the work is done even if its caller gave up before it began.
    func run<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard enter() else { return nil }
        return await withCheckedContinuation { caller in
            let place = Place(caller)
            // The timeout uses another queue, because the worker's own may be blocked.
            DispatchQueue.global(qos: .userInitiated)
                .asyncAfter(deadline: .now() + limit.dispatch) { _ = place.give(nil) }
            queue.async { [self] in
                defer { waiting.withLock { $0 -= 1 } }
                guard evenLate || place.isAwaited else { return }
                let value = work()
                if !place.give(value) { late(value) }
            }
        }
    }

    /// The result of a question to another program; no answer in time is a fault.
    func result<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Result<Value, IPPFault>) -> Void = { _ in },
        _ work: @escaping @Sendable () throws(IPPFault) -> Value
    ) async -> Result<Value, IPPFault> {
        await run(within: limit, evenLate: evenLate, late: late) { Result(catching: work) }
            ?? .failure(.unreachable("no answer within \(limit)"))
    }

    private func enter() -> Bool {
        waiting.withLock { waiting in
            guard waiting < Self.maxQueuedCalls else { return false }
            waiting += 1
            return true
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

extension Duration {
    /// The duration in microseconds, finer than any limit here.
    fileprivate var dispatch: DispatchTimeInterval {
        .microseconds(
            Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000))
    }
}
