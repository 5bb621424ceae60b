private import Synchronization

/// How many requests one machine may send.
public struct RateLimit: Hashable, Sendable {
    /// In the long run.
    public var perSecond: Double
    /// At once, after a rest.
    public var burst: Double

    /// Far above what people at one machine can cause (about 2 a second), far below what hurts others.
    public static let standard = RateLimit(perSecond: 50, burst: 100)

    /// Typed codes of one machine: ten digits hold out for centuries against ten guesses a minute.
    public static let typedCodes = RateLimit(perSecond: 1.0 / 6, burst: 10)

    /// Reservations of one machine: a queue of people at it makes one every ten seconds (faults 55).
    public static let reservations = RateLimit(perSecond: 0.5, burst: 30)

    /// Calls of one machine that change something, as each leaves rows: a kiosk sends about three for a reservation,
    /// a door one for a customer.
    public static let writes = RateLimit(perSecond: 2, burst: 120)

    /// Places that one machine may ask for: two for each reservation that it may make, as people turn back.
    public static let holds = RateLimit(perSecond: 1, burst: 60)

    /// Offers of another key by one machine, each of which leaves a key and two rows of the audit for good: a change
    /// of keys takes two, six changes may follow one another, then one an hour.
    public static let keyChanges = RateLimit(perSecond: 2.0 / 3_600, burst: 12)

    /// Acts of the staff at one machine, each of which leaves a row of the audit for good: one every six seconds,
    /// and sixty at once, as after an outage.
    public static let staffActions = RateLimit(perSecond: 1.0 / 6, burst: 60)

    /// Codes of pairing, for one address: a machine asks once in ten minutes, and a shop unpacks a few at once.
    public static let pairings = RateLimit(perSecond: 0.2, burst: 20)

    /// Statuses of one machine: one every ten seconds, and what an outage of a day has kept back.
    public static let statuses = RateLimit(perSecond: 0.5, burst: 30)

    /// What opens a WebSocket, of one device: a page whose connection ends tries again every two seconds.
    public static let sessions = RateLimit(perSecond: 1, burst: 20)

    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// A token bucket for each machine of the white list, or for each address of those who are not on it.
///
/// A bucket that is full again says nothing and is forgotten; where too many are not, whoever has none yet
/// shares one with all others that have none.
///
/// Each server has its own buckets and fills them with its part of the limit: N servers allow a burst each, and
/// then no more than one server would, from two seconds on after one has come.
final class RateLimiter: Sendable {
    /// Parts that a limit is divided into at most, so that a machine which keeps to one server of many is served:
    /// N servers, more than these, allow N / 4 of the limit.
    static let maxAddressParts = 4

    /// Buckets at most: machines are fewer, and addresses that ask within a few minutes too unless somebody has
    /// very many of them.
    static let maxBuckets = 10_000

    private struct Bucket {
        var tokens: Double
        var updated: ContinuousClock.Instant
    }

    private let buckets = Mutex<[String: Bucket]>([:])
    private let limit: RateLimit
    private let servers: @Sendable () -> Int

    /// `servers` that share the limit, now; must be quick.
    init(_ limit: RateLimit, servers: @escaping @Sendable () -> Int = { 1 }) {
        self.limit = limit
        self.servers = servers
    }

    /// Rights a second at this server.
    private var perSecond: Double {
        limit.perSecond / Double(min(max(1, servers()), Self.maxAddressParts))
    }

    /// Whether one more request is allowed now.
    func allows(_ machine: String, at now: ContinuousClock.Instant = .now) -> Bool {
        take(machine, at: now) == nil
    }

    /// Takes one request's right; answers how long it takes until there is one where there is none.
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

    /// Gives back a right that was taken for nothing.
    func giveBack(_ machine: String) {
        buckets.withLock { buckets in
            guard let tokens = buckets[machine]?.tokens else { return }
            buckets[machine]?.tokens = min(limit.burst, tokens + 1)
        }
    }
}
