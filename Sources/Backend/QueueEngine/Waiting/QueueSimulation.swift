internal import Reservations

/// Plays the queue forward along many paths to find when tickets issued now would be called.
///
/// Time is cut into slices, so that a place that becomes free is a count in its slice and needs no heap;
/// the work of a path grows with places and people, not with their order.
struct QueueSimulation {
    /// The number of slices of the time that is played; the counts fit the processor's first cache.
    private static let slices = 8_192
    /// With at least so many people and places, one round of paths is enough.
    private static let fullRound = 300

    /// The product of people, places and paths above which fewer paths are played; no shop's queue is so long.
    private static let maxWork = 4_000_000
    private static let minPaths = 16

    private let snapshot: QueueSnapshot
    private let behaviour: QueueSnapshot.Behaviour
    /// The length of a slice in minutes.
    private let slice: Double
    private let durations: DurationTables
    /// For each of the first tickets and visits, where the table of customers like its own begins.
    private let ticketTables: [Int]
    private let visitTables: [Int]
    /// The number of slices that the calling rule looks ahead.
    private let lookAhead: Int
    /// The number of slices that an order has its place.
    private let collecting: Int

    /// Simulates when tickets with so many others before them would be called.
    ///
    /// - Parameters:
    ///   - positions: The numbers of tickets ahead, in ascending order; not empty.
    ///   - maxRounds: The highest number of rounds of `Strata.count` paths; large queues are played in one round.
    static func waits(
        _ snapshot: QueueSnapshot, positions: [Int], maxRounds: Int = 8
    ) -> [WaitDistribution] {
        var horizon = firstHorizon(snapshot, last: positions[positions.count - 1])
        while true {
            let simulation = QueueSimulation(snapshot, slice: horizon / Double(slices))
            if let waits = simulation.run(positions, maxRounds: maxRounds) { return waits }
            horizon *= 2
        }
    }

    private static func firstHorizon(_ snapshot: QueueSnapshot, last: Int) -> Double {
        let behaviour = snapshot.behaviour
        let stay = behaviour.stays.mean + behaviour.leaveDelay + behaviour.ticketWalk
        let people = Double(last + 1 + snapshot.visits.count + snapshot.orders)
        return 2 * stay + 1.6 * stay * people / Double(max(1, snapshot.capacity))
            + behaviour.entryWindow
    }

    private init(_ snapshot: QueueSnapshot, slice: Double) {
        self.snapshot = snapshot
        self.slice = slice
        behaviour = snapshot.behaviour
        durations = DurationTables(snapshot.behaviour, slice: slice)
        ticketTables = snapshot.ticketsKnown.map(DurationTables.table)
        visitTables = snapshot.visitsKnown.map(DurationTables.table)
        lookAhead = Int(CallingRule.lookAhead.inMinutes / slice)
        collecting = max(1, Int(behaviour.collecting / slice))
    }

    /// Returns nil if a call lies beyond the horizon.
    private func run(_ positions: [Int], maxRounds: Int) -> [WaitDistribution]? {
        let people = snapshot.capacity + positions[positions.count - 1] + snapshot.visits.count
        let rounds = max(1, min(maxRounds, Self.fullRound / max(1, people)))
        let round = max(Self.minPaths, min(Strata.count, Self.maxWork / max(1, people)))
        let paths = rounds * round
        var known: [QueueSnapshot.Occupant: DurationTables.Residual] = [:]
        let residuals = snapshot.places.map { occupant in
            if let residual = known[occupant] { return residual }
            let residual = durations.residual(of: occupant)
            known[occupant] = residual
            return residual
        }
        let slots = snapshot.visits.map { Int(($0 / slice).rounded(.up)) }
        var calls = [Int32](repeating: 0, count: paths * positions.count)
        var freed = [UInt16](repeating: 0, count: Self.slices)
        var complete = true
        calls.withUnsafeMutableBufferPointer { calls in
            freed.withUnsafeMutableBufferPointer { freed in
                Strata.shared.paths(rounds: rounds, of: round) { path, strata in
                    guard complete else { return }
                    freed.update(repeating: 0)
                    for residual in residuals {
                        let release = residual.next(&strata, durations)
                        if release < Self.slices { freed[release] &+= 1 }
                    }
                    complete = play(freed, slots, positions, &strata, calls, at: path, paths: paths)
                }
            }
        }
        guard complete else { return nil }
        return positions.indices.map { index in
            WaitDistribution(slices: calls[(index * paths)..<((index + 1) * paths)], minutes: slice)
        }
    }

