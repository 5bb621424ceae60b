import QueueEngine
import Reservations

/// Programs that take the places for customers who are elsewhere, and customers elsewhere who do not come: what do they
/// cost the customers at the machines?
enum RobotBench {
    static func run(_ workspace: Workspace, _ report: Report) throws {
        let days = try workspace.options.number("days", standard: 10)
        for (name, world) in ShopBench.worlds
        where ["30-places", "heavy-peaks", "8-places"].contains(name) {
            measureRobots(name, world, days, report)
            measureSilence(name, world, days, report)
        }
    }

    /// The same walk-ins again and again, half of them on phones and half of these elsewhere: all of those come as customers of
    /// machines do, or so many percent of those elsewhere neither answer nor come. They are called all the same
    /// (rules: coming-question).
    private static func measureSilence(
        _ name: String, _ world: ShopWorld, _ days: Int, _ report: Report
    ) {
        var silent = world
        silent.phones = 0.5
        silent.noShow = ByChannel(all: world.noShow.machine)
        silent.silence = 0
        let before = ShopBench.play(silent, days: days)
        for percent in [10, 20, 30] {
            Progress.say("shop: \(days) days, \(name), \(percent) % of those elsewhere do not come")
            silent.silence = Double(percent) / 100
            ShopBench.compare(
                before, ShopBench.play(silent, days: days), as: "\(name)-silent-\(percent)",
                to: "where all answer", limit: nil, report)
        }
    }

    /// The same walk-ins twice, all at the machines: alone, and while programs with as many addresses as they want take every
    /// place that phones elsewhere get, and never come (rules: join-limits).
    private static func measureRobots(
        _ name: String, _ world: ShopWorld, _ days: Int, _ report: Report
    ) {
        Progress.say("shop: \(days) days, \(name), robots take the places elsewhere")
        var stormed = world
        stormed.hasRobots = true
        let before = ShopBench.play(world, days: days)
        let after = ShopBench.play(stormed, days: days)
        func waits(_ logs: [ShopDayLog]) -> [Double] { logs.flatMap(\.waited.values).sorted() }
        let (without, with) = (waits(before), waits(after))
        ShopBench.reportWaits(
            with, as: "\(name)-robots", beside: without, "without them", limit: 1.1, report)
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
