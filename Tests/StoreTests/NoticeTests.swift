internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Notices of customers' phones, on every engine [rules: notices]", .stopsStores)
struct NoticeTests {
    @Test(
        "A call is a notice to each browser, which one server sends, and which is sent once",
        arguments: engines)
    func called(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let other = engine == .postgresql ? try site.store(isStepped: true) : store
        let tickets = try await store.tickets(3)
        for name in ["a", "b"] { try await store.subscribe(name, to: tickets[1].id) }
        try await store.subscribe("c", to: tickets[2].id)
        #expect(try await store.lease() == [])
        try await store.giveBack(tickets[0])
        let first = try await store.lease(atMost: 1)
        let second = try await other.lease()
        let all = (first + second).map { "\($0.reason.rawValue) \($0.subscription.recipient)" }
            .sorted()
        #expect(
            all.count == 2 && all[0].contains("https://push.example/a")
                && all[1].contains("https://push.example/b")
                && all.allSatisfy { $0.hasPrefix("called") })
        #expect(first.first?.record?.confirmation?.number.rawValue == tickets[1].number)
        #expect(try await other.lease() == [])
        try await store.end(first.map { NoticeEnd($0, .sent) })
        try await other.end(second.map { NoticeEnd($0, .unsent) })
        #expect(try site.count("SELECT count(*) FROM notice") == 0)
        #expect(
            try site.texts(
                "SELECT day || ' ' || kind || ' ' || sent || ' ' || unsent FROM notice_day")
                == ["2026-11-20 called 1 1"])
    }

    @Test(
        "A lease that no server ends is over after its time, and another server sends the notice",
        arguments: engines)
    func lease(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let tickets = try await store.tickets(2)
        try await store.subscribe("a", to: tickets[1].id)
        try await store.giveBack(tickets[0])
        let lost = try await store.lease()
        #expect(lost.map(\.tries) == [1])
        #expect(try await store.lease(at: 59) == [])
        let again = try await store.lease(at: 60)
        #expect(again.map(\.tries) == [2])
        // The first server comes back: its notice is the other one's now.
        try await store.end(lost.map { NoticeEnd($0, .sent) })
        #expect(try site.count("SELECT count(*) FROM notice") == 1)
        try await store.end(again.map { NoticeEnd($0, .later(.real(130))) })
        #expect(try await store.lease(at: 129) == [])
        #expect(try await store.lease(at: 130).map(\.tries) == [3])
    }

    @Test(
        "What was undone, or is out of date, is not sent; the newest notice replaces one on its way",
        arguments: engines)
    func undone(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let tickets = try await store.tickets(3)
        let mine = tickets[1]
        try await store.subscribe("a", to: mine.id)
        site.clock.pass(.seconds(1))
        try await store.giveBack(mine)
        #expect(try site.texts("SELECT kind FROM notice") == ["given-back"])
        site.clock.pass(.seconds(1))
        _ = try await store.words(.make(.undo(mine.id, .entry(mine.code))))
        #expect(try await store.taken(at: 0) == ["a restored"])
        site.clock.pass(.seconds(1))
        try await store.giveBack(tickets[0])
        let called = try await store.lease()
        #expect(called.map(\.reason) == [.place(.called)])
        site.clock.pass(.seconds(1))
        try await store.staff(.callAgain, mine.number)
        try await store.end(called.map { NoticeEnd($0, .sent) })
        let again = try await store.lease()
        #expect(again.map(\.reason) == [.place(.called)])
        try await store.end(again.map { NoticeEnd($0, .later(.real(5))) })
        // The customer is at the door before the notice is tried again.
        try await store.pass(mine, .entrance)
        #expect(try await store.lease(at: 100) == [])
    }

    @Test(
        "A missed call, a restored place and a shop that closes are notices too",
        arguments: engines)
    func others(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let tickets = try await store.tickets(3)
        try await store.subscribe("a", to: tickets[0].id)
        try await store.subscribe("b", to: tickets[2].id)
        site.clock.pass(.minutes(10))
        store.tick()
        #expect(try await store.taken(at: 0) == ["a missed"])
        site.clock.pass(.seconds(1))
        try await store.staff(.restore, tickets[0].number)
        #expect(try await store.taken(at: 0) == ["a restored"])
        site.clock.pass(.seconds(1))
        _ = try await store.words(.make(.staff(.sendHome)))
        #expect(try await store.taken(at: 0) == ["a closed", "b closed"])
        site.clock.pass(.seconds(1))
        _ = try await store.words(.make(.staff(.openAgain)))
        #expect(try await store.taken(at: 0) == ["a restored", "b restored"])
    }

    @Test(
        "A place has three browsers at most, a renewed one counts once, and an ended one gets nothing",
        arguments: engines)
    func three(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let tickets = try await store.tickets(2)
        for name in ["a", "b", "c", "a", "d"] {
            try await store.subscribe(name, to: tickets[1].id)
            site.clock.pass(.milliseconds(1))
        }
        #expect(try site.texts("SELECT id FROM subscription ORDER BY id") == ["a", "c", "d"])
        try await store.unsubscribe("c", from: tickets[1].id)
        try await store.giveBack(tickets[0])
        let due = try await store.lease()
        #expect(due.map(\.name.subscription).sorted() == ["a", "d"])
        try await store.end(due.map { NoticeEnd($0, $0.name.subscription == "a" ? .gone : .sent) })
        #expect(try site.texts("SELECT id FROM subscription") == ["d"])
        // It is forgotten a quarter of an hour after its place has ended.
        try await store.giveBack(tickets[1])
        site.clock.pass(.seconds(899))
        try site.prune()
        #expect(try site.count("SELECT count(*) FROM subscription") == 1)
        site.clock.pass(.seconds(1))
        try site.prune()
        #expect(try site.count("SELECT count(*) FROM subscription") == 0)
        #expect(try site.count("SELECT count(*) FROM notice") == 0)
    }

    @Test(
        "A call that is near, and one that comes later than shown, are written once by all servers",
        arguments: engines)
    func forecasts(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        let other = engine == .postgresql ? try site.store(isStepped: true) : store
        let tickets = try await store.tickets(4)
        try await store.subscribe("a", to: tickets[1].id)
        try await store.pass(tickets[0], .entrance)
        func look() async throws {
            store.tick()
            other.tick()
            try await store.watch()
            try await other.watch()
        }
        try await look()
        #expect(try await store.lease() == [])
        let shown = try site.count("SELECT shown_ms FROM subscription")
        #expect(shown > 0)
        // The customer inside stays longer than usual: the first moment comes nearer, and then moves on.
        var kinds: [String] = []
        var moved = shown
        for _ in 0..<180 {
            site.clock.pass(.minutes(1))
            try await look()
            let new = try await store.taken(at: 0)
            kinds += new
            guard new == ["a later"] else { continue }
            let next = try site.count("SELECT shown_ms FROM subscription")
            #expect(next > moved + 900_000)
            moved = next
        }
        #expect(moved > shown, "\(kinds)")
        #expect(kinds.filter { $0 != "a later" }.prefix(2) == ["a soon", "a called"], "\(kinds)")
    }

    @Test(
        "Two minutes before its slot a visit is a notice, once; so is that it has no place in changed hours",
        arguments: engines)
    func visit(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1, isStepped: true)
        _ = try await store.words(.make(.staff(.endTickets)))
        let id = try await store.visit("door-1").id
        let record = try #require(try await store.record(id))
        let slot = try #require(record.hold.visit?.start.moment)
        try await store.subscribe("a", to: id)
        site.clock.set(slot - .seconds(121))
        try await store.watch()
        #expect(try await store.lease() == [])
        site.clock.set(slot - .seconds(120))
        try await store.watch()
        try await store.watch()
        #expect(try await store.taken(at: 0) == ["a soon"])
        try site.administration().updateShop(site.shop, openings: [], cancelVisits: true)
        store.tick()
        let due = try await store.lease()
        #expect(due.map(\.reason) == [.place(.cancelled)])
        // As the sender of notices expects it.
        #expect(due.first?.record?.state == .deleted)
    }
}

