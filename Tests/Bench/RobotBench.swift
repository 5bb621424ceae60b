import QueueEngine
import Reservations

/// Programs that take the places for customers who are elsewhere: what do they cost the customers at the machines?
enum RobotBench {
    static func run(_ options: Options, _ report: Report) throws {
        let days = try options.number("days", standard: 10)
        for (name, world) in ShopBench.worlds
        where ["30-places", "heavy-peaks", "8-places"].contains(name) {
            measureRobots(name, world, answering: false, days, report)
            measureRobots("\(name)-answering", world, answering: true, days, report)
        }
    }

    /// The same walk-ins twice, all at the machines: alone, and while programs with as many addresses as they want take every
    /// place that phones elsewhere get, and never come (rules 37).
    private static func measureRobots(
        _ name: String, _ world: ShopWorld, answering: Bool, _ days: Int, _ report: Report
    ) {
        Progress.say("shop: \(days) days, \(name), robots take the places elsewhere")
        var stormed = world
        stormed.hasRobots = true
        stormed.robotsAnswer = answering
        let before = ShopBench.play(world, days: days)
        let after = ShopBench.play(stormed, days: days)
        func waits(_ logs: [ShopDayLog]) -> [Double] { logs.flatMap(\.waited.values).sorted() }
        let (without, with) = (waits(before), waits(after))
        for percent in [50, 90] {
            func value(_ waits: [Double]) -> Double { waits[waits.count * percent / 100] }
            report.figure(
                "shop.\(name)-robots.machine-wait-p\(percent)", value(with), "min",
                floor: Floor("without them", value(without)),
                budget: .atMost(1.1 * value(without)), n: with.count)
        }
        func mean(_ waits: [Double]) -> Double { waits.reduce(0, +) / Double(max(1, waits.count)) }
        report.figure(
            "shop.\(name)-robots.machine-wait-mean", mean(with), "min",
            floor: Floor("without them", mean(without)), budget: .atMost(1.1 * mean(without)))
        let (refused, refusedBefore) = (
            after.reduce(0) { $0 + $1.turnedAway.count },
            before.reduce(0) { $0 + $1.turnedAway.count }
        )
        report.figure(
            "shop.\(name)-robots.machine-refused", Double(refused), "customers",
            floor: Floor("without them", Double(refusedBefore)))
        report.figure(
            "shop.\(name)-robots.places", Double(after.reduce(0) { $0 + $1.robots }) / Double(days),
            "a day")
        report.figure(
            "shop.\(name)-robots.called",
            Double(after.reduce(0) { $0 + $1.robotsCalled }) / Double(days), "a day")
    }
}
