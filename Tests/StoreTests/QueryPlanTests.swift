internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import Testing

@Suite("Statements of a server and its reports")
struct QueryPlanTests {
    /// What a server runs once, over all shops: at its start and when the administrator changed something.
    private static let ofAllShops: Set<String> = [
        "shop", "opening_exception", "machine_key", "change_sequence", "schema_version",
        "demonstration",
    ]

    /// Every statement of a day with holds, tickets, visits, doors and staff, of a restart much later, of reports.
    private func statements(_ site: Site) async throws -> Set<String> {
        let plan = FaultPlan()
        try await day(site, plan)
        site.clock.set(Site.at("10:00", day: Site.day.advanced(by: 40)))
        let later = try site.store { FaultyDatabase($0, plan: plan) }
        _ = try await later.words(.make(.hold(.ticket), at: site.clock.now))
        later.tick()
        later.stop()
        let administration = Administration(
            database: FaultyDatabase(try site.open(for: .administer), plan: plan)
        ) { site.clock.now }
        _ = try administration.histories(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 1))
        try fleet(administration)
        return plan.statements
    }

    private func fleet(_ administration: Administration) throws {
        let door = MachineID("door-1")
        try administration.addMachineKey(
            MachineKeyRecord(
                shop: Site.shopID, machine: door, keyID: "k1",
                publicKey: [UInt8](repeating: 5, count: 32), role: .ticketMachine,
                created: Site.at("10:00")))
        _ = try administration.order(.restart, for: door, of: Site.shopID)
        _ = try administration.orders(of: Site.shopID)
        _ = try administration.machineStatuses(of: Site.shopID)
        _ = try administration.machineEvents(of: door, in: Site.shopID, count: 9)
        _ = try administration.papers(of: Site.shopID, from: Site.day, to: Site.day)
    }

    private func day(_ site: Site, _ plan: FaultPlan) async throws {
        let open = try site.store { FaultyDatabase($0, plan: plan) }
        func ask(_ command: MachineCommand, key: String = fresh("key")) async throws {
            _ = try await open.words(.make(command, key: key, at: site.clock.now))
        }
        let key = fresh("key")
        for _ in 0..<2 { try await ask(.hold(.ticket), key: key) }
        let extended = try await open.hold()
        site.clock.pass(.seconds(40))
        try await ask(.extend(extended))
        try await ask(.release(extended))
        _ = try await open.hold("door-3")
        let visit = try await open.words(.make(.hold(.visit), machine: "door-2"))
        _ = try await open.words(.make(.confirm(ReservationID(visit[1])), machine: "door-2"))
        var tickets: [(id: ReservationID, number: Int, code: EntryCode)] = []
        for _ in 0..<4 { tickets.append(try await open.ticket()) }
        try await ask(.delete(tickets[3].id, .entry(tickets[3].code)))
        try await ask(.enter(.entry(tickets[0].code)))
        try await ask(.letIn(QueueNumber(rawValue: tickets[1].number)!, at: nil))
        site.clock.pass(.minutes(20))
        open.tick()
        try await ask(.restore(QueueNumber(rawValue: tickets[2].number)!))
        try await ask(.callAgain(QueueNumber(rawValue: tickets[2].number)!))
        try await ask(.exit(.entry(tickets[0].code), .checkout))
        try await ask(.exit(.entry(tickets[1].code), .turnstile))
        try await ask(.correctOccupancy(9))
        try await ask(.closeEarly(at: nil))
        var report = MachineReport.make(sequences: 1...2)
        report.papers = [PaperCount(day: Site.day, printed: 1, failed: 0, copies: 0)]
        report.obeyed = [1]
        _ = try await open.tell(report).get()
        await withCheckedContinuation { continuation in
            open.lookUp(.typed(TypedCode(rawValue: "0123456789")!), in: Site.shopID) { _ in
                continuation.resume()
            }
        }
        open.stop()
    }

    @Test("None reads the rows of another day or shop to find its own: SQLite's plans")
    func sqlite() async throws {
        let site = try Site(.sqlite)
        let statements = try await statements(site)
        #expect(statements.count > 25)
        let connection = try Connection(path: site.path, opening: .existing)
        for statement in statements {
            let plan = try connection.rows("EXPLAIN QUERY PLAN \(statement)") { $0.text(3) }
            // A scan is a walk over all rows of a table; a search goes along a key or an index.
            let scanned = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") }
                .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
            #expect(
                scanned.allSatisfy { Self.ofAllShops.contains($0) },
                "\(statement)\n\(plan.joined(separator: "\n"))")
            for step in plan where step.hasPrefix("SEARCH reservation ") {
                let isNarrow = [
                    "PRIMARY KEY (shop_id=? AND id=?)", "reservation_code ",
                    "reservation_typed_code ", "(shop_id=? AND day", "reservation_pending ",
                    "reservation_live ",
                    // A bite of the oldest, to clear holds away.
                    "PRIMARY KEY (shop_id=? AND id>? AND id<?)",
                ].contains { step.contains($0) }
                #expect(isNarrow, "\(statement)\n\(step)")
            }
        }
    }

    @Test("None touches two shops, so that the tables distribute by shop")
    func oneShop() async throws {
        for statement in try await statements(Site(.sqlite)) {
            let words = statement.split { " \n,()".contains($0) }.map(String.init)
            let tables = zip(words, words.dropFirst()).filter {
                ["FROM", "INTO", "UPDATE", "JOIN"].contains($0.0) && $0.1 != "SET"
            }.map(\.1)
            if tables.allSatisfy({ Self.ofAllShops.contains($0) }) { continue }
            // Each table of the statement is held to the one shop: by a value, or by another that is.
            let held =
                statement.ranges(of: "shop_id = $shop").count
                + statement.ranges(of: "shop_id = r.shop_id").count
            let inserted = statement.contains("(shop_id") && statement.contains("($shop")
            #expect(inserted || held >= tables.count, "\(statement)")
        }
    }
}
