internal import Reservations

/// When a call is repeated and for how long, as a value (rules: time-outs): the result of an attempt goes in, the pause before
/// the next one comes out. Times count from the beginning of the call.
struct RetryPolicy {
    /// The time for all attempts of a call together.
    enum Limit {
        /// For a ticket, a visit or a confirmation.
        static let place: Duration = .seconds(9)
        /// For every other call that a person waits for.
        static let other: Duration = .milliseconds(4_500)
        /// For polls, which are repeated soon anyway: one attempt for each server.
        static let poll = maxTryTime
        /// For one attempt of a call for help: the next server is asked soon (rules: help-answers).
        static let helpTry: Duration = .seconds(1)
    }

    static let maxTryTime: Duration = .milliseconds(2_500)
    /// The time for name, connection and TLS of one attempt; a mobile network needs four round trips for them.
    static let maxConnectingTime: Duration = .milliseconds(1_500)
    /// The time for attempts that reach no server: nothing was sent, and the customer is informed within 3 s (faults
    /// 12).
    private static let maxReachingTime: Duration = .milliseconds(2_700)
    /// The first attempt and three more, for each server.
    private static let maxRounds = 4
    /// An attempt that could not last this long is not begun.
    private static let minTryTime: Duration = .milliseconds(50)

    struct Try: Hashable {
        let time: Duration
        let connectingTime: Duration
    }

    struct Outcome: Hashable {
        var isReached: Bool
        /// Whether the server works; otherwise another one is asked at once.
        var isServing: Bool
        /// Whether the signature was refused: the answer may have corrected the clock, or a proxy may have sent the
        /// same bytes twice.
        var isNotAuthentic = false
        /// Whether the same call may get another answer later.
        var isWorthRetrying = true
        /// How long the answer asks the client to wait.
        var retryAfter: Duration = .zero
    }

    private let limit: Duration
    /// The time for one attempt.
    private let tryTime: Duration
    /// Whether the same server may be asked again, because an idempotency key keeps the call from taking effect twice.
    private let isRepeatable: Bool
    private let servers: Int
    private var tries = 0
    private var isReached = false
    private var isSignedAgain = false

    init(limit: Duration, each tryTime: Duration = maxTryTime, isRepeatable: Bool, servers: Int) {
        self.limit = limit
        self.tryTime = tryTime
        self.isRepeatable = isRepeatable
        self.servers = servers
    }

    /// Whether this is the first attempt; if it cannot be signed, nothing was sent at all.
    var isFirst: Bool { tries <= 1 }

    /// Begins an attempt; nil if no time is left for one.
    mutating func begin(at time: Duration) -> Try? {
        guard tries < Self.maxRounds + servers - 1, limit - time > Self.minTryTime else {
            return nil
        }
        tries += 1
        let connectingTime = min(Self.maxConnectingTime, tryTime)
        return Try(
            time: min(limit - time, tryTime),
            connectingTime: isReached
                ? connectingTime : min(connectingTime, Self.maxReachingTime - time))
    }

    /// Returns the pause before the next attempt; nil if the call has failed.
    ///
    /// - Parameter jitter: 0 to 1, so that machines that failed together do not repeat their calls together.
    mutating func pause(after outcome: Outcome, at time: Duration, jitter: Double) -> Duration? {
        if outcome.isReached { isReached = true }
        if outcome.isNotAuthentic, !isSignedAgain {
            isSignedAgain = true
            return .zero
        }
        // Another server is asked at once, even in a call that may reach each server only once.
        let round = (tries - 1) / servers + 1
        let isNextServer = !outcome.isServing && !tries.isMultiple(of: servers)
        guard outcome.isWorthRetrying, round < Self.maxRounds, isRepeatable || isNextServer else {
            return nil
        }
        // 200, 400, 800 ms, each increased by up to a half.
        let backoff = Duration.milliseconds(100 << round) * (1 + jitter / 2)
        let pause = isNextServer ? .zero : max(backoff, outcome.retryAfter)
        let end = isReached ? limit : min(limit, Self.maxReachingTime)
        return time + pause < end ? pause : nil
    }
}
