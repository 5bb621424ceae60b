internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Midnight in a shop that stays open, in every engine", .stopsStores)
struct MidnightStoreTests {
    private let midnight = Site.at("00:00", day: Site.tomorrow)

    @Test(
        "Places and numbers live on, also over a restart; numbers that are left out are no gaps, and the staff find both days' numbers",
        arguments: engines)
    func livesOn(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1)
        site.clock.set(Site.at("23:55"))
        let (tickets, before) = try await site.serve(isAlwaysOpen: true) { first in
            let tickets = try await first.tickets(3)
            try await first.pass(tickets[0], .entrance)
            site.clock.set(midnight + .minutes(1))
            first.tick()
            #expect(try await first.tickets(2).map(\.number) == [1, 4], "2 and 3 wait")
            return (tickets, first.status(of: Site.shopID))
        }
        #expect(
            try site.texts(
                "SELECT day || ' ' || last_number || ' ' || moved_away FROM day_counter ORDER BY day"
            ) == ["2026-11-20 3 0", "2026-11-21 4 2"])
        #expect(try site.findings(since: Site.day) == [])
        #expect(try site.findings(since: Site.tomorrow).count == 3, "of the day before")

        let store = try site.store(isAlwaysOpen: true)
        let after = store.status(of: Site.shopID)
        #expect(after?.calling == before?.calling && after?.isOpen == true)
        #expect(after?.waiting == 4 && before?.waiting == 4)
        try await store.staff(.delete, 2)
        #expect(try await store.record(tickets[1].id)?.state == .deleted)
        // The number of a customer who waits is meant before that of one who is inside since yesterday.
        try await store.staff(.delete, 1)
        #expect(try await store.record(tickets[0].id)?.state == .active)
        #expect(store.status(of: Site.shopID)?.waiting == 2)

        // A number of yesterday that waits no more is meant for an hour.
        let two = try #require(QueueNumber(rawValue: 2))
        let restored = AuthenticatedRequest.make(.staff(.reservation(.restore, two)))
        #expect(try await store.words(restored)[1] != "not-found")
        site.clock.pass(.minutes(61))
        let late = AuthenticatedRequest.make(.staff(.reservation(.restore, two)), key: "late")
        #expect(try await store.words(late) == ["refused", "not-found"])
    }

    @Test(
        "A phone whose ticket waits since yesterday gets none in another shop", arguments: engines)
    func oneEach(_ engine: StoreEngine) async throws {
        let site = try Site.givingVisits(engine)
        site.clock.set(midnight - .minutes(2))
        let store = try site.store(isAlwaysOpen: true)
        _ = try await store.ticket(holder: "a")
        site.clock.set(midnight + .minutes(2))
        let refused = ["refused", "already-waiting", "s1", "1"]
        #expect(try await store.asks("a", in: Site.other) == refused)
        #expect(try await store.asks("a") == refused)
        site.clock.set(midnight + .minutes(12))
        store.tick()
        #expect(try await store.asks("a", in: Site.other)[0] == "held", "it was missed")

        // Asked for before midnight, and confirmed after it.
        site.clock.set(midnight - .minutes(1))
        let hold = try await store.hold(holder: "b")
        site.clock.set(midnight + .minutes(1))
        try await store.confirm(hold, holder: "b")
        #expect(
            try site.texts("SELECT day FROM reservation WHERE holder = 'b'") == ["2026-11-21"])
        #expect(try await store.asks("b", in: Site.other)[1] == "already-waiting")
    }

    @Test(
        "Orders whose customers are here stay at the desk, and their numbers are given to no others",
        arguments: engines)
    func orders(_ engine: StoreEngine) async throws {
        let site = try Site.withDesks(engine)
        site.clock.set(midnight - .minutes(2))
        let store = try site.store(isAlwaysOpen: true)
        let here = try await site.arrivals(["A", "B"], on: store)
        site.clock.set(midnight + .minutes(2))
        let late = try site.announce(["C"])[0]
        let came = try await site.arrive(late, on: store)
        #expect(came.prefix(3) == ["came", "arrived", "C-003"])
        try await site.ready(here[0], on: store)
        site.clock.set(midnight + .minutes(20))
        store.tick()
        #expect(try site.states(of: here[1].id).last?.hasPrefix("arrived") == true)
        // Half a day later they have gone home.
        site.clock.pass(.minutes(12 * 60))
        store.tick()
        #expect(try site.states(of: here[1].id).last?.hasPrefix("on-shelf") == true)
        try await site.expectPossibleOrders()
    }
}
