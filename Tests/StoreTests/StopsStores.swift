internal import PostgresStore
internal import ReservationStore
internal import Synchronization
internal import Testing

/// Stops the stores that a test has made when the test is over.
struct StopsStores: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var made: Made?

    let isRecursive = true

    /// The stores of one test. A file is its server's as long as that is there, so that none is kept.
    private final class Made: Sendable {
        private let ends = Mutex<[@Sendable () -> Void]>([])

        func add(_ end: @escaping @Sendable () -> Void) { ends.withLock { $0.append(end) } }

        func stop() { for end in ends.withLock({ $0 }) { end() } }
    }

    static func note(_ store: QueueStore, _ signal: PostgresSignal?) {
        made?.add { [weak store] in
            store?.stop()
            signal?.stop()
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let made = Made()
        defer { made.stop() }
        try await Self.$made.withValue(made) { try await function() }
    }
}

extension Trait where Self == StopsStores {
    /// The stores of each test are stopped at its end.
    static var stopsStores: Self { StopsStores() }
}
