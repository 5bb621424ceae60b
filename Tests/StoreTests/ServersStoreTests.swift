internal import PostgresStore
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Synchronization
internal import TestSupport
internal import Testing

internal import class TestSupport.PostgresServer

@Suite("Several servers on one database", .stopsStores)
struct ServersStoreTests {
    /// Two servers' stores on one new database.
    private func two(
        capacity: Int = 1_000
    ) throws -> (site: Site, first: QueueStore, second: QueueStore) {
        let site = try Site(.postgresql, capacity: capacity)
        return (site, try site.store(), try site.store())
    }

    @Test("No place is given twice: two servers, a shop with one place, requests at the same time")
    func capacity() async throws {
        let (site, first, second) = try two(capacity: 1)
        _ = try await atOnce(0..<8) { machine in
            let store = machine.isMultiple(of: 2) ? first : second
            for _ in 0..<2 { try await store.ticket("m\(machine)") }
        }
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'called'") == 1)
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'planned'") == 15)
    }

    @Test("Servers know their number, and pass on messages for open sockets to each other")
    func company() async throws {
        let (_, first, second) = try two()
        #expect(await eventually { first.servers == 2 && second.servers == 2 })
        let got = Mutex<[String]>([])
        for (name, store) in [("first", first), ("second", second)] {
            store.observeMessages { shop, text in got.withLock { $0.append("\(name) \(text)") } }
        }
        first.send("one and more", to: Site.shopID)
        #expect(await eventually { got.withLock { $0.count } >= 2 })
        second.send("two", to: Site.shopID)
        #expect(await eventually { got.withLock { $0.count } >= 4 })
        let all = ["first one and more", "first two", "second one and more", "second two"]
        #expect(got.withLock { $0.sorted() } == all)
        second.stop()
        #expect(await eventually { first.servers == 1 })
    }

