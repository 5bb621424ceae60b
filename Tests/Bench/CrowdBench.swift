import Cryptography
import Glibc
import Reservations
import TestSupport

/// Hours of a demonstration on the shop's own clock: does the queue reach a steady wait that can be shown?
enum CrowdBench {
    /// The shop that Kiosk/try makes for `--customers`.
    private static let capacity = 6
    private static let begin = "2026-11-20T08:00:00+01:00"
    /// The minutes of wait that suit a demonstration.
    private static let shown = 10.0...30.0
    /// The minutes between two readings of the wait, and the minute from which it must be steady.
    private static let interval = 10
    private static let warmUpMinutes = 60

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let hours = try workspace.options.number("hours", standard: 6)
        let seed = try workspace.options.number("seed", standard: 1)
        let habits = Crowd.Habits()
        let database = try ShopDatabase(workspace, "\(workspace.directory)/customers.sqlite")
        let shop = try database.addShop(
            "Demonstration", tag: "DEMO", timeZone: "Europe/Rome", capacity: capacity,
            stay: Int(habits.stay), isDemonstration: true)
        let (backend, control) = try database.serveControlled(workspace)
        let keys = try [KeyRole.ticketMachine, .entrance, .checkout].map { role in
            let key = try SigningKey.generate()
            try database.add(role.rawValue, key: key.publicKey.text, role: role, to: shop)
            return key
        }
        guard let begin = LocalMoment(begin) else { throw BenchError("no such time: \(begin)") }
        try control.carryOut("set \(begin)")
        // The server reads new keys within a second.
        usleep(1_200_000)
        let crowd = Crowd(
            habits, port: backend.port, machine: keys[0],
            doors: Crowd.Doors(entrance: keys[1], checkout: keys[2]),
            seed: UInt64(seed), time: .controlled(control, begin))
        var waits: [Double] = []
        var people: [Double] = []
        for minute in stride(from: interval, through: hours * 60, by: interval) {
            try crowd.play(for: .minutes(interval))
            let queue = try crowd.queue()
            guard let wait = queue.wait else {
                throw BenchError("the demonstration offers no ticket after \(minute) minutes")
            }
            let quoted = wait.expected.moment - queue.now.moment
            Progress.say(
                "customers: after \(minute) min \(queue.waiting) wait, told \(quoted.wholeMilliseconds / 60_000) min"
            )
            guard minute >= warmUpMinutes else { continue }
            waits.append(quoted.minutes)
            people.append(Double(queue.waiting))
        }
        report.figure("customers.wait-after-an-hour", waits.first ?? 0, "min", n: 1)
        report.figure("customers.waiting-after-an-hour", people.first ?? 0, "people", n: 1)
        report.figure(
            "customers.shortest-wait", waits.min() ?? 0, "min",
            budget: .atLeast(shown.lowerBound), n: waits.count)
        report.figure(
            "customers.longest-wait", waits.max() ?? 0, "min",
            budget: .atMost(shown.upperBound), n: waits.count)
    }
}
