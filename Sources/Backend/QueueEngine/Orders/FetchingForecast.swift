internal import Reservations

/// When an order will be at the desk: played forward by paths, as the wait of a ticket is (rules 28, 41).
///
/// Assistants fetch one order after the other in the order of their customers' coming; each is free again when an order is at
/// the desk.
struct FetchingForecast {
    /// One order that is to be fetched or is being fetched.
    struct Work: Hashable {
        let parcels: Int
        /// Since when an assistant fetches it; nil before.
        let begun: Moment?

        init(parcels: Int, begun: Moment? = nil) {
            self.parcels = parcels
            self.begun = begun
        }

        init(_ order: PickupOrderRecord) {
            self.init(
                parcels: order.parcels.count,
                begun: order.state == .fetching ? order.since : nil)
        }
    }

    /// Behind so many orders the rest is played by its mean, so that a look-up takes no longer.
    private static let maxExact = 200
    /// How much the time of one order differs from that of another, as a part of the mean.
    private static let variation = 0.5
    /// How much longer each parcel after the first makes it, as a part of the time for one.
    private static let perFurtherParcel = 0.15

    /// The orders before this one, in the order in which they are fetched.
    let before: [Work]
    let own: Work
    let assistants: Int
    /// The minutes that it usually takes to bring an order of one parcel to the desk.
    let usual: Int

    private func time(_ work: Work) -> StayDistribution {
        let parcels = 1 + Self.perFurtherParcel * Double(work.parcels - 1)
        return StayDistribution(
            mean: Double(max(1, usual)) * parcels, variation: Self.variation)
    }

    func wait(at now: Moment) -> WaitDistribution {
        let exact = before.prefix(Self.maxExact)
        let rest = before.dropFirst(Self.maxExact).reduce(0) { $0 + time($1).mean }
        let works = (exact + [own]).map { work in
            let distribution = time(work)
            let elapsed = work.begun.map { max(0, (now - $0).inMinutes) }
            // The share of such orders that take longer than this one has taken already.
            let left = elapsed.map { max(distribution.survival($0), 1e-9) } ?? 1
            return (distribution, elapsed: elapsed, left: left)
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
