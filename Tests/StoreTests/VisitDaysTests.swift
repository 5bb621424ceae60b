internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Visits of other days: reports, changed hours and look-ups [rules 39]", .stopsStores)
struct VisitDaysTests {
    private static let other = ShopID("s2")

    private func day(_ days: Int) -> CalendarDay { Site.day.advanced(by: days) }

    private func move(
        _ store: QueueStore, _ visit: TakenPlace, to slot: ChosenSlot
    ) async throws {
        #expect(try await store.move(visit, to: slot)[0] == "confirmed")
    }

    @Test(
        "A moved visit is in the report of its day, once, and not in that of the day it has left",
        arguments: engines)
    func reports(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        let slot = Site.slot("15:00", on: day(2))
        try await move(store, visit, to: slot)
        try await move(store, visit, to: Site.slot("11:00", on: day(1)))
        try await move(store, visit, to: slot)
        let administration = try site.administration()
        #expect(try administration.histories(of: Site.shopID, from: day(0), to: day(1)) == [])
        let found = try administration.histories(of: Site.shopID, from: day(2), to: day(3))
        #expect(found.map(\.number.rawValue) == [2] && found.map(\.kind) == [.visit])
        #expect(found.map(\.quoted.expected.moment) == [slot.start.moment])
        let report = DayReport(day(2), found, midnight: Site.at("00:00", day: day(2)))
        #expect(report.visits == 1 && report.tickets == 0 && report.deleted == 0)
    }

    @Test(
        "Changed hours name the visits of phones, or delete them, and their holders may book again",
        arguments: engines)
    func hours(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving(isStepped: true)
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        try await move(store, visit, to: Site.slot("15:00", on: day(2)))
        let administration = try site.administration()
        let mornings = (0...8).map {
            OpenInterval(
                opens: LocalMoment(Site.at("08:00", day: day($0)), offsetMinutes: 60),
                closes: LocalMoment(Site.at("12:00", day: day($0)), offsetMinutes: 60))
        }
        let refused = try #require(throws: StoreError.self) {
            try administration.updateShop(site.shop, openings: mornings)
        }
        #expect(refused.description.contains("001 on 2026-11-22 at 15:00"), "\(refused)")
        try administration.updateShop(site.shop, openings: mornings, cancelVisits: true)
        store.tick()
        #expect(
            try site.texts("SELECT state || ' ' || cause FROM reservation")
                == ["deleted cancelled-by-shop"])
        try await store.bookVisit("a", at: "10:00", on: day(2), in: Self.other)
    }

    @Test(
        "The place of a holder is found by its day, and the nearest one without a day",
        arguments: engines)
    func byDay(_ engine: StoreEngine) async throws {
        let store = try Site.givingVisits(engine).store()
        let visit = try await store.bookVisit("a", at: "10:00", on: day(1))
        try await store.bookVisit("a", at: "10:00", on: day(3))
        func found(_ day: CalendarDay?) async throws -> CalendarDay? {
            try await store.done {
                store.place(of: HolderID("a"), in: Site.shopID, on: day, completion: $0)
            }?.hold.day
        }
        #expect(try await found(nil) == day(1))
        #expect(try await found(day(3)) == day(3))
        #expect(try await found(day(2)) == nil)
        try await move(store, visit, to: Site.slot("10:00", on: day(5)))
        #expect(try await found(nil) == day(3))
        #expect(try await found(day(1)) == nil)
        #expect(try await found(day(5)) == day(5))
    }
}
