/// The random durations of one simulation, as tables over the strata, in slices.
struct DurationTables {
    /// Points of the table from which stays that have begun are interpolated.
    private static let tailPoints = 2_048
    /// Below so many points from its end the table is too coarse and the tail is worked out.
    private static let coarse = 16.0

    private let behaviour: QueueSnapshot.Behaviour
    private let slice: Double
    /// From entering until the place is free again.
    private let stay: [Int32]
    /// From the call to the door; -1 for one who does not come in time.
    private let ticketWalk: [Int32]
    /// From the slot to the door; -1 for one who does not come.
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
            Self.strata.map { v in
                guard v >= behaviour.noShow else { return -1 }
                let after = (v - behaviour.noShow) / (1 - behaviour.noShow) * longest
                return after < within ? slices(after) : -1
            }
        }
        ticketWalk = arrivals(behaviour.ticketWalk, within: window)
        visitDelay = arrivals(behaviour.visitDelay, within: .infinity)
    }

    /// The middles of the strata, between 0 and 1.
    private static let strata = (0..<Strata.count).map { (Double($0) + 0.5) / Double(Strata.count) }

    private static func slices(_ minutes: Double, _ slice: Double) -> Int32 {
        Int32(max(0, min(minutes / slice, 1e9)).rounded())
    }

    /// When the place of a ticket called now is free again.
    @inline(__always)
    func ticket(now: Int, _ strata: inout Strata.Path) -> Int {
        let walk = Int(ticketWalk[strata.next()])
        let stay = Int(stay[strata.next()])
        return now + (walk < 0 ? entryWindow : walk + stay)
    }

    /// When the place is free again that a visit of this slot takes now.
    @inline(__always)
    func visit(slot: Int, now: Int, _ strata: inout Strata.Path) -> Int {
        let delay = Int(visitDelay[strata.next()])
        let stay = Int(stay[strata.next()])
        let arrival = max(now, slot + delay)
        return delay < 0 || arrival - now >= entryWindow ? now + entryWindow : arrival + stay
    }

    /// What is left of a place's time, over the strata.
    struct Residual {
        /// Until the place is free, or -1 less the time until its holder enters, whose stay then begins.
        let slices: [Int32]

        @inline(__always)
        func next(_ strata: inout Strata.Path, _ chances: DurationTables) -> Int {
            let value = Int(slices[strata.next()])
            return value >= 0 ? value : -1 - value + Int(chances.stay[strata.next()])
        }
    }

    func residual(of occupant: QueueSnapshot.Occupant) -> Residual {
        switch occupant {
        case .inside(let since): return Residual(slices: inside(since))
        case .called(let since):
            return Residual(slices: awaited(since, behaviour.ticketWalk))
        case .booked(let since):
            return Residual(slices: awaited(since, behaviour.visitDelay))
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

    /// One who was called, or whose slot was, `since` minutes ago and is not in yet.
    private func awaited(_ since: Double, _ longest: Double) -> [Int32] {
        let window = behaviour.entryWindow
        let coming = longest > since ? 1 - since / longest : 0
        let noShow = Self.posterior(behaviour.noShow, against: coming)
        let rest = Self.slices(window - since, slice)
        return Self.strata.map { v in
            guard v >= noShow else { return rest }
            let after = (v - noShow) / (1 - noShow) * max(0, longest - since)
            return since + after < window ? -1 - Self.slices(after, slice) : rest
        }
    }

    /// The probability of the one explanation, where the other one shows this with the probability
    /// `likelihood` and the one always does (Bayes' theorem).
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
