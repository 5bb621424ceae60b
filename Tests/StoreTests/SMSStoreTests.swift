internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("SMS, on every engine [rules: sms, telephone-numbers, confirmed-numbers]", .stopsStores)
struct SMSStoreTests {
    /// A shop that may have five SMS a day.
    private func site(_ engine: StoreEngine, capacity: Int = 1) throws -> Site {
        try Site(engine, capacity: capacity) {
            $0.phones.smsPerDay = 5
            $0.phones.hasPlaces = capacity > 1
            $0.phones.sharePercent = capacity > 1 ? 100 : $0.phones.sharePercent
        }
    }

    @Test(
        "A shop's SMS of the day are counted exactly, by all servers together",
        arguments: engines)
    func budget(_ engine: StoreEngine) async throws {
        let (site, store) = try site(engine).serving()
        let other = engine == .postgresql ? try site.store() : store
        let taken = try await atOnce(0..<12) {
            try await ($0 % 2 == 0 ? store : other).takeSMS()
        }
        #expect(taken.count(where: \.self) == 5)
        #expect(try await other.smsToday() == SMSOfDay(sent: 5, most: 5))
        store.returnSMS(of: Site.shopID, on: Site.day, isCode: false)
        #expect(try await store.smsToday() == SMSOfDay(sent: 4, most: 5))
        #expect(try await store.takeSMS())
        #expect(try await !store.takeSMS())
        site.clock.pass(.seconds(86_400))
        #expect(try await store.smsToday() == SMSOfDay(sent: 0, most: 5))
        let counts = try site.administration()
            .smsCounts(of: Site.shopID, from: Site.day, to: Site.day.advanced(by: 9))
        #expect(counts.map(\.sent) == [5])
        #expect(counts.map(\.day) == [Site.day])
    }

    @Test(
        "Codes are half of a shop's SMS at most: the others are for those who were promised some",
        arguments: engines)
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
    }

    @Test(
        "A number may do each thing so often within a day, whatever server it asks",
        arguments: engines)
    func permissions(_ engine: StoreEngine) async throws {
        let (site, store) = try site(engine).serving()
        let other = engine == .postgresql ? try site.store() : store
        #expect(try await store.permit(.attempt, to: "a") == .noCode, "no code was sent to it")
        for use in SMSUse.allCases {
            let permissions = try await atOnce(0..<(use.most + 4)) {
                try await ($0 % 2 == 0 ? store : other).permit(use, to: "a")
            }
            #expect(permissions.count { $0 == .given } == use.most, "\(use)")
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
    }

    @Test(
        "STOP ends the SMS of all shops and is remembered for 90 days, other numbers for a day",
        arguments: engines)
    func stop(_ engine: StoreEngine) async throws {
        let (site, store) = try site(engine).serving(isStepped: true)
        let tickets = try await store.tickets(12)
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
        site.clock.pass(.seconds(86_401))
        try site.prune()
        #expect(try site.texts("SELECT digest FROM sms_number") == ["a"])
        let numbers = "SELECT id FROM subscription WHERE id <> 'browser'"
        #expect(try site.texts(numbers) == ["sms/c"], "it is kept as long as its place")
        store.tick()
        site.clock.pass(.minutes(16))
        try site.prune()
        #expect(try site.texts(numbers) == [])
        site.clock.pass(.seconds(90 * 86_400))
        try site.prune()
        #expect(try site.count("SELECT count(*) FROM sms_number") == 0)
    }

    @Test("A day after a place has ended it says no more which number had it", arguments: engines)
    func forgotten(_ engine: StoreEngine) async throws {
        let (site, store) = try site(engine, capacity: 4).serving(isStepped: true)
        for holder in ["number/a", "device/b"] {
            try await store.ticket(holder: holder)
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
        try site.prune()
        #expect(try holders() == ["device/b", ""])
        #expect(
            try site.texts("SELECT holder FROM no_show ORDER BY holder")
                == ["device/b", "number/a"])
    }

    @Test(
        "A number gets the notices of its place as a browser does, and another one takes its place",
        arguments: engines)
    func notices(_ engine: StoreEngine) async throws {
        let (site, store) = try site(engine).serving(isStepped: true)
        let tickets = [try await store.ticket("door-1"), try await store.ticket("door-1")]
        for name in ["x", "y", "z"] { try await store.subscribe(name, to: tickets[1].id) }
        try await store.subscribe(number: "a", to: tickets[1].id)
        try await store.subscribe(number: "b", to: tickets[1].id)
        try await store.giveBack(tickets[0])
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
    }
}

extension QueueStore {
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