extension Moment {
    /// So many seconds after the beginning of a test, by the real clock.
    static func real(_ seconds: Int) -> Moment {
        Moment(milliseconds: 1_800_000_000_000) + .seconds(seconds)
    }
}

extension QueueStore {
    func subscribe(
        _ name: String, to id: ReservationID, isProved: Bool = true
    ) async throws {
        try await subscribe(name, to: .place(id), isProved: isProved)
    }

    func subscribe(
        _ name: String, to subject: NoticeSubject, isProved: Bool = true
    ) async throws {
        let subscription = Subscription(
            id: name,
            .browser(endpoint: "https://push.example/\(name)", p256dh: "key", auth: "secret"),
            language: "it", isProved: isProved)
        _ = try await done { subscribe(subscription, to: subject, in: Site.shopID, completion: $0) }
    }

    func unsubscribe(_ name: String, from id: ReservationID) async throws {
        try await done { unsubscribe(name, from: .place(id), in: Site.shopID, completion: $0) }
    }

    /// Leases for a minute what is due at this second of the real clock.
    func lease(
        atMost count: Int = 100, at second: Int = 0
    ) async throws -> [LeasedNotice] {
        try await done {
            leaseNotices(
                atMost: count, at: .real(second), until: .real(second + 60), completion: $0)
        }
    }

    func end(_ ends: [NoticeEnd]) async throws {
        try await done { end(ends, completion: $0) }
    }

    /// Takes the notices that are due, as if they were sent: their browsers and kinds.
    func taken(at second: Int) async throws -> [String] {
        let due = try await lease(at: second)
        try await end(due.map { NoticeEnd($0, .sent) })
        return due.map { "\($0.name.subscription) \($0.reason.rawValue)" }.sorted()
    }

    func watch() async throws {
        if let failure = await answer({ watchNotices(completion: $0) }) { throw failure }
    }
}
