internal import Glibc
internal import QueueEngine
internal import Reservations
internal import Testing

/// The estimator compared with exact answers in small cases, and with another simulation in large ones.
@Suite("The expected wait")
struct EstimateTests {
    private func snapshot(
        capacity: Int, places: [QueueSnapshot.Occupant] = [], visits: [Double] = [], ahead: Int = 0,
        mean: Double = 35, variation: Double = 0.6, noShow: Double = 0.1
    ) -> QueueSnapshot {
        QueueSnapshot(
            capacity: capacity,
            behaviour: QueueSnapshot.Behaviour(
                stays: StayDistribution(mean: mean, variation: variation),
                noShow: ByChannel(all: noShow),
                entryWindow: 10), places: places, visits: visits, ticketsAhead: ahead,
            looksAhead: false)
    }

    @Test("With a free place and no customer before, the call is immediate")
    func free() {
        let wait = snapshot(capacity: 2, places: [.inside(since: 3)]).wait
        #expect(wait.mean == 0 && wait.p90 == 0)
    }

    @Test(
        "With one place the wait is the rest of a lognormal stay, whose quantiles are known exactly"
    )
    func residual() {
        for since in [0.0, 10, 40, 90] {
            let stays = StayDistribution(mean: 35, variation: 0.6)
            let wait = snapshot(capacity: 1, places: [.inside(since: since)]).wait
            let left = stays.survival(since)
            for (p, found) in [(0.1, wait.p10), (0.5, wait.p50), (0.8, wait.p80), (0.9, wait.p90)] {
                let exact = stays.quantile(1 - (1 - p) * left) - since
                #expect(abs(found - exact) < 0.15 + 0.02 * exact, "since \(since) p \(p)")
            }
        }
    }

    @Test("Stays that are all alike make the wait certain")
    func certain() {
        let wait = snapshot(
            capacity: 2, places: [.inside(since: 5), .inside(since: 15)], ahead: 3, mean: 20,
            variation: 0, noShow: 0
        ).wait
        // Places are free after 5 and 15; each customer then walks 0 to 5 minutes and stays 20.
        #expect(wait.p10 > 35 && wait.p90 < 40.1 && abs(wait.mean - 37.5) < 0.2)
    }

    @Test(
        "A called customer comes with the remaining probability, otherwise the place is free at the end"
    )
    func called() {
        // After 4 of 5 minutes a fifth of those customers is still on the way: 0.1 / (0.1 + 0.9 / 5).
        let wait = snapshot(capacity: 1, places: [.called(since: 4)]).wait
        let missing = 0.1 / (0.1 + 0.9 * 0.2)
        #expect(abs(wait.p10 - 6) < 0.05)
        #expect(abs(wait.mean - (missing * 6 + (1 - missing) * (0.5 + 35))) < 0.5)
        #expect(abs(snapshot(capacity: 1, places: [.called(since: 7)]).wait.mean - 3) < 0.05)
    }

    @Test("Visits that are due go first, then ready orders, then tickets; a later visit waits")
    func visitsAndOrders() {
        func wait(_ visits: [Double], orders: Int = 0) -> Double {
            var snapshot = snapshot(
                capacity: 1, places: [.inside(since: 0)], visits: visits, mean: 20, variation: 0,
                noShow: 0)
            snapshot.orders = orders
            return snapshot.wait.mean
        }
        #expect(abs(wait([]) - 20) < 0.05)
        #expect(abs(wait([-1]) - 40) < 0.05)
        #expect(abs(wait([25]) - 20) < 0.05)
        #expect(abs(wait([], orders: 1) - 25) < 0.05)
        #expect(abs(wait([-1], orders: 2) - 50) < 0.05)
        // The slot comes while the second order has its place: the visit is before the third one.
        #expect(abs(wait([27], orders: 2) - 50) < 4.1 && abs(wait([40], orders: 2) - 30) < 0.05)
    }

