import BackendAPI
import Glibc
import QueueEngine
import Reservations
import TestSupport

/// Whole days of a shop through the shipped backend's API, with its clock moved from event to event.
///
/// Two machines, an entrance and a check-out; at the end the backend's own report is compared with what the simulation
/// counted. Display and readers may be open in a browser meanwhile.
final class SimulatedDay {
    private enum Event {
        case walkIn
        case confirm(ReservationID, DeviceConnection)
        case arrive(String)
        case leave(String)
        case giveBack(String)
        case tick
    }

    /// A customer with a ticket or a visit, with the facts that the customer knows.
    private struct Customer {
        let code: String
        let kind: ReservationKind
        let day: CalendarDay
        let slot: Moment?
        let confirmed: Moment
        var isCalled = false
    }

    /// The simulation's own counts of a day, with the names of `clup-backend report days`.
    private struct Log {
        var tickets = 0
        var visits = 0
        var deleted = 0
        var noShows = 0
        var entered = 0
        var called = 0
        var calledAtOnce = 0
        /// Minutes waited by the customers who were not called at once.
        var waits = 0.0

        /// The mean of these waits, rounded as the report does; empty if no customer waited.
        var meanWait: String {
            let waited = called - calledAtOnce
            return waited > 0 ? "\((waits / Double(waited) * 10).rounded() / 10)" : ""
        }
    }

    private static let zone = "Europe/Rome"
    /// The share of customers who give their reservation back.
    private static let givesBack = 0.05

    private let world: ShopWorld
    private let report: Report
    private var random = SplitMix(seed: 20_261_121)
    private var events = EventQueue<Event>()
    private var now: Moment
    private var day: CalendarDay
    private var logs: [CalendarDay: Log] = [:]
    private var customers: [Int: Customer] = [:]
    private var numberOf: [String: Int] = [:]
    private let database: ShopDatabase
    private let shop: String
    private let clock: ClockControl
    private let machines: [DeviceConnection]
    private let entrance: DeviceConnection
    private let checkout: DeviceConnection

    /// - Parameter pause: real milliseconds between two minutes of the shop's day, for a person who watches.
    static func run(_ workspace: Workspace, _ report: Report) throws {
        let options = workspace.options
        let days = try options.number("days", standard: 2)
        let pause = options.has("pause") ? try options.number("pause", standard: 1) : 0
        let simulation = try SimulatedDay(workspace, report)
        if let file = options.text("start-when") {
            while access(file, F_OK) != 0 { usleep(50_000) }
        }
        let start = Clock.monotonic
        for _ in 0..<days { try simulation.playDay(pause: pause) }
        let seconds = Double(Clock.monotonic - start) / 1e9
        try simulation.compare(seconds: seconds, days: days)
    }

    private init(_ workspace: Workspace, _ report: Report) throws {
        self.report = report
        world = ShopWorld()
        day = CalendarDay(daysSince1970: 20_778)
        now = Moment(milliseconds: 0)
        database = try ShopDatabase(workspace, "\(workspace.directory)/day.sqlite")
        shop = try database.addShop(
            "Simulated", tag: "SIMU", timeZone: Self.zone, hours: "08:00-20:00",
            capacity: world.capacity, stay: Int(world.meanStay), isDemonstration: true)
        let backend: ServedBackend
        (backend, clock) = try database.serveControlled(
            workspace, more: workspace.options.text("assets").map { ["--assets", $0] } ?? [])
        let port = backend.port
        machines = try (1...2).map { try DeviceConnection("machine-\($0)", port: port) }
        entrance = try DeviceConnection("entrance", port: port)
        checkout = try DeviceConnection("checkout", port: port)
        let devices: [(DeviceConnection, KeyRole)] =
            machines.map { ($0, .ticketMachine) } + [(entrance, .entrance), (checkout, .checkout)]
        for (device, role) in devices {
            try database.add(device.name, key: device.key.publicKey.text, role: role, to: shop)
        }
        Progress.say("day: the backend listens on \(backend.url), its database is \(database.path)")
        // The server reads new keys within a second.
        usleep(1_200_000)
    }

    private func moment(_ minutes: Double) -> Moment {
        // Rome has this offset in winter.
        Moment(
            milliseconds: Int64(day.daysSince1970) * 86_400_000 + Int64((minutes - 60) * 60_000))
    }

    private func playDay(pause: Int) throws {
        logs[day] = logs[day] ?? Log()
        try move(to: moment(ShopWorld.opens))
        events = EventQueue()
        schedule(.walkIn, in: gap())
        schedule(.tick, in: 0)
        var shown = now
        while let (moment, event) = events.next(), moment < self.moment(ShopWorld.closes) {
            try move(to: moment)
            if pause > 0, now - shown >= .minutes(1) {
                usleep(UInt32(pause) * 1_000)
                shown = now
            }
            try handle(event)
            try seeCalls()
        }
        try move(to: moment(ShopWorld.closes) + .seconds(1))
        Progress.say("day: \(day) is over")
        day = day.advanced(by: 1)
    }

    private func move(to moment: Moment) throws {
        now = moment
        try clock.carryOut("set \(LocalMoment(moment, offsetMinutes: 60))")
    }

