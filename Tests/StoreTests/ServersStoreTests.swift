internal import PostgresStore
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Synchronization
internal import TestSupport
internal import Testing

internal import class TestSupport.Flag
internal import class TestSupport.PostgresServer

@Suite("Several servers on one database")
struct ServersStoreTests {
    /// Two servers' stores on one new database.
    private func two(capacity: Int = 1_000, server: PostgresServer? = nil) throws -> (
        site: Site, first: QueueStore, second: QueueStore
    ) {
        let site = try Site(.postgresql, capacity: capacity, server: server)
        return (site, try site.store(), try site.store())
    }

    @Test("Eight machines take 25 tickets each over two servers: no gap and no number twice")
    func tickets() async throws {
        let (site, first, second) = try two()
        let numbers = try await withThrowingTaskGroup { group in
            for machine in 0..<8 {
                group.addTask {
                    var numbers: [Int] = []
                    for round in 0..<25 {
                        // One server takes the place, the other one confirms it, and they take turns.
                        let (one, other) =
                            (machine + round).isMultiple(of: 2) ? (first, second) : (second, first)
                        let id = try await one.hold("m\(machine)")
                        let words = try await other.words(
                            .make(.confirm(id), machine: "m\(machine)"))
                        numbers.append(try #require(words.dropFirst().first.flatMap { Int($0) }))
                    }
                    #expect(
                        numbers == numbers.sorted(),
                        "an earlier acknowledgement has a smaller number")
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...200))
        #expect(try site.count("SELECT last_number FROM day_counter") == 200)
        #expect(try site.count("SELECT count(DISTINCT number) FROM reservation") == 200)
        first.stop()
        second.stop()
    }

    @Test("No place is given twice: two servers, a shop with one place, requests at the same time")
    func capacity() async throws {
        let (site, first, second) = try two(capacity: 1)
        try await withThrowingTaskGroup { group in
            for machine in 0..<8 {
                group.addTask {
                    let store = machine.isMultiple(of: 2) ? first : second
                    for _ in 0..<2 { try await store.ticket("m\(machine)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'called'") == 1)
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'planned'") == 15)
        first.stop()
        second.stop()
    }

    @Test("The same key at both servers at once gives one reservation and one answer")
    func sameKey() async throws {
        let (site, first, second) = try two()
        for round in 0..<10 {
            let results = await withTaskGroup { group in
                for index in 0..<8 {
                    let store = index.isMultiple(of: 2) ? first : second
                    group.addTask { await store.ask(.make(.hold(.ticket), key: "k\(round)")) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let answers = results.compactMap { result in
                if case .answered(let answer, _) = result { answer } else { nil }
            }
            #expect(answers.count == 8 && Set(answers).count == 1)
        }
        #expect(try site.count("SELECT count(*) FROM reservation") == 10)
        #expect(try site.count("SELECT count(*) FROM idempotency") == 10)
        first.stop()
        second.stop()
    }

    @Test("A signature that one server has accepted is refused by the other")
    func nonce() async throws {
        let (_, first, second) = try two()
        _ = try await first.words(.make(.hold(.ticket), nonce: "n"))
        #expect(await second.ask(.make(.hold(.ticket), nonce: "n")) == .nonceSeen)
        first.stop()
        second.stop()
    }

    @Test("Servers know their number, and pass on messages for open sockets to each other")
    func company() async throws {
        let (_, first, second) = try two()
        let areTwo = await eventually { first.servers == 2 && second.servers == 2 }
        #expect(areTwo)
        let got = Mutex<[String]>([])
        for (name, store) in [("first", first), ("second", second)] {
            store.observeMessages { shop, text in got.withLock { $0.append("\(name) \(text)") } }
        }
        first.send("one and more", to: Site.shopID)
        let one = await eventually { got.withLock { $0.count } >= 2 }
        second.send("two", to: Site.shopID)
        let two = await eventually { got.withLock { $0.count } >= 4 }
        #expect(one && two)
        let all = ["first one and more", "first two", "second one and more", "second two"]
        #expect(got.withLock { $0.sorted() } == all)
        second.stop()
        let isOne = await eventually { first.servers == 1 }
        #expect(isOne)
        first.stop()
    }

    @Test("A call by one server is shown by the other at once, and its observer is notified")
    func shown() async throws {
        let site = try Site(.postgresql, capacity: 1)
        // The stores do not look at the database by themselves: each knows only the notifications of the other.
        let first = try site.store(isStepped: true)
        let second = try site.store(isStepped: true)
        let reported = Mutex(0)
        second.observe { _ in reported.withLock { $0 += 1 } }
        let ticket = try await first.ticket()
        let isShown = await eventually {
            second.turns(of: Site.shopID)?.called.map(\.number.rawValue) == [ticket.number]
                && reported.withLock { $0 > 0 }
        }
        #expect(isShown)
        let next = try await first.ticket("door-2")
        let waits = await eventually { second.status(of: Site.shopID)?.waiting == 1 }
        #expect(waits)
        // A deletion at the other one removes the ticket from the first one's display.
        _ = try await second.words(.make(.delete(ticket.id, .entry(ticket.code))))
        let isNext = await eventually {
            first.turns(of: Site.shopID)?.called.map(\.number.rawValue) == [next.number]
        }
        #expect(isNext)
        first.stop()
        second.stop()
    }

    @Test("Servers start at once on an empty database: one migrates, both serve [fault 24]")
    func startAtOnce() async throws {
        let place = try PostgresServer.shared().database()
        let shops = try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try PostgresDatabase.open(
                        try PostgresAddress(place, password: nil))
                    return try Administration(database: database, now: { Site.at("10:00") }).shops()
                        .count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(shops == [0, 0, 0, 0])
        let database = PostgresDatabase(try PostgresAddress(place, password: nil))
        var versions: [Int64] = []
        try database.query(Query("SELECT version FROM schema_version"), []) {
            versions.append($0.integer(0))
        }
        #expect(versions == [Int64(Schema.version)])
    }

    @Test("A server that hangs while it holds a shop's lock loses it, and the others continue")
    func hanging() async throws {
        let site = try Site(.postgresql)
        let hanging = try site.open(for: .serve)
        try hanging.beginWrite()
        try hanging.query(
            Query("SELECT queue FROM change_sequence WHERE shop_id = 's1' FOR UPDATE"), []
        ) { _ in }
        let store = try site.store()
        var isServed = false
        for _ in 0..<10 where !isServed {
            // A lock that does not come in time is reported, and the same key is used again.
            if case .answered = await store.ask(.make(.hold(.ticket), key: "k")) { isServed = true }
        }
        #expect(isServed)
        let error = #expect(throws: StoreError.self) {
            try hanging.run(script: "SELECT 1")
        }
        #expect(error?.code == .lost)
        hanging.rollback()
        store.stop()
    }

    @Test(
        "PostgreSQL stopped as by a crash under load: errors, then recovery; D K U hold [fault 35]",
        arguments: ["fast", "immediate"])
    func restarted(mode: String) async throws {
        let server = try PostgresServer()
        let (site, first, second) = try two(server: server)
        let isOver = Flag()
        let (answers, failures) = (Counter(), Counter())
        let given = try await withThrowingTaskGroup(of: [Given].self) { group in
            for machine in 0..<6 {
                let store = machine.isMultiple(of: 2) ? first : second
                group.addTask {
                    try await Self.load(
                        store, machine: "m\(machine)", until: isOver,
                        answers: answers, failures: failures)
                }
            }
            for round in 1...3 {
                _ = await eventually { answers.value >= 10 * round }
                let failed = failures.value
                try server.stop(mode)
                #expect(await eventually { failures.value > failed })
                try server.restart(mode)
            }
            _ = await eventually { answers.value >= 40 }
            isOver.set()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(given.count > 20 && failures.value > 0)
        let numbers = given.compactMap { one in
            Int(String(decoding: one.answer.body, as: UTF8.self).split(separator: " ")[1])
        }
        #expect(Set(numbers).count == given.count)
        #expect(numbers.sorted() == Array(1...given.count))
        let stored = try site.texts("SELECT code FROM reservation WHERE number IS NOT NULL")
        for one in given {
            let code = String(decoding: one.answer.body, as: UTF8.self).split(separator: " ")[2]
            #expect(stored.contains(String(code)))
        }
        // Asked again at any server, each key still has its answer.
        for one in given.shuffled().prefix(50) {
            let again = await second.ask(
                .make(.confirm(ReservationID("any")), machine: one.machine, key: one.key))
            #expect(again == .answered(one.answer, replayed: true))
        }
        let isWell = await eventually { first.trouble() == nil && second.trouble() == nil }
        #expect(isWell)
        first.stop()
        second.stop()
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func add() { count.add(1, ordering: .relaxed) }
    }

    private struct Given: Sendable {
        let machine: String
        let key: String
        let answer: StoredAnswer
    }

    /// Takes tickets as a kiosk does, repeating the same key until there is an answer.
    private static func load(
        _ store: QueueStore, machine: String, until isOver: Flag, answers: Counter,
        failures: Counter
    ) async throws -> [Given] {
        func insist(_ command: MachineRequest, _ key: String) async throws -> StoredAnswer {
            while true {
                let result = await store.ask(.make(command, machine: machine, key: key))
                if case .answered(let answer, _) = result { return answer }
                guard case .unavailable = result else { throw SiteError.unexpected("\(result)") }
                failures.add()
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        var given: [Given] = []
        while !isOver.isSet {
            let held = try await insist(.hold(.ticket), fresh("h"))
            let id = String(decoding: held.body, as: UTF8.self).split(separator: " ")[1]
            let key = fresh("c")
            let answer = try await insist(.confirm(ReservationID(String(id))), key)
            given.append(Given(machine: machine, key: key, answer: answer))
            answers.add()
        }
        return given
    }

    @Test("A server that is read-only is recognised, and another one is used")
    func readOnly() async throws {
        let site = try Site(.postgresql)
        let store = try site.store()
        try await store.ticket()
        let name = try site.texts("SELECT current_database()")[0]
        // As a primary that became a standby; existing sessions work until their next transaction.
        try site.run("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        let administrator = PostgresDatabase(
            try PostgresAddress(site.place + "&target_session_attrs=any", password: nil))
        try administrator.run(
            script: """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        let request = AuthenticatedRequest.make(.hold(.ticket), key: "k")
        guard case .unavailable(let error) = await store.ask(request) else {
            throw SiteError.unexpected("answered")
        }
        // It is skipped when the store connects, or it refuses the transaction.
        #expect(error.code == .lost || error.code == .readOnly)
        try administrator.run(
            script: """
                BEGIN READ WRITE;
                ALTER DATABASE \(name) SET default_transaction_read_only = off;
                COMMIT
                """)
        var words: [String] = []
        for _ in 0..<50 where words.isEmpty {
            words = (try? await store.words(.make(.hold(.ticket), key: "k"))) ?? []
        }
        #expect(words.first == "held")
        #expect(try await store.ticket().number == 2)
        store.stop()
    }
}
