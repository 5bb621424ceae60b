private import Synchronization

/// How often something may be done.
public struct RateLimit: Hashable, Sendable {
    /// Requests per second in the long run.
    public var perSecond: Double
    /// Requests at once, after a pause.
    public var burst: Double

    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// What may be done only so often: by one machine, whichever of its keys it uses, or by one address.
///
/// The raw value is part of the name of the event in the log.
public enum LimitedAction: String, CaseIterable, Sendable {
    case requests = "rate"
    /// Look-ups of typed codes, and wrong codes as a proof.
    case codes
    case reservations
    /// Calls that change something.
    case writes
    /// Places that are asked for.
    case holds
    /// Offers of another key.
    case keys
    case staff
    /// References of blocked customers, and PINs, that one machine or page of the staff tries in vain.
    case unblocks
    /// Calls for help of one machine.
    case help
    /// Orders that one system of a shop announces or calls off.
    case orders
    /// What assistants at one desk do with orders.
    case desk
    /// Pairing codes for one address.
    case pairings
    case statuses
    /// Tickets for a WebSocket of one device.
    case sessions
    /// Calls of phones for one place or order from one address.
    case pages
    /// Capabilities and codes that open nothing, tried from one address.
    case capabilities
    /// Wrong digits as a proof for one place's page, from all addresses; `codes` counts those of each address.
    case digits
    /// Those of one address for a place of which many were tried.
    case guessedDigits = "guessed-digits"
    /// Changes of one place on its pages: given back or taken back after a missed call, and apart from these, delayed or
    /// undone; and arrivals of one order on phones.
    case placeChanges = "place-changes"
    /// Places of one shop that phones ask for with an invitation, and apart from these, those that they ask for elsewhere.
    case joins
    /// Places of one shop that phones of one address ask for elsewhere.
    case remoteJoins = "remote-asks"
    /// Lists of shops for one address.
    case lists
    /// Slots that are wanted and not free, for one address.
    case suggestions
    /// Answers to one place that a device was offered.
    case answers
    /// Browsers of one address that subscribe to the notices of one place or order, renew that or end it.
    case subscriptions
    /// Those of all addresses that do not show that the place is theirs.
    case placeSubscriptions = "place-subscriptions"
    /// Telephone numbers that are given from one address.
    case numbers
    /// Codes that are sent for one shop.
    case shopNumbers = "shop-numbers"
    /// Answers by SMS that the gateway passes on.
    case smsAnswers = "sms-answers"

    /// The limit unless an installation sets another one.
    public var standard: RateLimit {
        switch self {
        // Far above the load that people at one machine can cause (about 2 a second), far below one that hurts others.
        case .requests: RateLimit(perSecond: 50, burst: 100)
        // At ten guesses a minute, ten digits take centuries to guess.
        case .codes: RateLimit(perSecond: 1.0 / 6, burst: 10)
        // A queue of customers at a machine makes one every ten seconds (faults 55).
        case .reservations: RateLimit(perSecond: 0.5, burst: 30)
        // Each leaves rows: a kiosk sends about three for a reservation, a door one for a customer.
        case .writes: RateLimit(perSecond: 2, burst: 120)
        // Two for each reservation that the machine may make, as some customers turn back.
        case .holds: RateLimit(perSecond: 1, burst: 60)
        // Each leaves a key and two rows of the audit for good: a change of keys takes two; six changes may follow one
        // another, then one an hour.
        case .keys: RateLimit(perSecond: 2.0 / 3_600, burst: 12)
        // Each leaves a row of the audit for good: one every six seconds, and sixty at once, as after an outage.
        case .staff: RateLimit(perSecond: 1.0 / 6, burst: 60)
        // A staff member who mistypes; at one a minute, eight digits take a lifetime to guess.
        case .unblocks: RateLimit(perSecond: 1.0 / 60, burst: 10)
        // Each leaves a row. Children who play make twenty in a row; then one every twenty seconds still comes through.
        case .help: RateLimit(perSecond: 1.0 / 20, burst: 20)
        // The orders of a day may come at once, in the evening before; each leaves rows.
        case .orders: RateLimit(perSecond: 5, burst: 2_000)
        // An order takes four: a desk that hands over one in twelve seconds, and a burst after an outage.
        case .desk: RateLimit(perSecond: 1.0 / 3, burst: 60)
        // A machine asks once in ten minutes, and a shop unpacks a few machines at once.
        case .pairings: RateLimit(perSecond: 0.2, burst: 20)
        // One every ten seconds, and those that an outage of a day has kept back.
        case .statuses: RateLimit(perSecond: 0.5, burst: 30)
        // A page whose connection ends tries again every two seconds.
        case .sessions: RateLimit(perSecond: 1, burst: 20)
        // A page that polls asks every ten seconds, three windows of a place come back to the front, a connection is lost.
        case .pages: RateLimit(perSecond: 1, burst: 30)
        // Customers of a mobile carrier share an address, and yesterday's links are opened again; each look takes less
        // than a tenth of a millisecond.
        case .capabilities: RateLimit(perSecond: 5, burst: 100)
        // People who mistype, at several addresses.
        case .digits: RateLimit(perSecond: 0.1, burst: 30)
        // Who mistypes twice has one more. A hundred thousand addresses that guess for a day try one code in 680.
        case .guessedDigits: RateLimit(perSecond: 1.0 / 600, burst: 3)
        // A family that changes its mind three times; then once in ten minutes.
        case .placeChanges: RateLimit(perSecond: 1.0 / 600, burst: 6)
        // Each leaves rows. A busy shop admits five customers a minute; a crowd before its doors opens may be a hundred.
        case .joins: RateLimit(perSecond: 1, burst: 120)
        // A household, or a few customers of a mobile carrier who decide at the same time; each leaves rows.
        case .remoteJoins: RateLimit(perSecond: 0.1, burst: 30)
        // A page asks twice a minute, and customers of a mobile carrier share an address.
        case .lists: RateLimit(perSecond: 5, burst: 100)
        // A customer who tries one full hour after the other; each leaves or changes a row.
        case .suggestions: RateLimit(perSecond: 0.2, burst: 30)
        // One, which a page sends three times if no answer comes, and the customer a few times more.
        case .answers: RateLimit(perSecond: 1.0 / 60, burst: 12)
        // Three phones of a family that open the page a few times; each opening renews the subscription.
        case .subscriptions: RateLimit(perSecond: 1.0 / 60, burst: 10)
        // Only of those who have nothing but the link, or the order's code.
        case .placeSubscriptions: RateLimit(perSecond: 1.0 / 20, burst: 30)
        // Some customers of a mobile carrier, who mistype; each may cost an SMS.
        case .numbers: RateLimit(perSecond: 1.0 / 30, burst: 20)
        // A crowd before the doors open; a day's SMS have a limit of their own.
        case .shopNumbers: RateLimit(perSecond: 1, burst: 120)
        // Far more than the customers of many shops send; each looks at the database.
        case .smsAnswers: RateLimit(perSecond: 20, burst: 200)
        }
    }
}

extension LimitedAction {
    /// Whether, with too many callers, one of them is forgotten, and gets new rights if they come again: those who try digits
    /// or numbers with very many addresses keep no customer from an own try, not even at other places.
    var forgets: Bool {
        switch self {
        case .pages, .codes, .guessedDigits, .subscriptions, .numbers: true
        case .requests, .writes, .reservations, .holds, .keys, .staff, .unblocks, .help,
            .orders, .desk, .pairings, .statuses, .sessions, .capabilities, .digits, .placeChanges,
            .joins, .remoteJoins, .lists, .suggestions, .answers, .placeSubscriptions,
            .shopNumbers, .smsAnswers:
            false
        }
    }
}

/// A token bucket for each machine of the allow list, or for each address of the machines that are not on it.
///
/// A full bucket carries no information and is forgotten. If too many buckets are not full, all callers that have
/// none yet share one; where that would let callers with many addresses keep others from a right of their own
/// (`LimitedAction.forgets`), one bucket is forgotten instead, whichever.
///
/// Each server has its own buckets and fills them with its part of the limit. A caller may use the burst of each of N
/// servers once. Over longer times all servers together allow what one would, from two seconds after a server has
/// joined, when the others have counted it.
final class RateLimiter: Sendable {
    /// The most parts that a limit is divided into, so that a machine that keeps to one server of many is still
    /// served: N servers, if more than these, allow N / 4 of the limit.
    static let maxAddressParts = 4

