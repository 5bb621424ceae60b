internal import Reservations

/// The random durations of one simulation, as tables over the strata, in slices.
struct DurationTables {
    /// The number of points of the table from which the remaining stays of customers inside are interpolated.
    private static let tailPoints = 2_048
    /// Nearer to its end than so many points, the table is too coarse and the tail is computed directly.
    private static let coarse = 16.0

    private let behaviour: QueueSnapshot.Behaviour
    private let slice: Double
    /// The time from entering until the place is free again.
    private let stay: [Int32]
    /// The time from the call to the door; -1 for a customer who does not come in time. One table for each kind of customer,
    /// which begins at `table(of:)`.
    private let ticketWalk: [Int32]
    /// The time from the slot to the door, in the same way; -1 for a visitor who does not come.
    private let visitDelay: [Int32]
    private let entryWindow: Int
    /// The stay that the share (index + 1/2) / tailPoints of customers exceeds.
    private let tail: [Double]

    init(_ behaviour: QueueSnapshot.Behaviour, slice: Double) {
        self.behaviour = behaviour
        self.slice = slice
        func slices(_ minutes: Double) -> Int32 { Self.slices(minutes, slice) }
        let stays = behaviour.stays
        tail = (0..<Self.tailPoints).map {
            stays.upperQuantile((Double($0) + 0.5) / Double(Self.tailPoints))
        }
        stay = Self.strata.map { v in
            let missed = behaviour.missedExit
            if v < missed { return max(1, slices(behaviour.longestStay)) }
            let stay = stays.upperQuantile((v - missed) / (1 - missed))
            return max(1, slices(stay + behaviour.leaveDelay))
        }
        entryWindow = max(1, Int(slices(behaviour.entryWindow)))
        let window = behaviour.entryWindow
        func arrivals(_ longest: Double, within: Double) -> [Int32] {
            QueueSnapshot.Customer.allCases.flatMap { customer in
                let noShow = behaviour.noShow(of: customer)
                return Self.strata.map { v -> Int32 in
                    guard v >= noShow else { return -1 }
                    let after = (v - noShow) / (1 - noShow) * longest
                    return after < within ? slices(after) : -1
                }
            }
        }
        ticketWalk = arrivals(behaviour.ticketWalk, within: window)
        visitDelay = arrivals(behaviour.visitDelay, within: .infinity)
    }

    /// Where the table of such customers begins.
    static func table(of customer: QueueSnapshot.Customer) -> Int {
        customer.rawValue * Strata.count
    }

    /// The middles of the strata, between 0 and 1.
    private static let strata = (0..<Strata.count).map { (Double($0) + 0.5) / Double(Strata.count) }

    private static func slices(_ minutes: Double, _ slice: Double) -> Int32 {
        Int32(max(0, min(minutes / slice, 1e9)).rounded())
    }

    /// When the place of a ticket whose turn it is now is free again; `first` is the `table(of:)` its customer.
    @inline(__always) func ticket(now: Int, table first: Int, _ strata: inout Strata.Path) -> Int {
        let walk = Int(ticketWalk[first + strata.next()])
        let stay = Int(stay[strata.next()])
        return now + (walk < 0 ? entryWindow : walk + stay)
    }

    /// When the place is free again that a visit with this slot takes now; `first` is the `table(of:)` its customer.
    @inline(__always) func visit(
        slot: Int, now: Int, table first: Int, _ strata: inout Strata.Path
    ) -> Int {
        let delay = Int(visitDelay[first + strata.next()])
        let stay = Int(stay[strata.next()])
        let arrival = max(now, slot + delay)
        return delay < 0 || arrival - now >= entryWindow ? now + entryWindow : arrival + stay
    }

    /// The remaining time of a place, over the strata.
    struct Residual {
        /// The time until the place is free; if negative, -1 minus the time until its holder enters and begins to stay.
        let slices: [Int32]

        @inline(__always) func next(_ strata: inout Strata.Path, _ durations: DurationTables) -> Int
        {
            let value = Int(slices[strata.next()])
            return value >= 0 ? value : -1 - value + Int(durations.stay[strata.next()])
        }
    }

    func residual(of occupant: QueueSnapshot.Occupant) -> Residual {
        switch occupant {
        case .inside(let since): return Residual(slices: inside(since))
        case .called(let since, let customer):
            return Residual(slices: awaited(since, behaviour.ticketWalk, customer))
        case .booked(let since, let customer):
            return Residual(slices: awaited(since, behaviour.visitDelay, customer))
        case .leaving(let after):
            let rest = Self.slices(after, slice)
            return Residual(slices: [Int32](repeating: rest, count: Strata.count))
        }
    }

    private func inside(_ since: Double) -> [Int32] {
        let survival = behaviour.stays.survival(since)
        let missed = Self.posterior(behaviour.missedExit, against: survival)
        return Self.strata.map { v in
            if v < missed { return Self.slices(behaviour.longestStay - since, slice) }
            let upper = (v - missed) / (1 - missed) * survival
            guard upper > 0 else { return Self.slices(behaviour.leaveDelay, slice) }
            return Self.slices(
                max(0, stay(exceededBy: upper) - since) + behaviour.leaveDelay, slice)
        }
    }

    /// The remaining time for a customer whose call or slot was `since` minutes ago and who has not entered yet.
    private func awaited(
        _ since: Double, _ longest: Double, _ customer: QueueSnapshot.Customer
    ) -> [Int32] {
        let window = behaviour.entryWindow
        let coming = longest > since ? 1 - since / longest : 0
        let noShow = Self.posterior(behaviour.noShow(of: customer), against: coming)
        let rest = Self.slices(window - since, slice)
        return Self.strata.map { v in
            guard v >= noShow else { return rest }
            let after = (v - noShow) / (1 - noShow) * max(0, longest - since)
            return since + after < window ? -1 - Self.slices(after, slice) : rest
        }
    }

    /// The probability of one of two explanations after an observation that it always causes and that the other
    /// explanation causes with the probability `likelihood` (Bayes' theorem).
    private static func posterior(_ prior: Double, against likelihood: Double) -> Double {
        prior > 0 ? prior / (prior + (1 - prior) * likelihood) : 0
    }

    /// The stay that the share `upper` of customers exceeds.
    private func stay(exceededBy upper: Double) -> Double {
        let place = upper * Double(Self.tailPoints) - 0.5
        guard place >= Self.coarse else { return behaviour.stays.upperQuantile(upper) }
        let lower = min(Int(place), tail.count - 2)
        let part = min(1, place - Double(lower))
        return tail[lower] * (1 - part) + tail[lower + 1] * part
    }
}
