internal import Reservations

/// When an order will be at the desk: played forward by paths, as the wait of a ticket is (rules: forecasts, order-forecasts).
///
/// Assistants fetch one order after the other in the order of their customers' coming; each is free again when an order is at
/// the desk.
public struct FetchingForecast {
    /// One order that is to be fetched or is being fetched.
    public struct Work: Hashable, Sendable {
        public let parcels: Int
        /// For how many minutes an assistant has fetched it; nil before.
        public let elapsed: Double?

        public init(parcels: Int, elapsed: Double? = nil) {
            self.parcels = parcels
            self.elapsed = elapsed
        }

        init(_ order: PickupOrderRecord, at now: Moment) {
            let begun = order.state == .fetching ? order.fetchingSince ?? order.since : nil
            self.init(
                parcels: order.parcels.count, elapsed: begun.map { max(0, (now - $0).inMinutes) })
        }
    }

    /// Behind so many orders the rest is played by its mean, so that a look-up takes no longer.
    private static let maxExact = 200

    /// The orders before this one, in the order in which they are fetched.
    private let before: [Work]
    private let own: Work
    private let assistants: Int
    private let usual: StayDistribution
    private let learned: LearnedFetches

    /// - Parameters:
    ///   - before: The orders before this one, in the order in which they are fetched.
    ///   - assistants: How many assistants are at work; at least 1.
    ///   - usual: The time of an order of one parcel before anything is learned.
    public init(
        before: [Work], own: Work, assistants: Int, usual: StayDistribution,
        learned: LearnedFetches = LearnedFetches()
    ) {
        self.before = before
        self.own = own
        self.assistants = assistants
        self.usual = usual
        self.learned = learned
    }

    public func wait() -> WaitDistribution {
        var times: [Int: StayDistribution] = [:]
        func time(_ work: Work) -> StayDistribution {
            if let known = times[work.parcels] { return known }
            let time = learned.time(parcels: work.parcels, usual: usual)
            times[work.parcels] = time
            return time
        }
        let exact = before.prefix(Self.maxExact)
        let rest = before.dropFirst(Self.maxExact).reduce(0) { $0 + time($1).mean }
        let works = (exact + [own]).map { work in
            let distribution = time(work)
            // The share of such orders that take longer than this one has taken already.
            let left = work.elapsed.map { max(distribution.survival($0), 1e-9) } ?? 1
            return (distribution, elapsed: work.elapsed, left: left)
        }
        var waits: [Double] = []
        waits.reserveCapacity(Strata.count)
        Strata.shared.paths(rounds: 1, of: Strata.count) { _, path in
            // When each assistant is free, the earliest in front; orders that are being fetched have theirs.
            var free = [Double](repeating: 0, count: assistants)
            var ready = 0.0
            for work in works {
                let share = (Double(path.next()) + 0.5) / Double(Strata.count)
                if let elapsed = work.elapsed {
                    ready = work.0.upperQuantile(work.left * share) - elapsed
                } else {
                    ready = free[0] + work.0.quantile(share)
                }
                ready = max(0, ready)
                free[0] = ready
                free.sort()
            }
            waits.append(ready + rest / Double(assistants))
        }
        return WaitDistribution(minutes: waits)
    }
}