    /// The most buckets. Machines are fewer, and so are the addresses that ask within a few minutes, unless one
    /// caller has very many of them.
    static let maxBuckets = 10_000
    /// The same where one is forgotten then: some fifteen megabytes.
    static let maxRememberedBuckets = 100_000
    /// Full buckets are looked for not more often than this.
    private static let sweepInterval = Duration.seconds(1)

    private struct Content {
        var buckets: [String: (tokens: Double, updated: ContinuousClock.Instant)] = [:]
        var swept: ContinuousClock.Instant?
    }

    private let content = Mutex(Content())
    private let limit: RateLimit
    private let forgets: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let servers: @Sendable () -> Int

    /// - Parameters:
    ///   - forgets: whether a bucket is forgotten if there are too many, instead of one that callers share.
    ///   - now: the clock by which rights come again.
    ///   - servers: how many servers share the limit now; must be quick.
    init(
        _ limit: RateLimit, forgets: Bool = false,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        servers: @escaping @Sendable () -> Int = { 1 }
    ) {
        self.limit = limit
        self.forgets = forgets
        self.now = now
        self.servers = servers
    }

    private var perSecond: Double {
        limit.perSecond / Double(min(max(1, servers()), Self.maxAddressParts))
    }

    /// Takes one request's right; if there is none, answers how long it takes until there is one.
    func take(_ machine: String) -> Duration? {
        let now = now()
        let perSecond = perSecond
        let most = forgets ? Self.maxRememberedBuckets : Self.maxBuckets
        return content.withLock { content in
            var machine = machine
            if content.buckets[machine] == nil, content.buckets.count >= most {
                if content.swept.map({ now - $0 >= Self.sweepInterval }) ?? true {
                    let full = limit.burst
                    content.swept = now
                    content.buckets = content.buckets.filter { _, bucket in
                        bucket.tokens + (now - bucket.updated) / .seconds(1) * perSecond < full
                    }
                }
                if content.buckets.count >= most {
                    if forgets {
                        // The order of a dictionary is that of hashes with a secret seed.
                        content.buckets.remove(at: content.buckets.startIndex)
                    } else {
                        machine = "others"
                    }
                }
            }
            var bucket = content.buckets[machine] ?? (limit.burst, now)
            let rested = (now - bucket.updated) / .seconds(1)
            bucket.tokens = min(limit.burst, bucket.tokens + max(0, rested) * perSecond)
            bucket.updated = now
            defer { content.buckets[machine] = bucket }
            guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) / perSecond) }
            bucket.tokens -= 1
            return nil
        }
    }

    func giveBack(_ machine: String) {
        content.withLock { content in
            guard let tokens = content.buckets[machine]?.tokens else { return }
            content.buckets[machine]?.tokens = min(limit.burst, tokens + 1)
        }
    }
}
