import BackendAPI
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Clocks under load")
struct ClockTests {
    @Test(
        "The server's clock is set forward an hour, back, and to 1970: no customer notices [fault 36]",
        arguments: Engine.allCases)
    func set(engine: Engine) async throws {
        try await WallClock.with { try await set($0, engine) }
    }

    private func set(_ clock: WallClock, _ engine: Engine) async throws {
        // There are more customers than places, so that some wait, some are called, and places are held.
        var plan = LoadChain.Plan(machines: 8, capacity: 6)
        plan.surroundings.environment = clock.environment
        try await LoadChain.with(engine, plan) { chain in
            try await chain.judged("clock set [36]", pause: .milliseconds(50)) {
                try await ContinuousClock().sleep(for: .seconds(1))
                func go(_ said: String, set: () throws -> Void) async throws {
                    try set()
                    try await ContinuousClock().sleep(
                        for: .seconds(TestLength.choose(2, long: 15)))
                    let reading = try chain.machine(0).insist(.queue)
                    #expect(reading.status == 200, "readings go on too: \(said)")
                    try clock.set(offset: .zero)
                    try await ContinuousClock().sleep(
                        for: .seconds(TestLength.choose(2, long: 15)))
                }
                try await go("an hour on") { try clock.set(offset: .seconds(3_600)) }
                try await go("an hour back") { try clock.set(offset: .seconds(-3_600)) }
                try await go("1970") { try clock.set(to: Date(timeIntervalSince1970: 10)) }
            } heal: {
                let log = try chain.folder.logs()
                #expect(log.contains("\"clock-set\""), "the server has noticed it")
            }
            let causes = try await chain.causes()
            #expect(causes["lapsed"] == nil && causes["missed"] == nil, "\(causes)")
            #expect(causes["closed"] == nil && causes["inferred"] == nil, "\(causes)")
            #expect(causes["turn"] == 6)
            // 409 occurs because the six places are soon taken for the day.
            #expect(chain.statuses.isSubset(of: [200, 201, 409]), "no signature was too old")
        }
    }

    struct Season: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The shop's clock is set to each of these, and runs on from there. It is set ten minutes on before midnight, so that
        /// those who were called before have missed the call.
        let moments: [String]
        let days: [String]
    }

    static let seasons = [
        Season(
            testDescription: "summer time ends",
            moments: [
                "2026-10-24T23:40:00+02:00", "2026-10-24T23:49:58+02:00",
                "2026-10-24T23:59:58.900+02:00",
                "2026-10-25T02:59:58.900+02:00", "2026-10-25T23:59:58.900+01:00",
                "2026-10-26T00:10:00+01:00",
            ], days: ["2026-10-24", "2026-10-25", "2026-10-26"]),
        Season(
            testDescription: "summer time begins",
            moments: [
                "2027-03-27T23:40:00+01:00", "2027-03-27T23:49:58+01:00",
                "2027-03-27T23:59:58.900+01:00",
                "2027-03-28T01:59:58.900+01:00", "2027-03-28T23:59:58.900+02:00",
                "2027-03-29T00:10:00+02:00",
            ], days: ["2027-03-27", "2027-03-28", "2027-03-29"]),
    ]

    @Test(
        "Midnight and the change of the clock under load: numbers begin again once a day, after those that still wait [fault 37]",
        arguments: Engine.allCases, seasons)
    func midnight(engine: Engine, season: Season) async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("clock")
        var plan = LoadChain.Plan(machines: 8, isDemonstration: true, timeZone: "Europe/Rome")
        plan.surroundings.options = ["--clock", "control:\(socket)"]
        try await LoadChain.with(engine, plan) { chain in
            func set(_ moment: String) throws { try ClockControl(socket).carryOut("set \(moment)") }
            try set(season.moments[0])
            let given = try await onThreads(8) { index, isOver in
                let machine = chain.machine(index)
                var given: [(machine: Int, ticket: Ticket)] = []
                while !isOver.isSet {
                    // If the day has no ticket left, a visit on the next one is booked.
                    let kinds: [ReservationKind] = index % 4 == 0 ? [.ticket, .visit] : [.ticket]
                    for kind in kinds {
                        guard let ticket = try machine.ticket(kind) else { continue }
                        given.append((index, ticket))
                        break
                    }
                    usleep(5_000)
                }
                return given
            } while: {
                for moment in season.moments {
                    try set(moment)
                    let since = ContinuousClock.now
                    try await ContinuousClock().sleep(
                        for: .seconds(TestLength.choose(3, long: 10)))
                    // On a busy computer few are given in that time.
                    _ = await patiently { chain.granted(since: since) > 10 }
                }
            }.flatMap(\.self)
            try chain.askAgain(given)
            try await chain.ledger.judge("midnight, \(season.testDescription) [37]", chain)
            let rows = try await Checker.rows(database: chain.database)
            let numbers = Dictionary(grouping: rows.filter { $0.number != nil }, by: \.day)
                .mapValues { $0.compactMap(\.number).sorted() }
            var former: Set<Int> = []
            for day in season.days {
                #expect(numbers[day]?.count ?? 0 > 10, "\(day): \(numbers[day]?.count ?? 0)")
                let first = try #require(numbers[day]?.first)
                // Those that customers of the day before still have are left out, and no others.
                #expect((1..<first).allSatisfy(former.contains), "\(day) begins with \(first)")
                let given = Set(numbers[day] ?? [])
                #expect(former.isEmpty || !former.isDisjoint(with: given), "\(day) goes on")
                former = given
            }
            // A ticket's day is that of the shop's clock at the time when it was given.
            let days = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.day) })
            for exchange in chain.ledger.exchanges where exchange.path.hasSuffix("/confirmation") {
                guard case .answered(201, let body) = exchange.outcome,
                    let reply = try? JSONDecoder().decode(
                        Reservation.self, from: Data(body)),
                    reply.kind == .ticket
                else { continue }
                #expect(days[reply.id.rawValue] == reply.issued.day.description)
            }
        }
    }
}

extension TemporaryFolder {
    /// All log lines of the servers with this folder.
    func logs() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("log-") }
            .map {
                String(
                    decoding: FileManager.default.contents(atPath: file($0)) ?? Data(),
                    as: UTF8.self)
            }
            .joined()
    }
}

extension LoadChain {
    /// The number of rows of a table.
    func count(of table: String) async throws -> Int {
        let rows: [[String: Int]] = try await Checker.rows(
            of: "SELECT count(*) AS count FROM \(table)", database: database)
        return rows.first?["count"] ?? 0
    }

    /// The number of steps of reservations by cause.
    func causes() async throws -> [String: Int] {
        struct Row: Decodable {
            let cause: String
            let count: Int
        }
        let rows: [Row] = try await Checker.rows(
            of: "SELECT cause, count(*) AS count FROM reservation_event GROUP BY cause",
            database: database)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.cause, $0.count) })
    }
}
