import QueueEngine
import Reservations

/// Whole shop days against the real engine: do the quoted waits come true?
enum ShopBench {
    /// The worlds of a run, by name; the budgets are those of the first and of the one with missed exits.
    static let worlds: [(name: String, world: ShopWorld)] = [
        ("30-places", ShopWorld()), ("missed-exits", ShopWorld(missedExit: 0.03)),
        ("heavy-peaks", ShopWorld(peak: 1.9)), ("8-places", ShopWorld(capacity: 8)),
        ("no-visits", ShopWorld(booked: 0)),
    ]

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let days = try workspace.options.number("days", standard: 30)
        for (name, world) in worlds {
            Progress.say("shop: \(days) days, \(name)")
            measure(name, world, days, report)
        }
        for (name, world) in worlds where ["30-places", "heavy-peaks", "8-places"].contains(name) {
            measurePhones(name, world, days, report)
        }
        for (name, world) in worlds where ["30-places", "heavy-peaks"].contains(name) {
            measureBookedOut(name, world, days, report)
        }
        measureEstimate(report)
        measureDecision(report)
        measureVisits(report)
    }

    /// The slots of a month and the booking of one of them, in a month with a thousand visits, and with a million.
    private static func measureVisits(_ report: Report) {
        Progress.say("shop: a million visits ...")
        var few = VisitBench(visits: 1_000)
        var many = VisitBench(visits: 1_000_000)
        var (slotsOfFew, slots) = (BenchSamples(), BenchSamples())
        var (bookingsOfFew, bookings) = (BenchSamples(), BenchSamples())
        for round in 0..<300 {
            slotsOfFew.time(few.listSlots)
            slots.time(many.listSlots)
            bookingsOfFew.add(few.book(round))
            bookings.add(many.book(round))
        }
        report.time(
            "engine.slots-of-a-million-visits", 50, of: slots,
            floor: ("of a thousand visits", slotsOfFew),
            budget: .atMost(min(2, 1.2 * slotsOfFew.milliseconds(50))))
        // A booking takes the server most of a millisecond, of which this is a small part.
        let booking = bookingsOfFew.percentile(50) / 1e3
        report.figure(
            "engine.booking-with-a-million-visits", bookings.percentile(50) / 1e3, "us",
            floor: Floor("with a thousand visits", booking), budget: .atMost(booking + 100),
            n: bookings.count)
    }

    /// The logs of so many days, each of which takes over what the day before has learned.
    static func play(_ world: ShopWorld, days: Int) -> [ShopDayLog] {
        var former: QueueState?
        return (0..<days).map { index in
            var day = ShopDay(
                world, day: CalendarDay(daysSince1970: 20_600 + index), seed: UInt64(index + 1),
                after: former)
            former = day.play()
            return day.log
        }
    }

    /// The same walk-ins twice: all at the machines, and half of them on phones, of whom three times as many do not
    /// come.
    ///
    /// Those who are at the machines both times must not be worse off, and the waits that they are quoted must stay true.
    private static func measurePhones(
        _ name: String, _ world: ShopWorld, _ days: Int, _ report: Report
    ) {
        Progress.say("shop: \(days) days, \(name), half of the walk-ins on phones")
        var mixed = world
        mixed.phones = 0.5
        let (before, after) = (play(world, days: days), play(mixed, days: days))
        compare(
            before, after, as: "\(name)-half-phones", to: "all at the machines", report)
        for channel in Channel.allCases {
            let waits = after.flatMap(\.waits.values).filter { $0.channel == channel }
            let ended = waits.compactMap { quoted in quoted.wait.map { (quoted, $0) } }
            let kept = ended.count { $0.0.minutes(to: $0.0.quoted.latest.moment) >= $0.1 }
            let share = 100 * Double(kept) / Double(max(1, ended.count))
            report.figure(
                "shop.\(name)-half-phones.\(channel).promise-kept", share, "%",
                budget: .atLeast(75), n: ended.count)
            report.figure(
                "shop.\(name)-half-phones.\(channel).promise-not-idle", share, "%",
                budget: .atMost(85))
        }
    }

    /// The same customers with a month that phones have booked out, whose visitors do not walk in, and half of whose walk-ins
    /// are on phones: beside all at the machines, and beside half on phones without visits.
    ///
    /// Those who are at the machines must not be worse off than without phones, although visits are called before tickets.
    /// The second figure says what visits cost them: a place that is called first is waited for by the others, so that with
    /// a third of the customers in visits it cannot be 1.
    private static func measureBookedOut(
        _ name: String, _ world: ShopWorld, _ days: Int, _ report: Report
    ) {
        Progress.say("shop: \(days) days, \(name), booked out on phones")
        var mixed = world
        mixed.phones = 0.5
        var booked = mixed
        booked.isBookedOut = true
        let after = play(booked, days: days)
        compare(
            play(world, days: days), after, as: "\(name)-booked-out", to: "all at the machines",
            report)
        compare(
            play(mixed, days: days), after, as: "\(name)-booked-out-beside-half-phones",
            to: "without visits of phones", limit: nil, report)
    }

    /// Reports how long customers wait who are at the machines both times, and how many of them get no ticket.
    ///
    /// - Parameter limit: How many times as long they may wait; nil if that is only reported.
    static func compare(
        _ before: [ShopDayLog], _ after: [ShopDayLog], as name: String, to floor: String,
        limit: Double? = 1.05, _ report: Report
    ) {
        var (without, with): ([Double], [Double]) = ([], [])
        var (refusedWithout, refusedWith) = (0, 0)
        for (before, after) in zip(before, after) {
            for (index, channel) in after.channels where channel == .machine {
                if before.turnedAway.contains(index) { refusedWithout += 1 }
                if after.turnedAway.contains(index) { refusedWith += 1 }
                guard let former = before.waited[index], let now = after.waited[index] else {
                    continue
                }
                without.append(former)
                with.append(now)
            }
        }
        reportWaits(
            with.sorted(), as: name, beside: without.sorted(), floor, limit: limit, report)
        report.figure(
            "shop.\(name).machine-refused", Double(refusedWith), "customers",
            floor: Floor(floor, Double(refusedWithout)),
            budget: limit.map { _ in .atMost(Double(refusedWithout)) })
    }

    /// Reports percentiles of waits in minutes, which are in order.
    static func reportWaits(
        _ waits: [Double], as name: String, beside former: [Double], _ floor: String,
        limit: Double?, _ report: Report
    ) {
        for percent in [50, 90] {
            let value = former[former.count * percent / 100]
            report.figure(
                "shop.\(name).machine-wait-p\(percent)", waits[waits.count * percent / 100],
                "min", floor: Floor(floor, value), budget: limit.map { .atMost($0 * value) },
                n: waits.count)
        }
    }

    private static func measure(_ name: String, _ world: ShopWorld, _ days: Int, _ report: Report) {
        let logs = play(world, days: days)
        let waits = logs.flatMap(\.waits.values)
        let tickets = logs.reduce(0) { $0 + $1.tickets }
        let inside = logs.reduce(0) { $0 + $1.insideMinutes }
        let most = logs.map(\.mostTaken).max() ?? 0
        let ended = waits.compactMap { quoted in quoted.wait.map { (quoted, $0) } }
        let count = Double(max(1, ended.count))
        func error(_ estimate: (QuotedWait) -> Double) -> (rmse: Double, bias: Double) {
            let errors = ended.map { estimate($0.0) - $0.1 }
            return (
                (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot(),
                errors.reduce(0, +) / count
            )
        }
        func share(_ isSo: (Double, Double) -> Bool, _ end: (WaitEstimate) -> LocalMoment) -> Double
        {
            let those = ended.count { isSo($0.0.minutes(to: end($0.0.quoted).moment), $0.1) }
            return 100 * Double(those) / count
        }
        func figure(
            _ what: String, _ value: Double, _ unit: String = "min",
            floor: (String, Double)? = nil, budget: Budget? = nil, n: Int? = nil
        ) {
            report.figure(
                "shop.\(name).\(what)", value, unit, floor: floor.map { Floor($0.0, $0.1) },
                budget: budget, n: n)
        }
        let ours = error { $0.minutes(to: $0.quoted.expected.moment) }
        let naive = error(\.naive)
        let last = error(\.last)
        let kept = share(>=, \.latest)
        let isFirst = name == worlds[0].name
        let biasLimit: Double? = isFirst ? 1 : name == "missed-exits" ? 2 : nil
        figure(
            "rmse", ours.rmse, floor: ("naive estimate", naive.rmse),
            budget: isFirst ? .atMost(min(0.6 * naive.rmse, 0.4 * last.rmse)) : nil, n: ended.count)
        figure("rmse-against-last", ours.rmse, floor: ("wait of the last one called", last.rmse))
        figure("bias", ours.bias, floor: ("naive estimate", naive.bias))
        if let biasLimit { figure("bias-size", abs(ours.bias), budget: .atMost(biasLimit)) }
        figure("promise-kept", kept, "%", budget: isFirst ? .atLeast(75) : nil)
        if isFirst { figure("promise-not-idle", kept, "%", budget: .atMost(85)) }
        figure("earlier-than-told", share(>, \.earliest), "%")
        figure("mean-wait", ended.reduce(0) { $0 + $1.1 } / count, n: tickets)
        figure(
            "occupancy", inside / Double(days) / (ShopWorld.closes - ShopWorld.opens), "people",
            floor: ("capacity", Double(world.capacity)))
        figure(
            "above-capacity", Double(max(0, most - world.capacity)), "people", budget: .atMost(0))
    }

    /// One estimate of a queue of 200 for 100 places, and of queues that are twice and four times as long.
    private static func measureEstimate(_ report: Report) {
        func times(_ places: Int, _ waiting: Int) -> BenchSamples {
            let behaviour = QueueSnapshot.Behaviour(
                stays: StayDistribution(mean: 35, variation: 0.6), noShow: ByChannel(all: 0.1),
                entryWindow: 10)
            let snapshot = QueueSnapshot(
                capacity: places, behaviour: behaviour,
                places: (0..<places).map { .inside(since: Double($0 * 37 % 50)) },
                visits: (0..<20).map { Double($0 / 4 * 15 + 5) }, ticketsAhead: waiting,
                looksAhead: true)
            return BenchSamples.of(200) { _ = snapshot.wait }
        }
        let base = times(100, 200)
        report.time("estimate.200-waiting", 50, of: base, budget: .atMost(2))
        report.figure("estimate.200-waiting-p99", base.milliseconds(99), "ms")
        for factor in [2, 4] {
            report.figure(
                "estimate.\(200 * factor)-waiting",
                times(100 * factor, 200 * factor).milliseconds(50), "ms",
                floor: Floor(
                    "200 waiting, times \(factor)", base.milliseconds(50) * Double(factor)))
        }
    }

    /// A decision on a queue of a thousand active reservations, without its estimate.
    private static func measureDecision(_ report: Report) {
        var bench = DecisionBench(live: 1_000)
        var times = BenchSamples()
        for index in 0..<2_000 { times.add(bench.confirm(index)) }
        report.figure(
            "engine.decision-p50", times.percentile(50) / 1e3, "us", budget: .atMost(50),
            n: times.count)
        report.figure("engine.decision-p99", times.percentile(99) / 1e3, "us")
    }
}

