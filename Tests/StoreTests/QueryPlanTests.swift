internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import Testing

internal import enum TestSupport.TestLength

@Suite("Statements of a server and its reports", .stopsStores)
struct QueryPlanTests {
    /// Tables that a server reads over all shops: at its start, when the administrator changed something, and to find
    /// the notices that it sends and the numbers that they go to.
    private static let ofAllShops: Set<String> = [
        "shop", "opening_exception", "machine_key", "change_sequence", "schema_version",
        "demonstration", "claim", "notice", "subscription", "sms_number",
    ]

    /// Every statement of a day with holds, tickets, visits, doors and staff, of a restart much later, of reports.
    private func statements(_ site: Site) async throws -> Set<String> {
        let plan = FaultPlan()
        try await site.live(through: plan)
        site.clock.set(Site.at("10:00", day: Site.day.advanced(by: 40)))
        let later = try site.store { FaultyDatabase($0, plan: plan) }
        _ = try await later.words(.make(.hold(.ticket), at: site.clock.now))
        if site.engine == .postgresql {
            let other = try site.store()
            _ = try await other.words(.make(.hold(.ticket), at: site.clock.now))
            other.stop()
        }
        later.tick()
        later.stop()
        let administration = try site.administration { FaultyDatabase($0, plan: plan) }
        _ = try administration.histories(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 1))
        try servers(administration)
        #expect(try administration.holders(of: site.shop).count == 1)
        try administration.unblock(HolderID("phone"), in: site.shop)
        try administration.forget(HolderID("phone"))
        _ = try Pruning(database: FaultyDatabase(try site.open(for: .administer), plan: plan))
            .prune(
                Site.shopID, before: Site.day.advanced(by: -1), at: site.clock.now, pause: {})
        return plan.statements
    }

    /// Rows for which the planner takes the shop alone to be as selective as a code or a number.
    private static let oneReservation =
        StoreChain.rows(each: 2, shops: 900...900)
        + "DELETE FROM reservation WHERE number IS NULL; ANALYZE;"

    /// The statements of both engines.
    private func all() async throws -> Set<String> {
        let statements = try await statements(Site(.sqlite)).union(statements(Site(.postgresql)))
        #expect(statements.count > 25)
        // Each look-up by a key, and each deletion of old rows, is among them.
        for words in [
            "AND key = $key", "DELETE FROM idempotency", "DELETE FROM nonce", "AND code = $code",
            "AND holder = $holder", "DELETE FROM claim", "DELETE FROM no_show",
            "UPDATE notice SET next_ms", "DELETE FROM subscription", "INTO notice_day",
            "INTO sms_day", "INTO refused_slot", "DELETE FROM refused_slot",
            "INTO sms_number", "DELETE FROM sms_number", "move_count = $moves",
            "INTO pickup_order", "UPDATE pickup_order", "DELETE FROM pickup_order",
            "INTO pickup_event", "INTO pickup_day", "INTO pickup_fetch", "INTO pickup_step",
            "SET called_ms = $at",
            "AND called_ms IS NOT NULL",
            "AND (order_id, position) > ($order, $position)",
            "FROM pickup_order WHERE shop_id = $shop AND code",
        ] {
            #expect(statements.contains { $0.contains(words) }, "\(words)")
        }
        return statements
    }

    private func servers(_ administration: Administration) throws {
        let door = MachineID("door-1")
        try administration.addMachineKey(.sample(key: "k1"))
        _ = try administration.order(.restart, for: door, of: Site.shopID)
        _ = try administration.commands(of: Site.shopID)
        _ = try administration.machineStatuses(of: Site.shopID)
        _ = try administration.machineEvents(of: door, in: Site.shopID, count: 9)
        _ = try administration.papers(of: Site.shopID, from: Site.day, to: Site.day)
        _ = try administration.noticeCounts(of: Site.shopID, from: Site.day, to: Site.day)
        _ = try administration.smsCounts(of: Site.shopID, from: Site.day, to: Site.day)
        _ = try administration.refusedSlots(of: Site.shopID, from: Site.day, to: Site.day)
        _ = try administration.orderReport(
            of: Site.shopID, in: Site.at("00:00")..<Site.at("23:00")
        ) { LocalMoment($0, offsetMinutes: 60) }
    }

    @Test(
        "No statement reads rows of another day or shop to find its own: SQLite's plans, and of two lower bounds the real one is first"
    )
    func sqlite() async throws {
        let site = try Site(.sqlite)
        let statements = try await statements(site)
        #expect(statements.count > 25)
        #expect(statements.contains { $0.contains("_ms >= $expires AND expires_ms >= 0") })
        let connection = try Connection(path: site.path, opening: .existing)
        for statement in statements {
            let plan = try connection.rows("EXPLAIN QUERY PLAN \(statement)") { $0.text(3) }
            // A scan reads all rows of a table; a search uses a key or an index.
            let scanned = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") }
                .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
            #expect(
                scanned.allSatisfy { Self.ofAllShops.contains($0) },
                "\(statement)\n\(plan.joined(separator: "\n"))")
            let narrow = [
                "reservation": [
                    "PRIMARY KEY (shop_id=? AND id=?)", "reservation_code ",
                    "reservation_typed_code ", "(shop_id=? AND day", "reservation_pending ",
                    "reservation_live ", "reservation_holder ", "reservation_by_number ",
                    // A batch of the oldest holds that are deleted.
                    "PRIMARY KEY (shop_id=? AND id>? AND id<?)",
                ],
                "pickup_order": [
                    "PRIMARY KEY (shop_id=? AND id", "pickup_order_reference ",
                    "pickup_order_code ", "pickup_order_typed_code ", "pickup_order_here ",
                    "pickup_order_waiting ", "pickup_order_ended ", "pickup_order_number ",
                ],
            ]
            for (table, searches) in narrow {
                for step in plan where step.hasPrefix("SEARCH \(table) ") {
                    let isNarrow = searches.contains { step.contains($0) }
                    #expect(isNarrow, "\(statement)\n\(step)")
                }
            }
            // SQLite examines every row from the first lower bound on.
            for bound in statement.matches(of: /(\w+_ms) >= 0/) {
                let rest = statement[bound.range.upperBound...].prefix { $0 != "(" && $0 != ")" }
                #expect(!rest.contains("\(bound.1) >"), "\(statement)")
            }
        }
    }

    @Test("No statement reads rows of another day or shop to find its own: PostgreSQL's plans")
    func postgresql() async throws {
        let site = try Site(.postgresql)
        let statements = try await all()
        let database = try site.open(for: .administer)
        // Making these rows takes longer than any statement of a server may.
        try database.run(
            script: "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
        try database.run(script: StoreChain.rows(each: TestLength.choose(60, long: 1_000)))
        try database.run(script: "ANALYZE")
        for (statement, fault) in try faults(of: statements, on: database) {
            Issue.record("\(fault)\n\(statement)")
        }
    }

    @Test(
        "None does if PostgreSQL saw the tables empty or with one reservation, or has not seen them",
        arguments: ["VACUUM ANALYZE", oneReservation, nil])
    func grown(_ look: String?) async throws {
        let statements = try await all()
        let database = try Site(.postgresql).open(for: .administer)
        try database.run(script: "SET statement_timeout = 0")
        // By itself PostgreSQL would analyze the tables within a minute.
        try database.run(
            script: """
                DO $$ DECLARE name text; BEGIN
                    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
                        EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = off)';
                    END LOOP;
                END $$
                """)
        if let look { try database.run(script: look) }
        // PostgreSQL makes a plan at one of these sizes, and keeps it.
        for (place, each) in [0, 1, 9, 30, 60, 200, 2_700].enumerated() {
            try database.run(script: StoreChain.rows(each: each, shops: place...place))
            for (statement, fault) in try faults(of: statements, on: database) {
                Issue.record("with \(each) more: \(fault)\n\(statement)")
            }
        }
        // The test finds an index that would be wrong.
        let other = try Site(.postgresql).open(for: .administer)
        try other.run(
            script: """
                DROP INDEX idempotency_created;
                CREATE INDEX idempotency_created ON idempotency (shop_id, created_ms)
                """)
        try other.run(script: "VACUUM ANALYZE idempotency")
        #expect(try !faults(of: statements, on: other).isEmpty)
    }

    /// The faults in PostgreSQL's plans of statements that are prepared once and run with any
    /// values.
    private func faults(
        of statements: Set<String>, on database: any Database
    ) throws -> [(statement: String, fault: String)] {
        try database.run(script: "SET plan_cache_mode = force_generic_plan")
        var faults: [(String, String)] = []
        for statement in statements.sorted() {
            let (text, parameters) = numbered(statement)
            try database.run(script: "PREPARE planned AS \(text)")
            let nulls = Array(repeating: "NULL", count: parameters).joined(separator: ", ")
            var plan: [String] = []
            try database.query(
                Query(
                    "EXPLAIN (COSTS OFF) EXECUTE planned"
                        + (parameters == 0 ? "" : "(\(nulls))")), []
            ) { plan.append($0.text(0).trimmingPrefix { $0 == " " }.description) }
            try database.run(script: "DEALLOCATE planned")
            for fault in PostgresPlan(plan).faults(butOf: Self.ofAllShops) {
                faults.append((statement, "\(fault)\n\(plan.joined(separator: "\n"))"))
            }
        }
        return faults
    }

    /// `$1` for the first name, as PostgreSQL has it; and how many there are.
    private func numbered(_ statement: String) -> (text: String, parameters: Int) {
        var names: [Substring] = []
        let text = statement.replacing(/\$([a-zA-Z0-9]+)/) { match in
            if !names.contains(match.1) { names.append(match.1) }
            return "$\((names.firstIndex(of: match.1) ?? 0) + 1)"
        }
        return (text, names.count)
    }

    @Test(
        "No statement touches two shops, so that the tables can be distributed by shop",
        arguments: engines)
    func oneShop(_ engine: StoreEngine) async throws {
        for statement in try await statements(Site(engine)) {
            let words = statement.split { " \n,()".contains($0) }.map(String.init)
            let tables = zip(words, words.dropFirst()).filter {
                ["FROM", "INTO", "UPDATE", "JOIN"].contains($0.0) && !["SET", "OF"].contains($0.1)
            }.map(\.1)
            if tables.allSatisfy({ Self.ofAllShops.contains($0) }) { continue }
            // Each table of the statement is limited to the one shop: by a value, or by a table that is.
            let held =
                statement.ranges(of: "shop_id = $shop").count
                + statement.ranges(of: "shop_id = r.shop_id").count
            let inserted = statement.contains("(shop_id") && statement.contains("($shop")
            #expect(inserted || held >= tables.count, "\(statement)")
        }
    }
}
