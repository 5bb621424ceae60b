internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "The question whether a customer is coming, on every engine [rules: coming-question]",
    .stopsStores)
struct RemoteStoreTests {
    private let slot = Site.at("16:00")

    /// A shop that asks, and a visit of a customer with a browser, who was asked.
    ///
    /// - Parameter waiting: The kind of a notice that waits to be sent when the question comes.
    private func asked(
        _ engine: StoreEngine, waiting: String? = nil
    ) async throws -> (site: Site, store: QueueStore, visit: ReservationID) {
        let site = try Site.givingVisits(engine)
        try site.decide { $0.phones.asksWhoComes = true }
        let store = try site.store(isStepped: true)
        let visit = try await store.bookVisit("far", at: "16:00", on: Site.day).id
        try await store.subscribe("a", to: visit)
        if let waiting {
            try site.run(
                """
                INSERT INTO notice
                    (shop_id, reservation_id, subscription_id, kind, made_ms, next_ms, tries)
                SELECT shop_id, reservation_id, id, '\(waiting)', 1, 0, 0 FROM subscription;
                """)
        }
        tick(store, of: site, at: slot - .minutes(120))
        return (site, store, visit)
    }

    private func tick(_ store: QueueStore, of site: Site, at moment: Moment) {
        site.clock.set(moment)
        store.tick()
    }

    private func count(_ condition: String, in site: Site) throws -> Int {
        try site.count(
            "SELECT count(*) FROM reservation WHERE is_remote = 1 AND channel = 'phone' AND "
                + condition)
    }

    @Test(
        "The question is stored and is a notice, which an answer at another server takes back",
        arguments: engines)
    func answered(_ engine: StoreEngine) async throws {
        let (site, store, visit) = try await asked(engine)
        #expect(
            try count("state = 'planned' AND asked_ms > 0 AND answered_ms IS NULL", in: site) == 1)
        #expect(try site.texts("SELECT kind FROM notice") == ["question"])
        store.stop()
        let other = try site.restarted()
        _ = try await other.words(.make(.comes(visit), holder: "far"))
        #expect(try count("state = 'planned' AND answered_ms >= asked_ms", in: site) == 1)
        #expect(try site.count("SELECT count(*) FROM notice") == 0, "it is answered")
        #expect(try site.count("SELECT remote_answered FROM shop_floor") == 1)
    }

    @Test(
        "Without an answer the customer hears two minutes before and at the call, and an answer takes no such notice away",
        arguments: engines)
    func unanswered(_ engine: StoreEngine) async throws {
        let (site, store, visit) = try await asked(engine)
        #expect(try await store.lease().map(\.reason.rawValue) == ["question"])
        tick(store, of: site, at: slot - .seconds(120))
        try await store.watch()
        #expect(try site.texts("SELECT kind FROM notice") == ["soon"])
        _ = try await store.words(.make(.comes(visit), holder: "far"))
        #expect(try site.texts("SELECT kind FROM notice") == ["soon"])
        tick(store, of: site, at: slot)
        #expect(try count("state = 'called'", in: site) == 1)
        #expect(try await store.lease().map(\.reason.rawValue) == ["called"])
    }

    @Test("The question takes the place of no notice that waits", arguments: engines)
    func waiting(_ engine: StoreEngine) async throws {
        let (site, _, _) = try await asked(engine, waiting: "restored")
        #expect(try count("asked_ms > 0", in: site) == 1)
        #expect(try site.texts("SELECT kind FROM notice") == ["restored"])
    }

    @Test(
        "A call that is missed without an answer counts towards the block, and is learned",
        arguments: engines)
    func missed(_ engine: StoreEngine) async throws {
        let (site, store, _) = try await asked(engine)
        tick(store, of: site, at: slot)
        #expect(try site.count("SELECT count(*) FROM no_show") == 0)
        tick(store, of: site, at: slot + .minutes(10))
        #expect(try count("state = 'expired' AND cause = 'missed'", in: site) == 1)
        #expect(try site.count("SELECT count(*) FROM no_show WHERE holder = 'far'") == 1)
        #expect(
            try site.texts(
                "SELECT silent_came || ' ' || silent_missed || ' ' || remote_unanswered FROM shop_floor"
            ) == ["0 1 1"])
        store.stop()
        try await site.restarted().staff(.restore, 1)
        #expect(try count("state = 'called'", in: site) == 1)
    }
}
