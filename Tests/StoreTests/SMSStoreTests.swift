internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("SMS, on every engine [rules 38]")
struct SMSStoreTests {
    /// A shop of one place that may have so many SMS a day.
    private func site(_ engine: StoreEngine, perDay: Int = 5) throws -> Site {
        let site = try Site(engine, capacity: 1)
        let administration = Administration(database: try site.open(for: .administer)) {
            site.clock.now
        }
        for var shop in try administration.shops() where shop.id == Site.shopID {
            shop.policy.phones.smsPerDay = perDay
            try administration.updateShop(shop)
        }
        return site
    }

    @Test(
        "A shop's SMS of the day are counted exactly, by all servers together",
        arguments: StoreEngine.allCases)
    func budget(_ engine: StoreEngine) async throws {
        let site = try site(engine)
        let store = try site.store()
        let other = engine == .postgresql ? try site.store() : store
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask { try await (number % 2 == 0 ? store : other).takeSMS() }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 5)
        #expect(try await other.smsToday() == SMSOfDay(sent: 5, most: 5))
        store.returnSMS(of: Site.shopID, on: Site.day, isCode: false)
        #expect(try await store.smsToday() == SMSOfDay(sent: 4, most: 5))
        #expect(try await store.takeSMS())
        #expect(try await !store.takeSMS())
        site.clock.pass(.seconds(86_400))
        #expect(try await store.smsToday() == SMSOfDay(sent: 0, most: 5))
        let counts = try Administration(database: site.open(for: .administer)) { site.clock.now }
            .smsCounts(of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 9))
        #expect(counts.map(\.sent) == [5])
        #expect(counts.map(\.day) == [Site.day])
        store.stop()
        other.stop()
    }

    @Test(
        "Codes are half of a shop's SMS at most: the others are for those who were promised some",
        arguments: StoreEngine.allCases)
    func codes(_ engine: StoreEngine) async throws {
        let store = try site(engine).store()
        var taken = 0
        for _ in 0..<5 where try await store.takeSMS(isCode: true) { taken += 1 }
        #expect(taken == 3)
        store.returnSMS(of: Site.shopID, on: Site.day, isCode: true)
        #expect(try await store.takeSMS(isCode: true))
        #expect(try await !store.takeSMS(isCode: true))
        #expect(try await store.takeSMS())
        #expect(try await store.takeSMS())
        #expect(try await !store.takeSMS())
        store.stop()
    }

    @Test(
        "A number may do each thing so often within a day, whatever server it asks",
        arguments: StoreEngine.allCases)
    func permissions(_ engine: StoreEngine) async throws {
        let site = try site(engine)
        let store = try site.store()
        let other = engine == .postgresql ? try site.store() : store
        #expect(try await store.permit(.attempt, to: "a") == .noCode, "no code was sent to it")
        for use in SMSUse.allCases {
            let given = try await withThrowingTaskGroup(of: SMSPermission.self) { group in
                for number in 0..<(use.most + 4) {
                    group.addTask {
                        try await (number % 2 == 0 ? store : other).permit(use, to: "a")
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 == .given ? 1 : 0 }
            }
            #expect(given == use.most, "\(use)")
            #expect(try await other.permit(use, to: "a") == .usedUp)
            #expect(try await other.permit(use, to: "b") == .given)
        }
        store.giveBack(.code, to: "a")
        #expect(try await store.permit(.code, to: "a") == .given)
        #expect(try await store.permit(.code, to: "a") == .usedUp)
        #expect(try await store.permit(nil, to: "a") == .given, "this asks for nothing")
        site.clock.pass(.seconds(86_399))
        #expect(try await store.permit(.code, to: "a") == .usedUp)
        site.clock.pass(.seconds(2))
        #expect(try await store.permit(.code, to: "a") == .given)
        store.stop()
        other.stop()
    }

    @Test(
        "STOP ends the SMS of all shops and is remembered for 90 days, other numbers for a day",
        arguments: StoreEngine.allCases)
    func stop(_ engine: StoreEngine) async throws {
        let site = try site(engine)
        let store = try site.store(isStepped: true)
        var tickets: [(id: ReservationID, number: Int, code: EntryCode)] = []
        for _ in 0..<12 { tickets.append(try await store.ticket("door-1")) }
        for ticket in tickets { try await store.subscribe(number: "a", to: ticket.id) }
        try await store.subscribe("browser", to: tickets[1].id)
        try await store.subscribe(number: "c", to: tickets[0].id)
        #expect(try site.count("SELECT count(*) FROM subscription") == 13, "one number each")
        _ = try await store.permit(.code, to: "b")
        try await store.stopSMS(true, to: "a")
        #expect(try await store.hasSMS(tickets[0].id))
        #expect(try await !store.hasSMS(tickets[1].id))
        #expect(try site.count("SELECT count(*) FROM subscription") == 2)
        #expect(try await store.permit(nil, to: "a") == .stopped)
        #expect(try await store.permit(.code, to: "a") == .stopped)
        func prune() throws {
            _ = try Pruning(database: site.open(for: .administer))
                .prune(Site.shopID, before: Site.day, at: site.clock.now, pause: {})
        }
        site.clock.pass(.seconds(86_401))
        try prune()
        #expect(try site.texts("SELECT digest FROM sms_number") == ["a"])
        let numbers = "SELECT id FROM subscription WHERE id <> 'browser'"
        #expect(try site.texts(numbers) == ["sms/c"], "it is kept as long as its place")
        store.tick()
        site.clock.pass(.minutes(16))
        try prune()
        #expect(try site.texts(numbers) == [])
        site.clock.pass(.seconds(90 * 86_400))
        try prune()
        #expect(try site.count("SELECT count(*) FROM sms_number") == 0)
        store.stop()
    }

    @Test(
        "A day after a place has ended it says no more which number had it",
        arguments: StoreEngine.allCases)
    func forgotten(_ engine: StoreEngine) async throws {
        let site = try site(engine)
        let administration = Administration(database: try site.open(for: .administer)) {
            site.clock.now
        }
        for var shop in try administration.shops() where shop.id == Site.shopID {
            shop.policy.phones.hasPlaces = true
            shop.policy.phones.sharePercent = 100
            shop.policy.capacity = 4
            try administration.updateShop(shop)
        }
        let store = try site.store(isStepped: true)
        for holder in ["number/a", "device/b"] {
            let held = try await store.words(.make(.hold(.ticket), holder: holder))
            _ = try await store.words(.make(.confirm(ReservationID(held[1])), holder: holder))
        }
        func holders() throws -> [String] {
            try site.texts("SELECT holder FROM reservation ORDER BY holder DESC")
        }
        #expect(try holders() == ["number/a", "device/b"])
        // Both are called, and do not come.
        for _ in 0..<3 {
            site.clock.pass(.minutes(10))
            store.tick()
        }
        #expect(try holders() == ["number/a", "device/b"])
        site.clock.pass(.seconds(86_400))
        _ = try Pruning(database: site.open(for: .administer))
            .prune(Site.shopID, before: Site.day, at: site.clock.now, pause: {})
        #expect(try holders() == ["device/b", ""])
        #expect(
            try site.texts("SELECT holder FROM no_show ORDER BY holder")
                == ["device/b", "number/a"])
        store.stop()
    }

    @Test(
        "A number gets the notices of its place as a browser does, and another one takes its place",
        arguments: StoreEngine.allCases)
    func notices(_ engine: StoreEngine) async throws {
        let site = try site(engine)
        let store = try site.store(isStepped: true)
        let tickets = [try await store.ticket("door-1"), try await store.ticket("door-1")]
        for name in ["x", "y", "z"] { try await store.subscribe(name, to: tickets[1].id) }
        try await store.subscribe(number: "a", to: tickets[1].id)
        try await store.subscribe(number: "b", to: tickets[1].id)
        _ = try await store.words(.make(.delete(tickets[0].id, .entry(tickets[0].code))))
        let leased = try await store.lease()
        #expect(
            leased.map(\.subscription.id).sorted()
                == [Subscription.nameOfNumber("b"), "x", "y", "z"])
        let number = try #require(leased.first { $0.subscription.id.hasSuffix("b") })
        #expect(number.reason == .place(.called))
        #expect(number.subscription.recipient == .number(sealed: "sealed b"))
        #expect(try await store.places(of: "b").map(\.record.hold.id) == [tickets[1].id])
        #expect(try await store.places(of: "a").isEmpty)
        try await store.endSMS(tickets[1].id)
        #expect(try await store.places(of: "b").isEmpty)
        #expect(try site.count("SELECT count(*) FROM notice") == 3)
        store.stop()
    }
}

