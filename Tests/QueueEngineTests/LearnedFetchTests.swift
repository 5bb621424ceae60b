import Foundation
import QueueEngine
import Reservations
import Testing

@Suite(
    "Times of fetching orders are learned, and what customers are quoted follows them (rules: order-forecasts)"
)
struct LearnedFetchTests {
    private static let now = PickupOrderRecord.now
    private static let policy = OrderPolicy(desks: 3)

    private static func order(
        _ state: OrderState, _ number: Int = 1, parcels: Int = 1, at moment: Moment = now.moment
    ) -> PickupOrderRecord {
        .sample(
            state, number, parcels: Array(repeating: Parcel(size: .small)!, count: parcels),
            at: moment)
    }

    /// The times of fetching that are learned from steps, each so many seconds after the one before.
    private static func learned(_ steps: [(DeskStep, Int)]) -> [Int] {
        var order = order(.arrived)
        var now = now.moment
        var times: [Int] = []
        for (step, seconds) in steps {
            let former = order
            now = now + .seconds(seconds)
            let isTaken = order.take(step, at: 1, now: now)
            #expect(isTaken, "\(step)")
            if let time = order.fetchingTime(after: former) { times.append(time.wholeSeconds) }
        }
        return times
    }

    @Test("The time is learned once the order leaves the desk, whatever was taken back on the way")
    func steps() {
        for (times, steps) in [
            // It may be taken back.
            ([], [(.fetch, 9), (.ready, 100)]),
            ([100], [(.fetch, 9), (.ready, 100), (.handOver, 50)]),
            ([100], [(.fetch, 9), (.ready, 100), (.putBack, 50)]),
            // It was touched too early.
            ([100], [(.fetch, 9), (.ready, 10), (.undo, 5), (.ready, 85), (.handOver, 50)]),
            ([100], [(.fetch, 9), (.ready, 100), (.handOver, 50), (.undo, 5), (.handOver, 9)]),
            ([70], [(.fetch, 9), (.undo, 5), (.fetch, 9), (.ready, 70), (.handOver, 1)]),
            ([100], [(.fetch, 9), (.notFound, 10), (.undo, 5), (.ready, 85), (.handOver, 1)]),
            // The assistant who found it.
            ([60], [(.fetch, 9), (.notFound, 50), (.fetch, 500), (.ready, 60), (.handOver, 1)]),
            ([], [(.fetch, 9), (.release, 100), (.putBack, 1)]),
        ] as [([Int], [(DeskStep, Int)])] {
            #expect(Self.learned(steps) == times, "\(steps)")
        }
        var called = Self.order(.arrived)
        _ = called.take(.fetch, at: 1, now: Self.now.moment)
        _ = called.take(.ready, at: 1, now: Self.now.moment + .seconds(100))
        var forgotten = called
        forgotten.pass(to: Self.now.moment + .minutes(20), firstDay: Self.now.day, keeping: 7)
        #expect(forgotten.fetchingTime(after: called)?.wholeSeconds == 100)
    }

    @Test("Double touches and forgotten orders are not learned, and old times count half")
    func plausible() throws {
        var sums = DurationSums()
        for time in [Duration.seconds(4), .seconds(4 * 3_600 + 1), .seconds(-9), .zero] {
            #expect(LearnedFetches.learning(time, after: sums) == nil, "\(time)")
        }
        for time in [Duration.seconds(5), .seconds(4 * 3_600)] {
            #expect(LearnedFetches.learning(time, after: sums)?.count == 1, "\(time)")
        }
        for _ in 0..<1_001 {
            sums = try #require(LearnedFetches.learning(.minutes(3), after: sums))
        }
        #expect(sums.count == 501)
    }

    /// The minutes until an order of so many parcels should be at the desk, if its customer comes now.
    private static func quoted(
        parcels: Int, learned: [Int: DurationSums], end: KeyPath<WaitEstimate, LocalMoment>
    ) throws -> Double {
        let desk = PickupDesk(
            [], policy: policy, learned: LearnedFetches(cells: learned))
        let shown = desk.shown(
            order(.onShelf, parcels: parcels), of: .market(), at: now.moment, local: now.at)
        let wait = try #require(shown.wait)
        return (wait[keyPath: end].moment - now.moment).inMinutes
    }

