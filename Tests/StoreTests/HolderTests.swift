internal import ReservationStore
internal import Reservations
internal import RowColumns
internal import TestSupport
internal import Testing

@Suite("Holders of phones: one place over all shops", .stopsStores)
struct HolderTests {
    private static let other = ShopID("s2")

    private static func hold(
        _ store: QueueStore, _ holder: String, in shop: ShopID = Site.shopID
    ) async throws -> [String] {
        try await store.words(.make(.hold(.ticket), shop: shop, holder: holder))
    }

    @Test("A place in one shop keeps the holder from another one until it ends", arguments: engines)
    func elsewhere(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let held = try await Self.hold(store, "a")
        #expect(
            try await Self.hold(store, "a", in: Self.other) == [
                "refused", "already-waiting", "s1", "0",
            ])
        _ = try await store.words(.make(.release(ReservationID(held[1])), holder: "a"))
        let ticket = try await store.ticket(in: Self.other, holder: "a")
        #expect(
            try await Self.hold(store, "a") == [
                "refused", "already-waiting", "s2", "\(ticket.number)",
            ])
        #expect(
            try await Self.hold(store, "a", in: Self.other)
                == ["refused", "already-waiting", "s2", "\(ticket.number)"])
        // Its ticket's code gives the place back wherever it is shown, as at a machine.
        try await store.giveBack(ticket, in: Self.other)
        #expect(try await Self.hold(store, "a")[0] == "held")
        // A refused place keeps none from another shop.
        _ = try await store.words(.make(.staff(.endTickets)))
        #expect(try await Self.hold(store, "b") == ["refused", "no-ticket-today"])
        #expect(try await Self.hold(store, "b", in: Self.other)[0] == "held")
    }

    @Test(
        "Of requests to two shops at once, for a ticket or a visit of one day, with keys of their own or with one, one succeeds",
        arguments: StoreServers.all, [false, true])
    func race(_ servers: StoreServers, isForVisits: Bool) async throws {
        let site = try Site.givingVisits(servers.engine)
        let stores = try servers.serving(site)
        let holders = (0..<24).map { "holder-\($0)" }
        for (index, holder) in holders.enumerated() {
            let results = try await atOnce(0..<4) { number in
                let key = index.isMultiple(of: 2) ? "key of \(holder)" : fresh("key")
                let shop = [Site.shopID, Self.other, Self.other, Site.shopID][number]
                let visit = Site.slot("1\(number):00", on: Site.day.advanced(by: 1))
                return await stores[number % stores.count].ask(
                    .make(
                        isForVisits ? .holdVisit(visit) : .hold(.ticket), key: key, shop: shop,
                        holder: holder))
            }
            let held = try results.filter { result in
                if let error = result.error {
                    #expect(error.code == .busy)
                    return false
                }
                return try stores[0].words(of: result)[0] == "held"
            }
            #expect(!held.isEmpty, "\(results)")
        }
        // Two requests to one shop replace each other; in two shops no holder has a place.
        let places = try site.texts(
            "SELECT holder || ' ' || shop_id FROM reservation WHERE state = 'pending' ORDER BY 1")
        #expect(places.count == holders.count, "\(places)")
        #expect(Set(places.map { $0.split(separator: " ")[0] }).count == holders.count)
    }

    @Test("The same request again, after a lost answer, has the same answer", arguments: engines)
    func repeated(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let first = try await store.words(.make(.hold(.ticket), key: "k", holder: "a"))
        #expect(try await store.words(.make(.hold(.ticket), key: "k", holder: "a")) == first)
        #expect(try await Self.hold(store, "b")[1] != first[1])
        // Another holder with the same key has nothing to do with it.
        #expect(try await store.words(.make(.hold(.ticket), key: "k", holder: "c"))[1] != first[1])
        #expect(try await store.words(.make(.hold(.ticket), machine: "a", key: "k"))[1] != first[1])
    }

    @Test(
        "Three missed calls block, over a restart, until the staff or an administrator lift it, once",
        arguments: engines)
    func blocked(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        try await site.serve { first in
            for holder in ["a", "b"] {
                for _ in 1...3 {
                    _ = try await first.ticket(holder: holder)
                    site.clock.pass(.minutes(11))
                }
                #expect(try await Self.hold(first, holder) == ["refused", "blocked"])
            }
            #expect(first.blockedHolders(of: Site.shopID).map(\.rawValue).sorted() == ["a", "b"])
            func unblock(_ holder: String?) async throws -> [String] {
                try await first.words(.make(.unblock(holder.map { HolderID($0) })))
            }
            #expect(try await unblock("c") == ["refused", "not-blocked"])
            #expect(try await unblock(nil) == ["refused", "not-blocked"])
            #expect(try await unblock("a") == ["unblocked"])
            #expect(try await unblock("a") == ["refused", "not-blocked"])
            #expect(first.blockedHolders(of: Site.shopID).map(\.rawValue) == ["b"])
        }
        #expect(try site.count("SELECT count(*) FROM no_show WHERE holder = 'a'") == 0)
        let store = try site.store()
        #expect(try await Self.hold(store, "b") == ["refused", "blocked"])
        #expect(try await Self.hold(store, "a")[0] == "held")
        #expect(try await Self.hold(store, "b", in: Self.other)[0] == "held")
        let administration = try site.administration()
        let known = try administration.holders(of: site.shop)
        #expect(known.map(\.holder.rawValue) == ["b"] && known[0].noShows.count == 3)
        #expect(known[0].blockedUntil.map { $0 > site.clock.now } == true)
        try administration.unblock(HolderID("b"), in: site.shop)
        #expect(throws: StoreError.self) {
            try administration.unblock(HolderID("b"), in: site.shop)
        }
        // The hold in the other shop has expired.
        site.clock.pass(.minutes(5))
        #expect(try await Self.hold(store, "b")[0] == "held")
    }

    @Test(
        "A forgotten holder is in no table, and one with a place of any day or a request is not forgotten",
        arguments: engines)
    func forgotten(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        let later = Site.day.advanced(by: 4)
        let visit = try await store.bookVisit("a-holder", at: "10:00", on: later)
        _ = try await store.ticket(holder: "a-holder")
        site.clock.pass(.minutes(11))
        store.tick()
        let ticket = try await store.ticket(in: Self.other, holder: "a-holder")
        let administration = try site.administration()
        let holder = HolderID("a-holder")
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        #expect(throws: StoreError.self) { try administration.forget(HolderID("unknown")) }
        try await store.giveBack(ticket, in: Self.other)
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        try await store.giveBack(visit)
        try site.run("UPDATE claim SET attempt = 'a request'")
        #expect(throws: StoreError.self) { try administration.forget(holder) }
        try site.run("UPDATE claim SET attempt = ''")
        func traces() throws -> Int {
            try site.count(
                """
                SELECT (SELECT count(*) FROM reservation WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM claim WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM no_show WHERE holder = 'a-holder')
                    + (SELECT count(*) FROM audit WHERE detail LIKE '%a-hold%')
                """)
        }
        // What was found in the shop whose places were over is gone already.
        #expect(try traces() > 0)
        try administration.forget(holder)
        #expect(try traces() == 0)
        #expect(try await Self.hold(store, "a-holder")[0] == "held")
    }

    @Test(
        "Two places that staff restored may be missed at one moment, and the shop goes on",
        arguments: engines)
    func missedTogether(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        var numbers: [QueueNumber] = []
        for _ in 1...2 {
            let number = try await store.ticket(holder: "a").number
            numbers.append(try #require(QueueNumber(rawValue: number)))
            site.clock.pass(.minutes(11))
            store.tick()
        }
        for number in numbers {
            _ = try await store.words(.make(.staff(.reservation(.restore, number))))
        }
        site.clock.pass(.minutes(11))
        #expect(try await store.ticket().number == 3)
        #expect(try await Self.hold(store, "a") == ["refused", "blocked"])
    }

    @Test("A claim without a place is deleted after a day", arguments: engines)
    func oldClaims(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        for holder in ["waits", "went"] { _ = try await Self.hold(store, holder) }
        store.stop()
        site.clock.pass(.seconds(86_400 + 60))
        // A place that may still be there: here its hold lasts longer.
        let end = site.clock.now.milliseconds + 600_000
        try site.run("UPDATE reservation SET expires_ms = \(end) WHERE holder = 'waits'")
        try site.prune()
        #expect(try site.texts("SELECT holder FROM claim") == ["waits"])
    }

    /// One request of a holder: for a place, or about the place that the holder has.
    private static func draw(
        _ holder: String, _ place: PhonesByChance.Place?, _ random: inout SplitMix
    ) -> AuthenticatedRequest {
        let (elsewhere, key) = PhonesByChance.shopAndKey(holder, &random)
        guard let place else {
            return .make(.hold(.ticket), key: key, shop: elsewhere, holder: holder)
        }
        switch random.next() % 8 {
        case 0...2: return .make(.hold(.ticket), key: key, shop: elsewhere, holder: holder)
        case 3: return .make(.release(place.id), shop: place.shop, holder: holder)
        case 4...5:
            guard let code = place.code else { fallthrough }
            return .make(.delete(place.id, .entry(code)), shop: place.shop)
        default: return .make(.confirm(place.id), shop: place.shop, holder: holder)
        }
    }

    @Test(
        "Whatever phones ask of two shops, and whichever write fails, no holder ever has two places",
        arguments: engines)
    func history(_ engine: StoreEngine) async throws {
        var places: [String: PhonesByChance.Place] = [:]
        var confirmed = 0
        let seed = try await PhonesByChance(site: .givingVisits(engine), count: 4).play(
            TestLength.choose(150, long: 5_000),
            draw: { holder, random in Self.draw(holder, places[holder], &random) },
            hear: { holder, request, words in
                switch words[0] {
                case "held":
                    places[holder] = .init(shop: request.shop, id: ReservationID(words[1]))
                case "confirmed":
                    confirmed += 1
                    places[holder]?.code = EntryCode(rawValue: words[2])
                default: if words[0] != "refused" { places[holder] = nil }
                }
            })
        #expect(confirmed > 20, "seed \(seed): \(confirmed) confirmed")
    }
}
