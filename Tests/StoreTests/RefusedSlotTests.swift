internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Slots that were asked for in vain are counted by day, hour and length [UC5]", .stopsStores)
struct RefusedSlotTests {
    private func refused(_ site: Site) throws -> [String] {
        let administration = try site.administration()
        return try administration.refusedSlots(
            of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 31)
        ).map { "\($0.slot.day.day) \($0.slot.hour) \($0.slot.minutes) \($0.count)" }
    }

    private func slot(_ time: String, minutes: Int? = nil) -> RefusedSlot {
        RefusedSlot(LocalMoment(Site.at(time), offsetMinutes: 60), minutes: minutes)
    }

    @Test("Each counts once in its row", arguments: engines)
    func counted(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        for slot in [slot("10:00"), slot("10:45"), slot("10:45", minutes: 60), slot("11:00")] {
            store.count(slot, of: Site.shopID)
        }
        store.count(slot("10:00"), of: ShopID("of no shop"))
        store.stop()
        #expect(try refused(site) == ["20 10 0 2", "20 10 60 1", "20 11 0 1"])
    }

    @Test("They are deleted with their days, and are copied to another engine")
    func leaving() throws {
        let site = try Site(.sqlite)
        let store = try site.store(on: try site.open(for: .administer))
        store.count(slot("10:00", minutes: 15), of: Site.shopID)
        store.stop()
        let target = try site.moved()
        #expect(try refused(target) == ["20 10 15 1"])
        for (day, left) in [(Site.day, 1), (Site.day.advanced(by: 1), 0)] {
            try site.prune(before: day)
            #expect(try refused(site).count == left)
        }
    }
}