extension QueueStore {
    private func done<Value: Sendable>(
        _ work: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedContinuation { done in work { done.resume(returning: $0) } }.get()
    }

    func takeSMS(isCode: Bool = false) async throws -> Bool {
        try await done { takeSMS(of: Site.shopID, isCode: isCode, completion: $0) } != nil
    }

    func smsToday() async throws -> SMSOfDay {
        try await done { smsToday(of: Site.shopID, completion: $0) }
    }

    func permit(_ use: SMSUse?, to digest: String) async throws -> SMSPermission {
        while true {
            do {
                return try await done { permit(use, to: digest, completion: $0) }
            } catch let error as StoreError where error.code == .busy {
                // On a busy computer another server may keep the row for longer than the database lets this one wait.
                continue
            }
        }
    }

    func stopSMS(_ isStopped: Bool, to digest: String) async throws {
        try await done { stopSMS(isStopped, to: digest, completion: $0) }
    }

    func hasSMS(_ place: ReservationID) async throws -> Bool {
        try await done { hasSMS(place, in: Site.shopID, completion: $0) }
    }

    func endSMS(_ place: ReservationID) async throws {
        _ = try await done { endSMS(place, in: Site.shopID, completion: $0) }
    }

    func places(of digest: String) async throws -> [PlaceOfNumber] {
        try await done { places(of: digest, completion: $0) }
    }

    func subscribe(number digest: String, to place: ReservationID) async throws {
        let subscription = Subscription(
            id: Subscription.nameOfNumber(digest), .number(sealed: "sealed \(digest)"),
            language: "it", isProved: true)
        _ = try await done {
            subscribe(subscription, to: .place(place), in: Site.shopID, completion: $0)
        }
    }
}
