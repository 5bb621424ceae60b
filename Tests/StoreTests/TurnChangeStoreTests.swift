internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Places that customers change, on every engine [rules: giving-back, more-time]", .stopsStores)
struct TurnChangeStoreTests {
    /// How many people are ahead of each of these places; nil for one that does not wait.
    private func ahead(_ places: [TakenPlace], _ store: QueueStore) async throws -> [Int?] {
        var records: [ReservationRecord] = []
        for place in places { records.append(try #require(try await store.record(place.id))) }
        return store.found(records, of: Site.shopID).map { $0?.wait?.peopleAhead }
    }

    @Test(
        "A ticket that was given back returns to its place after a restart too, and is answered once",
        arguments: engines)
    func undo(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1)
        var store = try site.store()
        try await store.ticket("door-1")
        let mine = try await store.ticket("door-1")
        let behind = try await store.ticket("door-1")
        site.clock.pass(.seconds(1))
        func give(_ key: String) async throws -> [String] {
            try await store.words(
                .make(.delete(mine.id, .entry(mine.code)), key: key, holder: "place/mine"))
        }
        func undo(_ key: String) async throws -> [String] {
            try await store.words(
                .make(.undo(mine.id, .entry(mine.code)), key: key, holder: "place/mine"))
        }
        #expect(try await give("give")[0].hasPrefix("deleted"))
        store.stop()
        store = try site.restarted()
        site.clock.pass(.seconds(60))
        #expect(try await undo("undo")[0].hasPrefix("restored"))
        store.stop()
        store = try site.restarted()
        // The same requests get the same answers, and change nothing.
        #expect(try await give("give")[0].hasPrefix("deleted"))
        #expect(try await undo("undo")[0].hasPrefix("restored"))
        #expect(try await ahead([mine, behind], store) == [0, 1])
        #expect(
            try site.texts(
                "SELECT cause FROM reservation_event WHERE reservation_id = '\(mine.id)' ORDER BY at_ms"
            ) == ["requested", "confirmed", "withdrawn", "undone"])
        // Two minutes later it stays given back.
        #expect(try await give("again")[0].hasPrefix("deleted"))
        site.clock.pass(.seconds(120))
        #expect(try await undo("late") == ["refused", "already-deleted"])
    }

    @Test(
        "A delay, its undoing by another server, and a place that was taken back are kept over restarts",
        arguments: engines)
    func turnChanges(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1) {
            $0.allowsDelays = true
            $0.allowsReclaims = true
        }
        var store = try site.store()
        let called = try await store.ticket("door-1")
        let waiting = try await store.tickets(4)
        let mine = waiting[0]
        func restart() throws {
            store.stop()
            store = try site.restarted()
        }
        func delay(_ people: Int, _ key: String) async throws -> [String] {
            try await store.words(
                .make(.delay(mine.id, .entry(mine.code), people: people), key: key))
        }
        site.clock.pass(.seconds(1))
        #expect(try await delay(5, "five") == ["refused", "no-delay"])
        #expect(try await delay(2, "two") == ["changed", "2", "planned"])
        #expect(try await ahead(waiting, store) == [2, 0, 1, 3])
        try restart()
        // The same request gets the same answer, and changes nothing.
        #expect(try await delay(2, "two") == ["changed", "2", "planned"])
        #expect(try await ahead(waiting, store) == [2, 0, 1, 3])
        if engine == .postgresql {
            let other = try site.store()
            #expect(
                try await other.words(.make(.undo(mine.id, .entry(mine.code)), key: "undo"))
                    == ["changed", "2", "planned"])
            other.stop()
            store.tick()
        } else {
            _ = try await store.words(.make(.undo(mine.id, .entry(mine.code)), key: "undo"))
        }
        #expect(try await ahead(waiting, store) == [0, 1, 2, 3])
        site.clock.pass(.seconds(1))
        #expect(try await delay(3, "three") == ["refused", "no-delay"])
        #expect(try await delay(2, "again")[0] == "changed")
        try restart()
        #expect(try await ahead(waiting, store) == [2, 0, 1, 3])

        // The first customer does not come, and takes the place back before those who wait.
        site.clock.pass(.minutes(10))
        store.tick()
        #expect(
            try await store.words(.make(.reclaim(called.id, .entry(called.code)), key: "back"))
                == ["changed", "1", "planned"])
        try restart()
        #expect(
            try await store.words(.make(.reclaim(called.id, .entry(called.code)), key: "back"))
                == ["changed", "1", "planned"])
        #expect(try await ahead(waiting, store) == [2, nil, 1, 3])
        #expect(
            try site.texts(
                "SELECT cause FROM reservation_event WHERE reservation_id = '\(mine.id)' ORDER BY at_ms"
            ) == ["requested", "confirmed", "delayed", "undone", "delayed"])
    }
}