    private static func sums(_ count: Int, minutes: Double) -> DurationSums {
        (0..<count).reduce(DurationSums()) { sums, _ in
            LearnedFetches.learning(.seconds(Int(minutes * 60)), after: sums)!
        }
    }

    @Test("Times of one number of parcels are known of the others too, until they have their own")
    func parcels() throws {
        let one = [1: Self.sums(900, minutes: 10)]
        #expect(try abs(Self.quoted(parcels: 1, learned: one, end: \.expected) - 10) < 0.5)
        // Three parcels: 30 percent longer, as nothing else is known of them.
        #expect(try abs(Self.quoted(parcels: 3, learned: one, end: \.expected) - 13) < 0.5)
        let both = one.merging([3: Self.sums(900, minutes: 5)]) { $1 }
        #expect(try abs(Self.quoted(parcels: 3, learned: both, end: \.expected) - 5) < 0.5)
        // A few times say little.
        let few = try Self.quoted(
            parcels: 1, learned: [1: Self.sums(2, minutes: 10)], end: \.expected)
        #expect((4.5...6.5).contains(few))
    }

    @Test("Assistants at work are those at desks with a step in half an hour, or with an order")
    func assistants() {
        let now = Self.now.moment
        func expected(_ steps: [Int: Moment], _ others: [PickupOrderRecord] = []) -> Double {
            let before = (1...6).map { Self.order(.arrived, $0) }
            let desk = PickupDesk(before + others, policy: Self.policy, steps: steps)
            let shown = desk.shown(
                Self.order(.onShelf, 99, at: now + .seconds(1)), of: .market(), at: now,
                local: Self.now.at)
            return shown.wait.map { ($0.expected.moment - now).inMinutes } ?? 0
        }
        let one = expected([:])
        let two = expected([1: now - .minutes(29), 2: now])
        #expect(expected([2: now]) == one && expected([1: now - .minutes(30), 2: now]) == one)
        #expect(two < one)
        let three = expected([1: now, 2: now, 3: now])
        #expect(three < two)
        #expect(
            expected(Dictionary(uniqueKeysWithValues: (1...20).map { ($0, now) })) == three,
            "the shop has three desks")
        var busy = Self.order(.arrived, 50)
        _ = busy.take(.fetch, at: 3, now: now - .minutes(40))
        #expect(expected([1: now], [busy]) < expected([3: now], [busy]), "a long search")
    }

    /// Hours of a shop whose assistants take quite other times than its setting says.
    private struct Hours {
        /// The true time of an order: lognormal, of another mean, deviation and growth than the setting.
        let mean: Double
        let variation: Double
        let perParcel: Double
        var random: SplitMix
        var now = LearnedFetchTests.now.moment
        var sums: [Int: DurationSums] = [:]
        var steps: [Int: Moment] = [:]
        var waiting: [PickupOrderRecord] = []
        /// When each assistant has brought the present order.
        var busy: [Int: (order: PickupOrderRecord, until: Moment)] = [:]
        var quoted: [OrderID: (latest: Moment, minutes: Double, oracle: Double)] = [:]
        var kept: [Bool] = []
        var ratios: [Double] = []

        private func usual(_ parcels: Int) -> StayDistribution {
            StayDistribution(
                mean: mean * (1 + perParcel * Double(parcels - 1)), variation: variation)
        }

        mutating func uniform() -> Double { Double.random(in: 0.000_1..<0.999_9, using: &random) }

        /// Plays one order from the customer's coming.
        mutating func arrive(_ number: Int, after gap: Double) throws {
            let arrival = now + .seconds(Int(gap * 60))
            pass(to: arrival)
            now = arrival
            let parcels = Int.random(in: 1...3, using: &random)
            var desk = PickupDesk(
                waiting + busy.values.map(\.order), policy: LearnedFetchTests.policy,
                learned: LearnedFetches(cells: sums), steps: steps)
            let arrived = desk.arrive(
                LearnedFetchTests.order(.onShelf, number, parcels: parcels, at: now), at: now
            ) { .sample(number, at: now) }
            let order = try #require(arrived)
            let shown = desk.shown(order, of: .market(), at: now, local: LearnedFetchTests.now.at)
            let latest = try #require(shown.wait?.latest.moment)
            quoted[order.id] = (latest, (latest - now).inMinutes, oracle(order))
            waiting.append(order)
            work()
        }

        /// The end of the range if the true times were known.
        private func oracle(_ order: PickupOrderRecord) -> Double {
            let before =
                busy.values.map {
                    FetchingForecast.Work(
                        parcels: $0.order.parcels.count, elapsed: (now - $0.order.since).inMinutes)
                } + waiting.map { FetchingForecast.Work(parcels: $0.parcels.count) }
            return FetchingForecast(
                before: before, own: FetchingForecast.Work(parcels: order.parcels.count),
                assistants: 2, usual: usual(1), learned: truth
            ).wait().p80
        }

        /// So many observations of the true times that nothing else counts.
        private var truth: LearnedFetches {
            LearnedFetches(
                cells: Dictionary(
                    uniqueKeysWithValues: (1...3).map { parcels in
                        let logs = (1..<1_000).map {
                            log(usual(parcels).quantile(Double($0) / 1_000)) * 1e6
                        }
                        let many = Int64(1_000)
                        return (
                            parcels,
                            DurationSums(
                                count: 999 * many, logs: Int64(logs.reduce(0, +)) * many,
                                squares: Int64(logs.reduce(0) { $0 + $1 * $1 / 1e6 }) * many)
                        )
                    }))
        }

        /// Free assistants fetch the orders whose customers came first.
        private mutating func work() {
            for desk in 1...2 where busy[desk] == nil && !waiting.isEmpty {
                var order = waiting.removeFirst()
                let isTaken = order.take(.fetch, at: desk, now: now)
                #expect(isTaken)
                steps[desk] = now
                let time = usual(order.parcels.count).quantile(uniform())
                busy[desk] = (order, now + .seconds(Int(time * 60)))
            }
        }

        /// Orders are brought, handed over, and learned from.
        private mutating func pass(to moment: Moment) {
            while let next = busy.min(by: { $0.value.until < $1.value.until }),
                next.value.until <= moment
            {
                now = next.value.until
                var order = next.value.order
                let isReady = order.take(.ready, at: next.key, now: now)
                let called = order
                let isOver = order.take(.handOver, at: next.key, now: now)
                #expect(isReady && isOver)
                busy[next.key] = nil
                steps[next.key] = now
                let parcels = order.parcels.count
                if let time = order.fetchingTime(after: called) {
                    sums[parcels] =
                        LearnedFetches.learning(time, after: sums[parcels] ?? DurationSums())
                        ?? sums[parcels]
                }
                if let quoted = quoted[order.id] {
                    kept.append(now <= quoted.latest)
                    ratios.append(quoted.minutes / quoted.oracle)
                }
                work()
            }
        }
    }

    @Test(
        "After some days eight of ten orders are at the desk by the time that was quoted, in no wider a range",
        arguments: [
            (mean: 12.0, variation: 0.3, perParcel: 0.5, gap: 13.0),
            (mean: 1.5, variation: 0.9, perParcel: 0.0, gap: 1.0),
            (mean: 5.0, variation: 0.5, perParcel: 0.15, gap: 4.0),
        ])
    func promise(mean: Double, variation: Double, perParcel: Double, gap: Double) throws {
        var hours = Hours(
            mean: mean, variation: variation, perParcel: perParcel, random: SplitMix(seed: 7))
        for number in 1...4_000 {
            try hours.arrive(number, after: -log(hours.uniform()) * gap)
        }
        let kept = hours.kept.dropFirst(300)
        let share = Double(kept.count(where: \.self)) / Double(kept.count)
        let ratios = hours.ratios.dropFirst(300)
        let ratio = ratios.reduce(0, +) / Double(ratios.count)
        #expect((0.79...0.85).contains(share), "\(share)")
        #expect((0.85...1.25).contains(ratio), "\(ratio)")
    }
}
