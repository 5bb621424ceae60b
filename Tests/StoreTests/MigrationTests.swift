internal import FoundationEssentials
internal import Glibc
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import enum TestSupport.Tool
internal import Testing

@Suite("Databases of earlier schemas", .stopsStores)
struct MigrationTests {
    /// What takes away what each schema has added, from the last one on.
    private static let added = [
        35: "ALTER TABLE sms_number DROP COLUMN explanations;",
        33: """
        DROP TABLE retired_code;
        ALTER TABLE machine_key DROP COLUMN reads_links;
        """,
        32: "ALTER TABLE shop DROP COLUMN staff_pin;",
        31: """
        ALTER TABLE shop_floor DROP COLUMN silent_came;
        ALTER TABLE shop_floor DROP COLUMN silent_missed;
        """,
        30: "ALTER TABLE subscription DROP COLUMN is_proved;",
        29: """
        DROP TABLE pickup_fetch;
        DROP TABLE pickup_step;
        DROP INDEX subscription_of_place;
        ALTER TABLE subscription DROP COLUMN is_order;
        ALTER TABLE pickup_event DROP COLUMN latest_ms;
        ALTER TABLE pickup_order DROP COLUMN step_undone;
        ALTER TABLE pickup_order DROP COLUMN fetching_ms;
        ALTER TABLE pickup_order DROP COLUMN called_ms;
        ALTER TABLE pickup_order DROP COLUMN entered;
        ALTER TABLE shop DROP COLUMN desk_inside;
        """,
        28: """
        DROP TABLE pickup_order;
        DROP TABLE pickup_event;
        DROP TABLE pickup_day;
        ALTER TABLE change_sequence DROP COLUMN orders;
        ALTER TABLE shop DROP COLUMN desks;
        ALTER TABLE shop DROP COLUMN fetch_minutes;
        ALTER TABLE shop DROP COLUMN order_days;
        ALTER TABLE shop DROP COLUMN order_memory_days;
        """,
        27: "ALTER TABLE shop DROP COLUMN nearby_wait_minutes;",
        25: """
        DROP TABLE refused_slot;
        ALTER TABLE shop DROP COLUMN departments;
        ALTER TABLE reservation DROP COLUMN departments;
        ALTER TABLE shop DROP COLUMN phone_visits;
        ALTER TABLE shop DROP COLUMN phone_visit_percent;
        ALTER TABLE shop DROP COLUMN phone_visit_question;
        ALTER TABLE reservation DROP COLUMN declared_minutes;
        ALTER TABLE reservation DROP COLUMN move_count;
        ALTER TABLE day_counter DROP COLUMN moved_away;
        ALTER TABLE claim DROP COLUMN days;
        """,
    ]

    /// Makes a database one of an earlier schema with such rows, and opens it with a server, which migrates it.
    private func migrated(
        _ site: Site, from version: Int, with rows: String = "", isStepped: Bool = false
    ) throws -> QueueStore {
        let steps = Self.added.filter { $0.key > version }.sorted { $0.key > $1.key }.map(\.value)
        try site.run(
            """
            \(rows)
            \(steps.joined(separator: "\n"))
            UPDATE schema_version SET version = \(version);
            """)
        let store = try site.store(isStepped: isStepped)
        #expect(try site.count("SELECT version FROM schema_version") == Schema.version)
        return store
    }

    @Test(
        "A database of the first schema continues where it was, can book visits, and has an audit")
    func migration() async throws {
        let site = try Site(.sqlite)
        for suffix in ["", "-wal", "-shm"] { unlink(site.path + suffix) }
        // The day that the first version left, a second after ten.
        let kept = "Tests/PastDatabases/schema-01-a276b6bd/sqlite/database.sql"
        let day = try String(
            contentsOf: Tool.repository.appending(path: kept), encoding: .utf8
        ).replacing("ewxy2xnvrcf9trga", with: "\(Site.shopID)")
        try Connection(path: site.path, opening: .createIfMissing).execute(day)
        site.clock.set(Site.at("10:01"))
        let store = try site.store()
        #expect(store.shops().map(\.policy.visitSharePercent) == [50])
        // The stored answer, the hold, the numbers, the codes and the wait are unchanged.
        let known = AuthenticatedRequest.make(.hold(.ticket), key: "kept-hold")
        #expect(await store.ask(known) == .keyReused)
        let held = ReservationID("06gzgbs3ettkeag1mq7h2vmf9g")
        #expect(try await store.confirm(held, "door-1").number == 8)
        let code = try #require(EntryCode(rawValue: "CLUP:1:ROM1QPNWKD6BDD8GZXT944EPM3M3HG"))
        #expect(try await store.lookUp(.entry(code))?.number.rawValue == 1)
        // Four are called; the fifth, the seventh and the eighth wait.
        #expect(store.status(of: Site.shopID)?.wait?.peopleAhead == 3)
        site.clock.set(Site.at("19:55"))
        #expect(try await store.visit("door-3").number == 1)
        let reported = await store.send(.make(sequences: 1...3))
        #expect(try reported.get()?.through == 3)
        #expect(try site.count("SELECT version FROM schema_version") == Schema.version)
        #expect(try site.count("SELECT count(*) FROM reservation") == 9)
        #expect(try site.texts("SELECT action FROM audit") == ["audit-begun"])
        let audit = try site.administration().verifyAudit(of: Site.shopID)
        #expect(audit.brokenAt == nil, "the audit is broken")
    }

