private import Synchronization

/// The backend's time as the machine knows it, from its own clock and from signed answers.
///
/// All clients of a machine share it. It is the machine's own time until an answer has corrected it.
public final class BackendClock: Sendable {
    /// The difference that network delay and whole seconds can cause between two clocks that agree.
    private static let toleranceSeconds: Int64 = 5

    private let known = Mutex<Int64>(0)
    private let time: @Sendable () -> Int64

    /// Uses the system's clock.
    public convenience init() { self.init(time: { Int64(HTTPDate.now) }) }

    /// - Parameter time: this machine's own clock, in seconds since 1970.
    public init(time: @escaping @Sendable () -> Int64) { self.time = time }

    /// Seconds since 1970 at the backend.
    public var now: Int64 { time() + offset }

    /// Seconds that the backend's clock is ahead of this machine's.
    public var offset: Int64 { known.withLock { $0 } }

    /// Learns the backend's time, in seconds since 1970, from an answer that is certainly the backend's.
    func learn(_ created: Int64) {
        let reportedOffset = created - time()
        known.withLock { known in
            if abs(reportedOffset - known) > Self.toleranceSeconds { known = reportedOffset }
        }
    }
}
