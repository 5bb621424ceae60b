private import Synchronization

/// How many requests one machine may send.
public struct RateLimit: Hashable, Sendable {
    /// Requests per second in the long run.
    public var perSecond: Double
    /// Requests at once, after a pause.
    public var burst: Double

    /// Far above the load that people at one machine can cause (about 2 a second), far below one that hurts others.
    public static let standard = RateLimit(perSecond: 50, burst: 100)

    /// Typed codes of one machine: at ten guesses a minute, ten digits take centuries to guess.
    public static let typedCodes = RateLimit(perSecond: 1.0 / 6, burst: 10)

    /// Reservations of one machine: a queue of customers at it makes one every ten seconds (faults 55).
    public static let reservations = RateLimit(perSecond: 0.5, burst: 30)

    /// Calls of one machine that change something, as each leaves rows: a kiosk sends about three for a reservation,
    /// a door one for a customer.
    public static let writes = RateLimit(perSecond: 2, burst: 120)

    /// Places that one machine may ask for: two for each reservation that it may make, as some customers turn back.
    public static let holds = RateLimit(perSecond: 1, burst: 60)

    /// Offers of another key by one machine, each of which leaves a key and two rows of the audit for good: a change
    /// of keys takes two; six changes may follow one another, then one an hour.
    public static let keyChanges = RateLimit(perSecond: 2.0 / 3_600, burst: 12)

    /// Actions of the staff at one machine, each of which leaves a row of the audit for good: one every six seconds,
    /// and sixty at once, as after an outage.
    public static let staffActions = RateLimit(perSecond: 1.0 / 6, burst: 60)

    /// Pairing codes for one address: a machine asks once in ten minutes, and a shop unpacks a few machines at once.
    public static let pairings = RateLimit(perSecond: 0.2, burst: 20)

    /// Status reports of one machine: one every ten seconds, and those that an outage of a day has kept back.
    public static let statuses = RateLimit(perSecond: 0.5, burst: 30)

    /// Tickets for a WebSocket of one device: a page whose connection ends tries again every two seconds.
    public static let sessions = RateLimit(perSecond: 1, burst: 20)

    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// A token bucket for each machine of the allow list, or for each address of the machines that are not on it.
///
/// A full bucket carries no information and is forgotten. If too many buckets are not full, all callers that have
/// none yet share one.
///
/// Each server has its own buckets and fills them with its part of the limit: N servers allow a burst each, and from
/// two seconds after a server has joined no more than one server would.
final class RateLimiter: Sendable {
    /// The most parts that a limit is divided into, so that a machine that keeps to one server of many is still
    /// served: N servers, if more than these, allow N / 4 of the limit.
    static let maxAddressParts = 4

    /// The most buckets. Machines are fewer, and so are the addresses that ask within a few minutes, unless one
    /// caller has very many of them.
    static let maxBuckets = 10_000

    private struct Bucket {
        var tokens: Double
        var updated: ContinuousClock.Instant
    }

    private let buckets = Mutex<[String: Bucket]>([:])
    private let limit: RateLimit
    private let servers: @Sendable () -> Int

    /// - Parameter servers: how many servers share the limit now; must be quick.
    init(_ limit: RateLimit, servers: @escaping @Sendable () -> Int = { 1 }) {
        self.limit = limit
        self.servers = servers
    }

    /// The rights that this server adds per second.
    private var perSecond: Double {
        limit.perSecond / Double(min(max(1, servers()), Self.maxAddressParts))
    }

    /// Whether one more request is allowed now.
    func allows(_ machine: String, at now: ContinuousClock.Instant = .now) -> Bool {
        take(machine, at: now) == nil
    }

    /// Takes one request's right; if there is none, answers how long it takes until there is one.
    func take(_ machine: String, at now: ContinuousClock.Instant = .now) -> Duration? {
        let perSecond = perSecond
        return buckets.withLock { buckets in
            var machine = machine
            if buckets[machine] == nil, buckets.count >= Self.maxBuckets {
                let full = limit.burst
                buckets = buckets.filter { _, bucket in
                    bucket.tokens + (now - bucket.updated) / .seconds(1) * perSecond < full
                }
                if buckets.count >= Self.maxBuckets { machine = "others" }
            }
            var bucket = buckets[machine] ?? Bucket(tokens: limit.burst, updated: now)
            let rested = (now - bucket.updated) / .seconds(1)
            bucket.tokens = min(limit.burst, bucket.tokens + max(0, rested) * perSecond)
            bucket.updated = now
            defer { buckets[machine] = bucket }
            guard bucket.tokens >= 1 else {
                return .seconds((1 - bucket.tokens) / perSecond)
            }
            bucket.tokens -= 1
            return nil
        }
    }

    /// Gives back a right that was not used.
    func giveBack(_ machine: String) {
        buckets.withLock { buckets in
            guard let tokens = buckets[machine]?.tokens else { return }
            buckets[machine]?.tokens = min(limit.burst, tokens + 1)
        }
    }
}
