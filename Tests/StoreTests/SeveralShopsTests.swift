internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Commands of several shops in one transaction")
struct SeveralShopsTests {
    private static let shops = (1...12).map { ShopID("s\($0)") }

    private func site(_ engine: StoreEngine) throws -> Site {
        let site = try Site(engine)
        let administration = Administration(database: try site.open(for: .administer)) {
            site.clock.now
        }
        for (number, id) in Self.shops.enumerated().dropFirst() {
            let (hours, policy) = (site.shop.hours, site.shop.policy)
            let tag = try #require(ShopTag(rawValue: "S\(100 + number)"))
            try administration.addShop(
                Shop(
                    id: id, tag: tag, name: "Market", timeZone: "Europe/Rome", hours: hours,
                    policy: policy, languages: ["it"]))
        }
        return site
    }

    private static func number(
        _ store: QueueStore, _ shop: ShopID, _ machine: String
    ) async throws -> Int {
        let held = try await store.words(.make(.hold(.ticket), machine: machine, shop: shop))
        let id = ReservationID(held[1])
        let words = try await store.words(.make(.confirm(id), machine: machine, shop: shop))
        return try #require(Int(words[1]))
    }

    @Test("Each shop counts its own tickets without a gap", arguments: StoreEngine.allCases)
    func numbers(_ engine: StoreEngine) async throws {
        let store = try site(engine).store()
        let numbers = try await withThrowingTaskGroup(of: (ShopID, Int).self) { group in
            for shop in Self.shops {
                for machine in 1...5 {
                    group.addTask { (shop, try await Self.number(store, shop, "door-\(machine)")) }
                }
            }
            var numbers: [ShopID: [Int]] = [:]
            for try await (shop, number) in group { numbers[shop, default: []].append(number) }
            return numbers
        }
        #expect(numbers.count == Self.shops.count)
        for (shop, given) in numbers { #expect(given.sorted() == Array(1...5), "\(shop)") }
        store.stop()
    }

    @Test("A signature that comes twice at once is accepted once", arguments: StoreEngine.allCases)
    func repeated(_ engine: StoreEngine) async throws {
        let store = try site(engine).store()
        let results = await withTaskGroup(of: RequestResult.self) { group in
            for shop in Self.shops {
                for _ in 1...3 {
                    group.addTask {
                        await store.ask(.make(.hold(.ticket), nonce: "same", shop: shop))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.filter { $0 == .nonceSeen }.count == 2 * Self.shops.count)
        store.stop()
    }

    @Test("While one shop is locked by another server, the other shops go on")
    func locked() async throws {
        let site = try site(.postgresql)
        let store = try site.store()
        let other = try site.open(for: .administer)
        // Otherwise the lock would end after three seconds.
        try other.run(script: "SET idle_in_transaction_session_timeout = 0")
        try other.beginWrite()
        try other.execute(
            Query("SELECT queue FROM change_sequence WHERE shop_id = 's3' FOR UPDATE"), [])
        let waiting = Task { try await Self.number(store, ShopID("s3"), "door-1") }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for shop in Self.shops where shop != ShopID("s3") {
                group.addTask { try await Self.number(store, shop, "door-1") }
            }
            for try await number in group { #expect(number == 1) }
        }
        other.rollback()
        // A server gives up a lock after five seconds; then nothing was changed.
        var number = try? await waiting.value
        if number == nil { number = try await Self.number(store, ShopID("s3"), "door-1") }
        #expect(number == 1)
        store.stop()
    }
}