    private func handle(_ event: Event) throws {
        switch event {
        case .tick: schedule(.tick, in: 0.5)
        case .walkIn:
            schedule(.walkIn, in: gap())
            let machine = machines[Int(random.next() % 2)]
            var answer = try machine.call(API.holds, HoldRequest(kind: .ticket))
            // If no ticket is left, half of the customers book a visit.
            if answer.status == 409, random.unit() < 0.5 {
                answer = try machine.call(API.holds, HoldRequest(kind: .visit))
            }
            guard answer.status == 201 else { return }
            schedule(.confirm(try answer.reply().id, machine), in: 0.3)
        case .confirm(let id, let machine): try confirm(id, machine)
        case .arrive(let code):
            let answer = try entrance.call(API.entries, CodeRequest(code: code))
            guard answer.status == 200 else { return }
            logs[day]?.entered += 1
            schedule(.leave(code), in: world.stay(&random))
        case .leave(let code):
            let answer = try checkout.call(API.exits, CodeRequest(code: code))
            guard answer.status == 200 else {
                throw BenchError("an exit was refused with \(answer.status)")
            }
        case .giveBack(let code): try giveBack(code)
        }
    }

    private func confirm(_ id: ReservationID, _ machine: DeviceConnection) throws {
        let answer = try machine.call(API.holdConfirmation, of: id)
        guard answer.status == 201 else { return }
        let ticket = try answer.reply()
        let day = ticket.visit?.start.day ?? day
        let key = Self.key(day, ticket.number)
        customers[key] = Customer(
            code: ticket.code.rawValue, kind: ticket.kind, day: day,
            slot: ticket.visit?.start.moment,
            confirmed: now)
        numberOf[ticket.code.rawValue] = key
        if ticket.kind == .visit {
            logs[day, default: Log()].visits += 1
        } else {
            logs[day, default: Log()].tickets += 1
            if ticket.enterBy != nil { logs[day]?.calledAtOnce += 1 }
            if random.unit() < Self.givesBack { schedule(.giveBack(ticket.code.rawValue), in: 3) }
        }
    }

    private func giveBack(_ code: String) throws {
        guard let key = numberOf[code], let customer = customers[key], !customer.isCalled else {
            return
        }
        let found = try machines[0].call(API.lookup, CodeRequest(code: code))
        guard found.status == 200 else { return }
        let reply = try found.reply()
        guard reply.isDeletable else { return }
        let answer = try machines[0].call(API.reservation, of: reply.id, CodeRequest(code: code))
        guard answer.status == 204 else { throw BenchError("a deletion was refused") }
        logs[day]?.deleted += 1
        customers[key]?.isCalled = true
    }

    private static func key(_ day: CalendarDay, _ number: QueueNumber) -> Int {
        day.daysSince1970 * 1_000_000 + number.rawValue
    }

    /// A customer who has been called since the last look sets out, or stays away.
    private func seeCalls() throws {
        let queue = try machines[0].call(API.queue).reply()
        for number in queue.calling {
            let key = Self.key(day, number)
            guard let customer = customers[key], !customer.isCalled else { continue }
            customers[key]?.isCalled = true
            if customer.kind == .ticket {
                logs[day]?.called += 1
                logs[day]?.waits +=
                    (now - customer.confirmed).minutes
            }
            guard random.unit() >= world.noShow.machine else {
                logs[day]?.noShows += 1
                continue
            }
            let walk = random.unit() * (customer.kind == .visit ? 8 : 5)
            let from = max(now, customer.slot ?? now)
            events.add(.arrive(customer.code), minutes: walk, after: from)
        }
    }

    private func gap() -> Double {
        world.gap(at: (now - moment(0)).minutes, &random)
    }

    private func schedule(_ event: Event, in minutes: Double) {
        events.add(event, minutes: minutes, after: now)
    }

    /// Compares the backend's report with the simulation's counts, figure by figure.
    private func compare(seconds: Double, days: Int) throws {
        let first = day.advanced(by: -days)
        let text = try database.report(
            of: shop, from: "\(first)", to: "\(day.advanced(by: -1))")
        let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        guard let names = lines.first else { throw BenchError("the report is empty") }
        var disagreements = 0
        var compared = 0
        for row in lines.dropFirst() {
            guard let day = CalendarDay(row[0]), let log = logs[day] else { continue }
            let seen = [
                "tickets": log.tickets, "visits": log.visits, "deleted": log.deleted,
                "no_shows": log.noShows, "entered": log.entered, "called": log.called,
                "called_at_once": log.calledAtOnce,
            ].mapValues(String.init).merging(["real_wait_minutes": log.meanWait]) { $1 }
            for (name, value) in seen {
                guard let place = names.firstIndex(of: name) else { continue }
                compared += 1
                if row[place] != value {
                    disagreements += 1
                    Progress.say(
                        "day: \(day) \(name): the report says \(row[place]), seen \(value)")
                }
            }
        }
        let tickets = logs.values.reduce(0) { $0 + $1.tickets }
        report.figure(
            "day.disagreements", Double(disagreements), "figures", budget: .atMost(0), n: compared)
        report.figure("day.seconds", seconds / Double(days), "s a day", n: tickets)
    }
}