    @Test(
        "Large queues of customers of all channels agree with a simulation of people one by one",
        arguments: 1...4)
    func reference(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let capacity = [3, 8, 30, 50][seed - 1]
        let places = (0..<capacity).map { index -> QueueSnapshot.Occupant in
            switch index % 6 {
            case 0: .called(since: 8 * random.unit(), index % 12 == 0 ? .phone : .machine)
            case 1: .booked(since: 9 * random.unit())
            default: .inside(since: 60 * random.unit())
            }
        }
        var snapshot = snapshot(
            capacity: capacity, places: places, visits: [-4, -1, 3, 3, 18, 33], ahead: capacity)
        snapshot.behaviour.noShow.phone = 0.5
        snapshot.behaviour.silence = 0.3
        snapshot.behaviour.silentNoShow = 0.6
        snapshot.orders = 2
        let kinds: [QueueSnapshot.Customer] = [.phone, .machine, .silent, .unasked, .remote]
        snapshot.ticketsKnown = (0..<capacity).map { kinds[$0 % kinds.count] }
        snapshot.visitsKnown = [.machine, .silent, .remote]
        var crowd = Crowd(snapshot: snapshot, random: random)
        let calls = (0..<3_000).map { _ in crowd.call() }.sorted()
        let wait = snapshot.wait
        let mean = calls.reduce(0, +) / Double(calls.count)
        #expect(abs(wait.mean - mean) < 0.03 * mean + 0.2)
        for (p, found) in [(0.1, wait.p10), (0.5, wait.p50), (0.8, wait.p80), (0.9, wait.p90)] {
            let exact = calls[Int(p * Double(calls.count))]
            #expect(abs(found - exact) < 0.05 * exact + 0.3, "p \(p): \(found), not \(exact)")
        }
    }

    @Test("The same snapshot gives the same answer in every process, whatever was asked before")
    func same() {
        func wait() -> WaitDistribution {
            snapshot(
                capacity: 4, places: (0..<4).map { .inside(since: Double($0)) }, visits: [2],
                ahead: 9
            ).wait
        }
        let first = wait()
        _ = snapshot(capacity: 30, places: [.called(since: 1)], ahead: 40).wait
        #expect(wait() == first)
        // These values were computed by another process.
        let known = [
            101.88807213306427, 78.7511962890625, 100.2208251953125, 116.991943359375,
            126.694189453125,
        ]
        for (found, value) in zip([first.mean, first.p10, first.p50, first.p80, first.p90], known) {
            #expect(abs(found - value) < 1e-9, "\(found), not \(value)")
        }
    }
}

/// Customers at a door, simulated one by one with random numbers of their own.
private struct Crowd {
    let snapshot: QueueSnapshot
    var random: SplitMix

    private mutating func stay(longerThan since: Double = 0) -> Double {
        let stays = snapshot.behaviour.stays
        return stays.quantile(1 - random.unit() * stays.survival(since)) - since
    }

    /// From a call `since` minutes ago until the place is free, for a customer who walks up to `longest`.
    private mutating func absent(
        since: Double, _ longest: Double, _ customer: QueueSnapshot.Customer = .machine
    ) -> Double {
        let behaviour = snapshot.behaviour
        while true {
            if random.unit() < behaviour.noShow(of: customer) {
                return max(0, behaviour.entryWindow - since)
            }
            let arrival = random.unit() * longest
            if arrival > since { return arrival - since + stay() }
        }
    }

    mutating func call() -> Double {
        let behaviour = snapshot.behaviour
        var releases = snapshot.places.map { place in
            switch place {
            case .inside(let since): stay(longerThan: since)
            case .called(let since, let customer):
                absent(since: since, behaviour.ticketWalk, customer)
            case .booked(let since, let customer):
                absent(since: since, behaviour.visitDelay, customer)
            case .leaving(let after): after
            }
        }
        var free = snapshot.capacity - releases.count
        var visits = snapshot.visits[...]
        var (next, orders) = (0, snapshot.orders)
        var now = 0.0
        while true {
            while free > 0 {
                if let slot = visits.first, slot <= now {
                    let known = snapshot.visitsKnown
                    let customer =
                        visits.startIndex < known.count ? known[visits.startIndex] : .machine
                    visits.removeFirst()
                    let shows = random.unit() >= behaviour.noShow(of: customer)
                    let arrival = max(now, slot + random.unit() * behaviour.visitDelay)
                    releases.append(shows ? arrival + stay() : now + behaviour.entryWindow)
                } else if orders > 0 {
                    orders -= 1
                    releases.append(now + behaviour.collecting)
                } else if next < snapshot.ticketsAhead {
                    let known = snapshot.ticketsKnown
                    let customer = next < known.count ? known[next] : .machine
                    next += 1
                    releases.append(now + absent(since: 0, behaviour.ticketWalk, customer))
                } else {
                    return now
                }
                free -= 1
            }
            let first = releases.indices.min { releases[$0] < releases[$1] }!
            now = max(now, releases.remove(at: first))
            free += 1
        }
    }
}