    /// Plays one path; returns false if it ends before the last position is called.
    private func play(
        _ freed: UnsafeMutableBufferPointer<UInt16>, _ slots: [Int], _ positions: [Int],
        _ strata: inout Strata.Path, _ calls: UnsafeMutableBufferPointer<Int32>, at path: Int,
        paths: Int
    ) -> Bool {
        var free = snapshot.capacity - snapshot.places.count
        var nextVisit = 0
        var orders = snapshot.orders
        var ticket = 0
        var position = 0
        for now in 0..<freed.count {
            free += Int(freed[now])
            serving: while free > 0 {
                let release: Int
                switch turn(free, now, slots, nextVisit, hasReadyOrder: orders > 0) {
                case .noCustomer: break serving
                case .visit:
                    let table = nextVisit < visitTables.count ? visitTables[nextVisit] : 0
                    release = durations.visit(
                        slot: slots[nextVisit], now: now, table: table, &strata)
                    nextVisit += 1
                case .order:
                    release = now + collecting
                    orders -= 1
                case .ticket:
                    if ticket == positions[position] {
                        calls[position * paths + path] = Int32(now)
                        position += 1
                        if position == positions.count { return true }
                    }
                    let table = ticket < ticketTables.count ? ticketTables[ticket] : 0
                    ticket += 1
                    release = durations.ticket(now: now, table: table, &strata)
                }
                free -= 1
                if release < freed.count { freed[release] &+= 1 }
            }
        }
        return false
    }

    /// Decides whose turn it is by the calling rule.
    @inline(__always)
    private func turn(
        _ free: Int, _ now: Int, _ slots: [Int], _ nextVisit: Int, hasReadyOrder: Bool
    ) -> CallingRule.Turn {
        guard nextVisit < slots.count else { return hasReadyOrder ? .order : .ticket }
        return CallingRule.turn(
            free: free, taken: snapshot.capacity - free, hasReadyOrder: hasReadyOrder,
            minutesToVisit: Double(slots[nextVisit] - now) * slice
        ) {
            guard snapshot.looksAhead else { return 0 }
            var last = nextVisit
            while last < slots.count, slots[last] <= now + lookAhead { last += 1 }
            return last - nextVisit
        } meanStay: {
            behaviour.stays.mean
        }
    }
}

/// When a ticket will be called, in minutes from the snapshot.
public struct WaitDistribution: Hashable, Sendable {
    public let mean: Double
    /// A tenth of the paths are called earlier.
    public let p10: Double
    public let p50: Double
    /// The promised time: eight of ten tickets are called by then.
    public let p80: Double
    public let p90: Double

    /// The wait of a ticket that is called at once.
    static let none = WaitDistribution(mean: 0, p10: 0, p50: 0, p80: 0, p90: 0)
}

extension WaitDistribution {
    /// Creates the distribution from one call of each path, in slices of so many minutes.
    fileprivate init(slices: ArraySlice<Int32>, minutes: Double) {
        let sum = slices.reduce(0) { $0 + Int64($1) }
        self.init(
            sorted: slices.sorted().map { Double($0) },
            mean: Double(sum) / Double(max(1, slices.count)), times: minutes)
    }

    /// Creates the distribution from the minutes of each path.
    init(minutes: [Double]) {
        self.init(
            sorted: minutes.sorted(),
            mean: minutes.reduce(0, +) / Double(max(1, minutes.count)), times: 1)
    }

    private init(sorted: [Double], mean: Double, times unit: Double) {
        func quantile(_ p: Double) -> Double {
            let rank = max(0, min(Double(sorted.count - 1), p * Double(sorted.count) - 0.5))
            let lower = Int(rank)
            let upper = min(lower + 1, sorted.count - 1)
            let part = rank - Double(lower)
            return (sorted[lower] * (1 - part) + sorted[upper] * part) * unit
        }
        self.init(
            mean: mean * unit, p10: quantile(0.1), p50: quantile(0.5), p80: quantile(0.8),
            p90: quantile(0.9))
    }
}