    @Test(
        "A database of schema 24 keeps its phones' places, each of which is a place of its day",
        arguments: engines)
    func visits(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        try await site.serve { store in
            try await store.ticket(holder: "waits")
            try await store.giveBack(try await store.ticket(holder: "went"))
        }
        let store = try migrated(site, from: 24)
        #expect(
            try site.texts("SELECT holder || ' ' || days FROM claim ORDER BY holder")
                == ["waits 2026-11-20 s1", "went "])
        #expect(!store.shops().contains { $0.policy.phones.hasVisits })
        #expect(store.shops().map(\.policy.phones.visitPercent) == [70, 70])
        #expect(
            try await store.asks("waits", in: Site.other)
                == ["refused", "already-waiting", "s1", "1"])
        #expect(try await store.asks("went", in: Site.other)[0] == "held")
    }

    @Test(
        "In a database of schema 30 a place without an answer is called, and its shop goes on asking (rules: coming-question)",
        arguments: engines)
    func unanswered(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine, shops: 2)
        let visits = try await site.serve(isStepped: true) { store in
            let visits = [
                try await store.bookVisit("silent", at: "16:00", on: Site.day),
                try await store.bookVisit("ended", at: "16:15", on: Site.day),
            ]
            for visit in visits { try await store.subscribe("a", to: visit.id) }
            return visits
        }
        let asked = Site.at("14:00").milliseconds
        site.clock.set(Site.at("15:30"))
        let store = try migrated(
            site, from: 30,
            with: """
                UPDATE shop SET phone_visit_question = 1;
                UPDATE reservation SET asked_ms = \(asked) WHERE holder = 'silent';
                UPDATE reservation SET asked_ms = \(asked), state = 'expired', cause = 'unanswered',
                    state_ms = \(Site.at("15:00").milliseconds) WHERE holder = 'ended';
                INSERT INTO notice (shop_id, reservation_id, subscription_id, kind, made_ms, next_ms, tries)
                    SELECT shop_id, reservation_id, id, 'unanswered', 1, 0, 0 FROM subscription;
                INSERT INTO notice_day (shop_id, day, kind, sent, unsent)
                    VALUES ('s1', '\(Site.day)', 'unanswered', 3, 0);
                """, isStepped: true)
        #expect(!store.shops().contains { !$0.policy.phones.asksWhoComes })
        #expect(try await store.lease() == [], "nothing is sent of an end that no place has")
        let ended = try #require(try await store.record(visits[1].id))
        #expect(store.found(ended, of: Site.shopID)?.status == .missed)
        site.clock.set(Site.at("16:00"))
        store.tick()
        #expect(try await store.record(visits[0].id)?.state == .called)
        site.clock.set(Site.at("16:10"))
        store.tick()
        #expect(
            try site.texts("SELECT silent_came || ' ' || silent_missed FROM shop_floor") == ["0 1"])
        let counts = try site.administration()
            .noticeCounts(of: Site.shopID, from: Site.day, to: Site.day)
        #expect(!counts.contains { $0.sent == 3 })
    }

    @Test(
        "In a database of schema 28 the desks are outside, and orders at desks are called (rules: desks-inside)",
        arguments: engines)
    func desks(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        let order = try site.announce(["1"])[0]
        let store = try migrated(
            site, from: 28,
            with: """
                UPDATE pickup_order SET state = 'called', day = '\(Site.day)', number = 1,
                    arrived_ms = 5, state_ms = \(site.clock.now.milliseconds), desk = 2;
                """)
        #expect(store.shops().map(\.policy.orders.isDeskInside) == [false])
        let turns = store.turns(of: Site.shopID)?.orders
        #expect(
            turns?.map(\.number.text) == ["C-001"] && turns?.first?.since.moment == site.clock.now)
        #expect(try await site.take(.handOver, order, at: 2, on: store)[0] == "done")
        #expect(try site.count("SELECT count(*) FROM pickup_fetch") == 0)
    }

    @Test(
        "In a database of schema 29 everything stays, what gets notices was given with a link, and no shop has a PIN until it gets one (rules: proofs, blocks)",
        arguments: engines)
    func proofs(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1)
        let ticket = try await site.serve { old in
            let ticket = try await old.ticket()
            try await old.subscribe("browser", to: ticket.id)
            try await old.subscribe(number: "a", to: ticket.id)
            return ticket
        }
        let store = try migrated(site, from: 29)
        #expect(try await store.hasSMS(ticket.id))
        #expect(try await store.places(of: "a").map(\.isProved) == [false])
        #expect(try site.count("SELECT count(*) FROM subscription WHERE is_proved = 0") == 2)
        // It is shown to be the customer's later.
        try await store.subscribe(number: "a", to: ticket.id)
        #expect(try await store.places(of: "a").map(\.isProved) == [true])
        #expect(try await store.lookUp(.entry(ticket.code))?.number.rawValue == 1)
        #expect(try await store.pin(of: Site.shopID) == nil)
        let (pin, stored) = try StaffPIN.make()
        try site.administration().setStaffPIN(stored, of: Site.shopID)
        let known = try #require(try await store.pin(of: Site.shopID))
        #expect(known == stored && known.matches(pin) && !known.matches("\(pin)0"))
    }

    @Test(
        "In a database of schema 26 machines name shops nearby from an hour of wait on, no shop has a desk, and nothing reads codes in links (rules: code-links, nearby-shop, orders)",
        arguments: engines)
    func settings(_ engine: StoreEngine) throws {
        let site = try Site(engine, capacity: 1)
        try site.administration().addMachineKey(.sample("in", .entrance))
        let store = try migrated(site, from: 26)
        #expect(store.shops().map(\.policy.nearbyWaitMinutes) == [60])
        #expect(store.shops().map(\.policy.orders) == [OrderPolicy()])
        #expect(store.machineKeys().map(\.readsLinks) == [false])
    }
}

extension QueueStore {
    fileprivate func pin(of shop: ShopID) async throws -> StaffPIN? {
        try await done { staffPIN(of: shop, completion: $0) }
    }
}
