internal import Dispatch
internal import ReservationStore
internal import Synchronization

/// Random bytes that repeat themselves now and then, as real ones do once in 10^10.
final class RepeatingBytes: Sendable {
    private let calls = Atomic(0)

    func next(_ count: Int) -> [UInt8] {
        let calls = calls.add(1, ordering: .relaxed).newValue
        // A typed code has eight bytes: each value comes several times before the next.
        let value = UInt8(truncatingIfNeeded: count == 8 ? calls / 9 : calls)
        return [UInt8](repeating: value, count: count)
    }
}

/// Holds a writer at a known point until it is opened.
final class Gate: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func wait() {
        arrived.signal()
        opened.wait()
    }

    func reached() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    func open() { opened.signal() }
}

/// Collects answers until all have come, then returns a refused one if there is one.
final class Counted: Sendable {
    private let expected: Int
    private let results = Mutex<[RequestResult]>([])
    private let done = DispatchSemaphore(value: 0)

    init(_ expected: Int) { self.expected = expected }

    func add(_ result: RequestResult) {
        let complete = results.withLock {
            $0.append(result)
            return $0.count == expected
        }
        if complete { done.signal() }
    }

    func last() async -> RequestResult {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                done.wait()
                let found = results.withLock { results in
                    results.first { $0.error != nil } ?? results[0]
                }
                continuation.resume(returning: found)
            }
        }
    }
}

/// The error with which a body is refused; nil if it is not.
func refusal(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch { return error as? StoreError }
}

extension AuditFinding {
    /// The first row at which the chain is broken; nil if it is whole.
    var brokenAt: Int64? { if case .broken(let sequence, _) = self { sequence } else { nil } }
}
