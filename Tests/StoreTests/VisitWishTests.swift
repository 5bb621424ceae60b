internal import ReservationStore
internal import Reservations
internal import SQLiteStore
internal import Testing

@Suite("Visits that were wanted in vain are counted by day, hour and length [R21]")
struct VisitWishTests {
    private func wishes(_ site: Site) throws -> [String] {
        let administration = Administration(database: try site.open(for: .administer)) {
            [clock = site.clock] in clock.now
        }
        return try administration.visitWishes(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 31)
        ).map { "\($0.wish.day.day) \($0.wish.hour) \($0.wish.minutes) \($0.count)" }
    }

    private func wish(_ time: String, minutes: Int? = nil) -> VisitWish {
        VisitWish(LocalMoment(Site.at(time), offsetMinutes: 60), minutes: minutes)
    }

    @Test("Each counts once in its row", arguments: StoreEngine.allCases)
    func counted(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        for wish in [wish("10:00"), wish("10:45"), wish("10:45", minutes: 60), wish("11:00")] {
            store.count(wish, of: Site.shopID)
        }
        store.count(wish("10:00"), of: ShopID("of no shop"))
        store.stop()
        #expect(try wishes(site) == ["20 10 0 2", "20 10 60 1", "20 11 0 1"])
    }

    @Test("They are deleted with their days, and are copied to another engine")
    func leaving() throws {
        let site = try Site(.sqlite)
        let store = try site.store(on: try site.open(for: .administer))
        store.count(wish("10:00", minutes: 15), of: Site.shopID)
        store.stop()
        let target = try Site(movedTo: .postgresql, of: site)
        let source = try SQLiteDatabase.open(path: site.path, for: .administer)
        _ = try DatabaseCopy.copy(
            try source.tables(), from: source, to: target.open(for: .administer))
        #expect(try wishes(target) == ["20 10 15 1"])
        for (day, left) in [(Site.day, 1), (Site.day.advanced(by: 1), 0)] {
            _ = try Pruning(database: site.open(for: .administer)).prune(
                Site.shopID, before: day, at: site.clock.now, pause: {})
            #expect(try wishes(site).count == left)
        }
    }
}