/// A full shop, so that every ticket waits.
private struct DecisionBench {
    private let shop: Shop
    private let opening: OpenInterval
    private let forecast: WaitForecast
    private var state: QueueState
    private let records = StoredRecords()

    init(live: Int) {
        let policy = ShopPolicy(capacity: 100, usualStayMinutes: 35)
        shop = .simulated(policy)
        opening = OpenInterval(
            opens: LocalMoment(Moment(milliseconds: 0), offsetMinutes: 0),
            closes: LocalMoment(Moment(milliseconds: 20 * 86_400_000), offsetMinutes: 0))
        state = QueueState(policy: policy)
        forecast = WaitForecast(state, at: Moment(milliseconds: 1), in: opening)
        for index in 0..<live { _ = confirm(1_000_000 + index) }
    }

    /// Makes a hold, its confirmation, and the deletion of the ticket that has waited longest; returns the mean
    /// nanoseconds.
    mutating func confirm(_ index: Int) -> Int64 {
        let id = ReservationID("r\(index)")
        guard let codes = shop.confirmation(1, code: index, issued: opening.opens) else {
            return 0
        }
        let start = Clock.monotonic
        records.next = (id, codes)
        perform(.hold(.ticket))
        perform(.held(id, .confirm))
        perform(
            .reservation(.id(id), .delete(proof: .entry(codes.code))), undoes: index >= 1_000_000)
        return (Clock.monotonic - start) / 3
    }

    private mutating func perform(_ command: QueueCommand, undoes: Bool = false) {
        guard !undoes else { return }
        let context = shop.context(
            at: Moment(milliseconds: 2), in: [opening], forecast, offsetMinutes: 60)
        let decision = state.perform(
            command, by: .machine(MachineID("m")), in: context, records)
        for change in decision.changes { records.store(change) }
    }
}
