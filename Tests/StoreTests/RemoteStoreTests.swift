internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("The question whether a customer is coming, on every engine [rules 37, 39]", .stopsStores)
struct RemoteStoreTests {
    /// A shop that asks, and a visit of a customer with a browser, who was asked.
    private struct Asked {
        let site: Site
        private var running: QueueStore?
        let visit: TakenPlace
        let slot = Site.at("16:00")

        /// - Parameter waiting: The kind of a notice that waits to be sent when the question comes.
        init(_ engine: StoreEngine, waiting: String? = nil) async throws {
            site = try Site.givingVisits(engine)
            try site.decide { $0.phones.asksWhoComes = true }
            let store = try site.store(isStepped: true)
            running = store
            visit = try await store.bookVisit("far", at: "16:00", on: Site.day)
            try await store.subscribe("a", to: visit.id)
            if let waiting {
                try site.run(
                    script: """
                        INSERT INTO notice
                            (shop_id, reservation_id, subscription_id, kind, made_ms, next_ms, tries)
                        SELECT shop_id, reservation_id, id, '\(waiting)', 1, 0, 0 FROM subscription;
                        """)
            }
            site.clock.set(slot - .minutes(120))
            store.tick()
        }

        var store: QueueStore {
            get throws { try #require(running) }
        }

        /// Has another server work on the database.
        mutating func restart() throws {
            try store.stop()
            // A file is its server's until that is no more.
            running = nil
            running = try site.store(isStepped: true)
        }

        func count(_ condition: String) throws -> Int {
            try site.count(
                "SELECT count(*) FROM reservation WHERE is_remote = 1 AND channel = 'phone' AND "
                    + condition)
        }

        func tick(at moment: Moment) throws {
            site.clock.set(moment)
            try store.tick()
        }
    }

    private func kinds(_ store: QueueStore) async throws -> [String] {
        try await store.lease().map(\.reason.rawValue)
    }

    @Test(
        "The question is stored and is a notice, which an answer at another server takes back",
        arguments: engines)
    func answered(_ engine: StoreEngine) async throws {
        var asked = try await Asked(engine)
        #expect(try asked.count("state = 'planned' AND asked_ms > 0 AND answered_ms IS NULL") == 1)
        #expect(try asked.site.texts("SELECT kind FROM notice") == ["question"])
        try asked.restart()
        _ = try await asked.store.words(.make(.comes(asked.visit.id), holder: "far"))
        #expect(try asked.count("state = 'planned' AND answered_ms >= asked_ms") == 1)
        #expect(try asked.site.count("SELECT count(*) FROM notice") == 0, "it is answered")
        #expect(try asked.site.count("SELECT remote_answered FROM shop_floor") == 1)
        try asked.store.stop()
    }

    @Test(
        "Without an answer the customer hears two minutes before and at the call, and an answer takes no such notice away",
        arguments: engines)
    func unanswered(_ engine: StoreEngine) async throws {
        let asked = try await Asked(engine)
        #expect(try await kinds(asked.store) == ["question"])
        try asked.tick(at: asked.slot - .seconds(120))
        try await asked.store.watch()
        #expect(try asked.site.texts("SELECT kind FROM notice") == ["soon"])
        _ = try await asked.store.words(.make(.comes(asked.visit.id), holder: "far"))
        #expect(try asked.site.texts("SELECT kind FROM notice") == ["soon"])
        try asked.tick(at: asked.slot)
        #expect(try asked.count("state = 'called'") == 1)
        #expect(try await kinds(asked.store) == ["called"])
        try asked.store.stop()
    }

    @Test("The question takes the place of no notice that waits", arguments: engines)
    func waiting(_ engine: StoreEngine) async throws {
        let asked = try await Asked(engine, waiting: "restored")
        #expect(try asked.count("asked_ms > 0") == 1)
        #expect(try asked.site.texts("SELECT kind FROM notice") == ["restored"])
        try asked.store.stop()
    }

    @Test(
        "A call that is missed without an answer counts towards the block, and is learned",
        arguments: engines)
    func missed(_ engine: StoreEngine) async throws {
        var asked = try await Asked(engine)
        try asked.tick(at: asked.slot)
        #expect(try asked.site.count("SELECT count(*) FROM no_show") == 0)
        try asked.tick(at: asked.slot + .minutes(10))
        #expect(try asked.count("state = 'expired' AND cause = 'missed'") == 1)
        #expect(try asked.site.count("SELECT count(*) FROM no_show WHERE holder = 'far'") == 1)
        #expect(
            try asked.site.texts(
                "SELECT silent_came || ' ' || silent_missed || ' ' || remote_unanswered FROM shop_floor"
            ) == ["0 1 1"])
        try asked.restart()
        let first = try #require(QueueNumber(rawValue: 1))
        _ = try await asked.store.words(.make(.staff(.reservation(.restore, first))))
        #expect(try asked.count("state = 'called'") == 1)
        try asked.store.stop()
    }
}
