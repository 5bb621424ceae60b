internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Commands of several shops in one transaction", .stopsStores)
struct SeveralShopsTests {
    private static let shops = (1...12).map { ShopID("s\($0)") }

    private func site(_ engine: StoreEngine) throws -> Site {
        let site = try Site(engine)
        for (number, id) in Self.shops.enumerated().dropFirst() {
            try site.add(id, tag: "S\(100 + number)")
        }
        return site
    }

    @Test("Each shop counts its own tickets without a gap", arguments: engines)
    func numbers(_ engine: StoreEngine) async throws {
        let store = try site(engine).store()
        let numbers = try await atOnce(0..<60) { turn in
            try await store.ticket("door-\(turn / 12)", in: Self.shops[turn % 12]).number
        }
        for (place, shop) in Self.shops.enumerated() {
            let given = stride(from: place, to: 60, by: 12).map { numbers[$0] }
            #expect(given.sorted() == Array(1...5), "\(shop)")
        }
    }

    @Test("A signature that comes twice at once is accepted once", arguments: engines)
    func repeated(_ engine: StoreEngine) async throws {
        let store = try site(engine).store()
        let results = try await atOnce(Self.shops + Self.shops + Self.shops) {
            await store.ask(.make(.hold(.ticket), nonce: "same", shop: $0))
        }
        #expect(results.filter { $0 == .nonceSeen }.count == 2 * Self.shops.count)
    }

    @Test("While one shop is locked by another server, the other shops go on")
    func locked() async throws {
        let (site, store) = try site(.postgresql).serving()
        let other = try site.open(for: .administer)
        // Otherwise the lock would end after three seconds.
        try other.run(script: "SET idle_in_transaction_session_timeout = 0")
        try other.beginWrite()
        try other.execute(
            Query("SELECT queue FROM change_sequence WHERE shop_id = 's3' FOR UPDATE"), [])
        let waiting = Task { try await store.ticket(in: ShopID("s3")).number }
        let numbers = try await atOnce(Self.shops.filter { $0 != ShopID("s3") }) {
            try await store.ticket(in: $0).number
        }
        #expect(numbers == Array(repeating: 1, count: 11))
        other.rollback()
        // A server gives up a lock after five seconds; then nothing was changed.
        var number = try? await waiting.value
        if number == nil { number = try await store.ticket(in: ShopID("s3")).number }
        #expect(number == 1)
    }
}
