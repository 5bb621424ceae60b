internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Places that are taken elsewhere, on every engine [rules 37]")
struct RemoteStoreTests {
    /// A shop whose four places are all called. A place that was taken elsewhere is in front of the waiting ones: its
    /// turn has come, it was asked for, and a ticket behind it was called. Its customer has a browser.
    private struct Asked {
        let site: Site
        let far: ReservationID
        let called: [(id: ReservationID, number: Int, code: EntryCode)]

        init(_ engine: StoreEngine, _ use: (QueueStore) async throws -> Void = { _ in })
            async throws
        {
            site = try Site(engine, capacity: 4)
            let administration = Administration(database: try site.open(for: .administer)) {
                [site] in site.clock.now
            }
            for var shop in try administration.shops() where shop.id == Site.shopID {
                shop.policy.phones.hasPlaces = true
                shop.policy.phones.hasRemotePlaces = true
                shop.policy.phones.sharePercent = 100
                try administration.updateShop(shop)
            }
            let store = try site.store(isStepped: true)
            var tickets: [(id: ReservationID, number: Int, code: EntryCode)] = []
            for _ in 0..<8 { tickets.append(try await store.ticket("door-1")) }
            let held = try await store.words(.make(.holdRemotely, holder: "far"))
            far = ReservationID(held[1])
            _ = try await store.words(.make(.confirm(far), holder: "far"))
            tickets.append(try await store.ticket("door-1"))
            try await store.subscribe("a", to: far)
            for ticket in tickets[..<5] {
                _ = try await store.words(.make(.delete(ticket.id, .entry(ticket.code))))
            }
            called = Array(tickets[5...])
            try await use(store)
            store.stop()
        }

        func count(_ condition: String) throws -> Int {
            try site.count(
                "SELECT count(*) FROM reservation WHERE is_remote = 1 AND channel = 'phone' AND "
                    + condition)
        }
    }

    private func kinds(_ store: QueueStore) async throws -> [String] {
        try await store.lease().map(\.reason.rawValue)
    }

    @Test(
        "The question is stored and is a notice; after the answer, at another server, the place is called",
        arguments: StoreEngine.allCases)
    func answered(_ engine: StoreEngine) async throws {
        var notices: [String] = []
        let asked = try await Asked(engine) { notices = try await kinds($0) }
        #expect(notices == ["question"])
        #expect(try asked.count("state = 'planned' AND asked_ms > 0 AND answered_ms IS NULL") == 1)
        let other = try asked.site.store(isStepped: true)
        _ = try await other.words(.make(.comes(asked.far), holder: "far"))
        #expect(try asked.count("state = 'planned' AND answered_ms >= asked_ms") == 1)
        #expect(try asked.site.count("SELECT count(*) FROM notice") == 0, "it is answered")
        let ticket = asked.called[0]
        _ = try await other.words(.make(.delete(ticket.id, .entry(ticket.code))))
        #expect(try asked.count("state = 'called'") == 1)
        #expect(try await kinds(other) == ["called"])
        #expect(try asked.site.count("SELECT remote_answered FROM shop_floor") == 1)
        other.stop()
    }

    @Test(
        "Without an answer it ends at its turn at another server, which is a notice",
        arguments: StoreEngine.allCases)
    func unanswered(_ engine: StoreEngine) async throws {
        let asked = try await Asked(engine)
        asked.site.clock.pass(.minutes(16))
        let other = try asked.site.store(isStepped: true)
        // The called customers have missed their calls, so that its turn has come; but phones had no time to answer.
        other.tick()
        #expect(try asked.count("state = 'planned'") == 1)
        asked.site.clock.pass(.minutes(4))
        other.tick()
        #expect(try asked.count("state = 'expired' AND cause = 'unanswered'") == 1)
        #expect(try await kinds(other) == ["unanswered"])
        #expect(try asked.site.count("SELECT remote_unanswered FROM shop_floor") == 1)
        #expect(try asked.site.count("SELECT count(*) FROM no_show WHERE holder = 'far'") == 0)
        other.stop()
    }
}
