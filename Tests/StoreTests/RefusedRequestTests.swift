internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Refused requests are counted by the hour, and slots that were asked for in vain by length too [UC5]",
    .stopsStores)
struct RefusedRequestTests {
    private func counts(_ site: Site) throws -> [String] {
        try site.administration().refusedRequests(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 1)
        ).map { "\($0.day.day) \($0.hour) \($0.kind.rawValue) \($0.count)" }
    }

    private func slots(_ site: Site) throws -> [String] {
        try site.administration().refusedSlots(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 31)
        ).map { "\($0.slot.day.day) \($0.slot.hour) \($0.slot.minutes) \($0.count)" }
    }

    private func slot(_ time: String, minutes: Int? = nil) -> RefusedSlot {
        RefusedSlot(LocalMoment(Site.at(time), offsetMinutes: 60), minutes: minutes)
    }

    @Test("Each slot counts once in its row", arguments: engines)
    func countedSlots(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        for slot in [slot("10:00"), slot("10:45"), slot("10:45", minutes: 60), slot("11:00")] {
            store.count(slot, of: Site.shopID)
        }
        store.count(slot("10:00"), of: ShopID("of no shop"))
        store.stop()
        #expect(try slots(site) == ["20 10 0 2", "20 10 60 1", "20 11 0 1"])
    }

    @Test(
        "Each is counted once, however often it is sent; a granted request is not counted",
        arguments: engines)
    func counted(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        _ = try await store.ticket()
        #expect(try counts(site).isEmpty)
        // Too late for the usual stay.
        site.clock.set(Site.at("19:50"))
        let key = fresh("key")
        for _ in 0..<5 {
            #expect(
                try await store.words(.make(.hold(.ticket), key: key, at: site.clock.now))[0]
                    == "refused")
        }
        _ = try await store.words(.make(.hold(.ticket), at: site.clock.now))
        // The day is over: the shop is closed, at nine in the evening of its clock.
        site.clock.set(Site.at("21:10"))
        _ = try await store.words(.make(.hold(.ticket), at: site.clock.now))
        store.count(.otherShop, of: Site.shopID)
        store.stop()
        #expect(
            try counts(site) == ["20 19 ticket 2", "20 21 other-shop 1", "20 21 ticket 1"])
    }

    @Test("They are deleted with their days, and are copied to another engine")
    func leaving() async throws {
        let site = try Site(.sqlite)
        let store = try site.store(on: try site.open(for: .administer))
        site.clock.set(Site.at("19:50"))
        for _ in 0..<3 { _ = try await store.words(.make(.hold(.ticket), at: site.clock.now)) }
        store.count(slot("10:00", minutes: 15), of: Site.shopID)
        store.stop()
        let target = try site.moved()
        #expect(try counts(target) == ["20 19 ticket 3"] && slots(target) == ["20 10 15 1"])
        for (day, left) in [(Site.day, 1), (Site.day.advanced(by: 1), 0)] {
            try site.prune(before: day)
            #expect(try counts(site).count == left && slots(site).count == left)
        }
    }
}
