internal import Reservations

/// When a call is tried again and for how long, as a value (rules 14): what came of a try goes in, the pause before
/// the next one comes out. Times count from the beginning of the call.
struct RetryPolicy {
    /// All tries of a call together.
    enum Limit {
        /// A ticket, a visit, a confirmation.
        static let place: Duration = .seconds(9)
        /// Everything else that a person waits for.
        static let other: Duration = .milliseconds(4_500)
        /// What is asked again soon by itself: one try of each server.
        static let poll = maxTryTime
    }

    /// One try.
    static let maxTryTime: Duration = .milliseconds(2_500)
    /// Name, connection and TLS of one try; a mobile network needs four round trips for them.
    static let maxConnectingTime: Duration = .milliseconds(1_500)
    /// All tries that reached no server: nothing was sent, and the customer learns it within 3 s (faults 12).
    private static let maxReachingTime: Duration = .milliseconds(2_700)
    /// The first try and three more, of each server.
    private static let maxRounds = 4
    /// A try that could not last so long is not begun.
    private static let minTryTime: Duration = .milliseconds(50)

    /// How long one try may take.
    struct Try: Hashable {
        let time: Duration
        let connectingTime: Duration
    }

    /// What came of a try.
    struct Outcome: Hashable {
        /// Whether anything was sent.
        var isReached: Bool
        /// Whether the server works; another one is asked at once if not.
        var isServing: Bool
        /// Whether the refusal was of the signature: the clock may be known now, or what stands between sent the
        /// same bytes again by itself.
        var isNotAuthentic = false
        /// Whether the same call may have another answer later.
        var isWorthRetrying = true
        /// What the answer asks to wait.
        var retryAfter: Duration = .zero
    }

    private let limit: Duration
    /// Whether the same server may be asked again: the call names itself, so that nothing happens twice.
    private let isRepeatable: Bool
    private let servers: Int
    private var tries = 0
    private var isReached = false
    private var isSignedAgain = false

    init(limit: Duration, isRepeatable: Bool, servers: Int) {
        self.limit = limit
        self.isRepeatable = isRepeatable
        self.servers = servers
    }

    /// The first try, whose failure to be signed says that nothing was sent at all.
    var isFirst: Bool { tries <= 1 }

    /// Begins a try; nil if no time is left for one.
    mutating func begin(at time: Duration) -> Try? {
        guard tries < Self.maxRounds + servers - 1, limit - time > Self.minTryTime else {
            return nil
        }
        tries += 1
        return Try(
            time: min(limit - time, Self.maxTryTime),
            connectingTime: isReached
                ? Self.maxConnectingTime
                : min(Self.maxConnectingTime, Self.maxReachingTime - time))
    }

    /// The pause before the next try; nil if the call has failed.
    ///
    /// - Parameter jitter: 0 to 1; machines that failed together come back apart.
    mutating func pause(after outcome: Outcome, at time: Duration, jitter: Double) -> Duration? {
        if outcome.isReached { isReached = true }
        if outcome.isNotAuthentic, !isSignedAgain {
            isSignedAgain = true
            return .zero
        }
        // Another server is asked at once, also what is asked only once of each.
        let round = (tries - 1) / servers + 1
        let isNextServer = !outcome.isServing && !tries.isMultiple(of: servers)
        guard outcome.isWorthRetrying, round < Self.maxRounds, isRepeatable || isNextServer else {
            return nil
        }
        // 200, 400, 800 ms and up to half as much again.
        let backoff = Duration.milliseconds(100 << round) * (1 + jitter / 2)
        let pause = isNextServer ? .zero : max(backoff, outcome.retryAfter)
        let end = isReached ? limit : min(limit, Self.maxReachingTime)
        return time + pause < end ? pause : nil
    }
}
