private import Synchronization

/// The backend's time as the machine knows it: its own clock and what signed answers say of it.
///
/// One for all clients of a machine. Until an answer has told otherwise it is the machine's own.
public final class BackendClock: Sendable {
    /// What a way back and whole seconds make of two clocks that agree.
    private static let toleranceSeconds: Int64 = 5

    private let known = Mutex<Int64>(0)
    private let time: @Sendable () -> Int64

    /// Goes by the system's clock.
    public convenience init() { self.init(time: { Int64(HTTPDate.now) }) }

    /// - Parameter time: this machine's own clock, in seconds since 1970.
    public init(time: @escaping @Sendable () -> Int64) { self.time = time }

    /// Seconds since 1970 at the backend.
    public var now: Int64 { time() + offset }

    /// Seconds that the backend's clock is ahead of this machine's.
    public var offset: Int64 { known.withLock { $0 } }

    /// Takes over what an answer that is surely the backend's says: its time in seconds since 1970.
    func learn(_ created: Int64) {
        let told = created - time()
        known.withLock { known in
            if abs(told - known) > Self.toleranceSeconds { known = told }
        }
    }
}