    @Test("A call by one server is shown by the other at once, and its observer is notified")
    func shown() async throws {
        let site = try Site(.postgresql, capacity: 1)
        // The stores do not look at the database by themselves: each knows only the notifications of the other.
        let first = try site.store(isStepped: true)
        let second = try site.store(isStepped: true)
        let reported = Mutex(0)
        second.observe { _ in reported.withLock { $0 += 1 } }
        let ticket = try await first.ticket()
        #expect(
            await eventually {
                second.turns(of: Site.shopID)?.called.map(\.number.rawValue) == [ticket.number]
                    && reported.withLock { $0 > 0 }
            })
        let next = try await first.ticket("door-2")
        #expect(await eventually { second.status(of: Site.shopID)?.waiting == 1 })
        // A deletion at the other one removes the ticket from the first one's display.
        try await second.giveBack(ticket)
        #expect(
            await eventually {
                first.turns(of: Site.shopID)?.called.map(\.number.rawValue) == [next.number]
            })
    }

    @Test("Servers start at once on an empty database: one migrates, both serve [fault 24]")
    func startAtOnce() async throws {
        let place = try PostgresServer.shared().database()
        let shops = try await atOnce(0..<4) { _ in
            let database = try PostgresDatabase.open(try PostgresAddress(place, password: nil))
            return try Administration(database: database, now: { Site.at("10:00") }).shops().count
        }
        #expect(shops == [0, 0, 0, 0])
        let database = PostgresDatabase(try PostgresAddress(place, password: nil))
        var versions: [Int64] = []
        try database.query(Query("SELECT version FROM schema_version"), []) {
            versions.append($0.integer(0))
        }
        #expect(versions == [Int64(Schema.version)])
    }

    @Test("A server that hangs while it holds a shop's lock loses it, and the others continue")
    func hanging() async throws {
        let site = try Site(.postgresql)
        let hanging = try site.open(for: .serve)
        try hanging.beginWrite()
        try hanging.query(
            Query("SELECT queue FROM change_sequence WHERE shop_id = 's1' FOR UPDATE"), []
        ) { _ in }
        let store = try site.store()
        var isServed = false
        for _ in 0..<10 where !isServed {
            // A lock that does not come in time is reported, and the same key is used again.
            isServed = await store.ask(.make(.hold(.ticket), key: "k")).answer != nil
        }
        #expect(isServed)
        let error = #expect(throws: StoreError.self) {
            try hanging.run(script: "SELECT 1")
        }
        #expect(error?.code == .lost)
        hanging.rollback()
    }

    @Test("A server that is read-only is recognised, and another one is used")
    func readOnly() async throws {
        let (site, store) = try Site.serving(.postgresql)
        try await store.ticket()
        let name = try site.texts("SELECT current_database()")[0]
        // As a primary that became a standby; existing sessions work until their next transaction.
        try site.run("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        let administrator = PostgresDatabase(
            try PostgresAddress(site.place + "&target_session_attrs=any", password: nil))
        try administrator.run(
            script: """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        let request = AuthenticatedRequest.make(.hold(.ticket), key: "k")
        let error = try #require(await store.ask(request).error)
        // It is skipped when the store connects, or it refuses the transaction.
        #expect(error.code == .lost || error.code == .readOnly)
        try administrator.run(
            script: """
                BEGIN READ WRITE;
                ALTER DATABASE \(name) SET default_transaction_read_only = off;
                COMMIT
                """)
        var words: [String] = []
        for _ in 0..<50 where words.isEmpty {
            words = (try? await store.words(.make(.hold(.ticket), key: "k"))) ?? []
        }
        #expect(words.first == "held")
        #expect(try await store.ticket().number == 2)
    }

    @Test("A server reads another one's changes, and everything only if the changes are not listed")
    func follows() async throws {
        let site = try Site(.postgresql, capacity: 3)
        let first = try site.store(isStepped: true)
        let (second, plan) = try site.faulty(isStepped: true)
        var readsEverything: Bool {
            plan.statements.contains { $0.contains("state = 'planned' OR") }
        }
        #expect(readsEverything)
        plan.forgetStatements()
        for round in 0..<3 {
            var tickets: [TakenPlace] = []
            for number in 0..<4 {
                tickets.append(
                    try await (number.isMultiple(of: 2) ? first : second).ticket("m\(number)"))
            }
            _ = try await first.hold("m8")
            try await first.giveBack(tickets[3])
            try await first.pass(tickets[0], .entrance)
            if round == 1 { _ = try await first.words(.make(.staff(.occupancy(people: 2)))) }
            try await first.pass(tickets[0], .exit(.checkout))
            _ = try await second.hold("m9")
            #expect(try isLikeNew(second, of: site))
        }
        #expect(plan.statements.contains { $0.contains("FROM queue_change") } && !readsEverything)
        _ = try await first.ticket()
        // Deleted in one transaction, as an administrator might: the changes of the ticket may have been read before.
        try site.run(
            "DELETE FROM queue_change; UPDATE change_sequence SET queue = queue + 1")
        _ = try await second.hold("m9")
        #expect(try isLikeNew(second, of: site) && readsEverything)
    }

    @Test(
        "After a failover to a standby without the last commits, every server forgets those"
    )
    func lostCommits() async throws {
        let server = try PostgresServer()
        let site = try Site(.postgresql, server: server)
        let name = try site.texts("SELECT current_database()")[0]
        let before = try site.store()
        try await before.ticket()
        before.stop()
        // A database can be copied only while it has no connections.
        try await server.administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
        try await server.administer("CREATE DATABASE standby TEMPLATE \(name)")
        // These stores look at the database only when the test steps them.
        let (first, second) = (try site.store(isStepped: true), try site.store(isStepped: true))
        for machine in 0..<3 { try await first.ticket("m\(machine)") }
        second.tick()
        #expect(second.turns(of: Site.shopID)?.called.count == 4)
        let count = try site.count("SELECT queue FROM change_sequence")
        try await server.administer("DROP DATABASE \(name) WITH (FORCE)")
        try await server.administer("ALTER DATABASE standby RENAME TO \(name)")
        // Makes as many changes as there were, so that the count is the known one.
        let third = try site.store(isStepped: true)
        for _ in 0..<2 { try await third.ticket("other") }
        for _ in 0..<2 { _ = try await third.hold("other") }
        #expect(try site.count("SELECT queue FROM change_sequence") == count)
        for store in [first, second] {
            // The first look finds that the connection is gone.
            #expect(
                try await eventually {
                    store.tick()
                    return try isLikeNew(store, of: site)
                })
            #expect(try await store.ticket().number == (store === first ? 4 : 5))
        }
    }

    /// Whether the store shows the same as a store that has just started.
    private func isLikeNew(_ store: QueueStore, of site: Site) throws -> Bool {
        let new = try site.store(isStepped: true)
        defer { new.stop() }
        return store.turns(of: Site.shopID) == new.turns(of: Site.shopID)
            && store.status(of: Site.shopID) == new.status(of: Site.shopID)
            && store.staffQueue(of: Site.shopID) == new.staffQueue(of: Site.shopID)
    }
}
