internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Every engine")
struct ConformanceTests {
    @Test(
        "The same key and request give the same answer byte for byte",
        arguments: StoreEngine.allCases)
    func sameKey(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let id = try await store.hold()
        let first = await store.ask(.make(.confirm(id), key: "k"))
        guard case .answered(let answer, replayed: false) = first else {
            throw SiteError.unexpected("\(first)")
        }
        #expect(await store.ask(.make(.confirm(id), key: "k")) == .answered(answer, replayed: true))
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'called'") == 1)
        store.stop()
    }

    @Test(
        "The same key from eight threads at once takes one place", arguments: StoreEngine.allCases)
    func parallelKey(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let results = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { await store.ask(.make(.hold(.ticket), key: "same")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let answers = results.compactMap { result in
            if case .answered(let answer, _) = result { answer } else { nil }
        }
        #expect(answers.count == 8 && Set(answers).count == 1)
        let replayed = results.count {
            if case .answered(_, let replayed) = $0 { replayed } else { false }
        }
        #expect(replayed == 7)
        #expect(try site.count("SELECT count(*) FROM reservation") == 1)
        #expect(try site.count("SELECT count(*) FROM nonce") == 8)
        store.stop()
    }

    @Test(
        "The same key with another request is refused and changes nothing",
        arguments: StoreEngine.allCases)
    func keyReused(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        _ = await store.ask(.make(.hold(.ticket), key: "k"))
        let other = await store.ask(.make(.hold(.ticket), key: "k", fingerprint: [9]))
        #expect(other == .keyReused)
        #expect(try site.count("SELECT count(*) FROM reservation") == 1)
        // Another machine may use the same text as its key.
        #expect(
            try await store.words(.make(.hold(.ticket), machine: "door-2", key: "k"))[0] == "held")
        store.stop()
    }

    @Test("A refusal is also stored as the answer of its key", arguments: StoreEngine.allCases)
    func refusalStored(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        site.clock.set(Site.at("21:00"))
        let first = await store.ask(.make(.hold(.ticket), key: "k"))
        site.clock.set(Site.at("10:00", day: Site.day.advanced(by: 1)))
        guard case .answered(let answer, _) = first else { throw SiteError.unexpected("\(first)") }
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("refused shop-closed"))
        #expect(
            await store.ask(.make(.hold(.ticket), key: "k")) == .answered(answer, replayed: true))
        store.stop()
    }

    @Test("A nonce is accepted once, after a restart too", arguments: StoreEngine.allCases)
    func nonce(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        _ = try await store.words(.make(.hold(.ticket), nonce: "n"))
        #expect(await store.ask(.make(.hold(.ticket), nonce: "n")) == .nonceSeen)
        // A retry has a new signature, and its nonce is used up as well.
        _ = await store.ask(.make(.hold(.ticket), key: "k", nonce: "n2"))
        _ = await store.ask(.make(.hold(.ticket), key: "k", nonce: "n3"))
        #expect(await store.ask(.make(.hold(.ticket), nonce: "n3")) == .nonceSeen)
        #expect(
            try await store.words(.make(.hold(.ticket), machine: "door-2", nonce: "n"))[0] == "held"
        )
        store.stop()
    }

    @Test(
        "Tickets taken from many threads have numbers without gaps or repeats",
        arguments: StoreEngine.allCases)
    func parallelTickets(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let numbers = try await withThrowingTaskGroup { group in
            for machine in 0..<16 {
                group.addTask {
                    var numbers: [Int] = []
                    for _ in 0..<20 { numbers.append(try await store.ticket("m\(machine)").number) }
                    #expect(
                        numbers == numbers.sorted(),
                        "an earlier acknowledgement has a smaller number")
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...320))
        #expect(
            try site.count("SELECT count(DISTINCT number) FROM reservation WHERE day='2026-11-20'")
                == 320)
        #expect(try site.count("SELECT last_number FROM day_counter") == 320)
        #expect(try site.count("SELECT count(DISTINCT typed_code) FROM reservation") == 320)
        store.stop()
    }

    @Test(
        "Released, expired and replaced holds are in the database with their causes",
        arguments: StoreEngine.allCases)
    func causes(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let released = try await store.hold()
        #expect(try await store.words(.make(.release(released))) == ["released"])
        _ = try await store.hold()
        _ = try await store.hold()
        site.clock.pass(.minutes(4))
        let ticket = try await store.ticket("door-2")
        _ = try await store.words(.make(.delete(ticket.id, .entry(ticket.code))))
        #expect(ticket.number == 1)
        let causes = try site.texts(
            "SELECT cause FROM reservation ORDER BY created_ms, state_ms, cause")
        #expect(causes == ["cancelled", "replaced", "lapsed", "declined"])
        #expect(try site.count("SELECT count(*) FROM reservation_event") == 10)
        #expect(
            try site.count("SELECT count(*) FROM reservation_event WHERE former_state IS NULL") == 4
        )
        store.stop()
    }

    @Test("A restart keeps holds, numbers, answers and waits", arguments: StoreEngine.allCases)
    func restart(_ engine: StoreEngine) async throws {
        let site = try Site(engine, capacity: 1)
        var store = try site.store()
        let open = try await store.hold("door-1")
        let gone = try await store.ticket("door-2")
        try await store.ticket("door-2")
        site.clock.pass(.seconds(1))
        _ = try await store.words(.make(.delete(gone.id, .entry(gone.code)), key: "k"))
        let before = store.status(of: Site.shopID)
        #expect(before?.wait?.peopleAhead == 1)
        store.stop()
        #expect(await store.ask(.make(.hold(.ticket))) == .unavailable(.stopped))
        store = try site.store(
            on: FaultyDatabase(try site.open(for: .administer), plan: FaultPlan()))
        let after = store.status(of: Site.shopID)
        #expect(after?.waiting == before?.waiting && after?.calling == before?.calling)
        #expect(after?.wait?.peopleAhead == before?.wait?.peopleAhead)
        #expect(
            await store.ask(.make(.delete(gone.id, .entry(gone.code)), key: "k"))
                == .answered(
                    StoredAnswer(
                        status: 200, contentType: "text/plain",
                        body: Array("deleted(\(gone.id))".utf8)), replayed: true))
        #expect(try await store.words(.make(.confirm(open)))[1] == "3")
        store.stop()
    }

    @Test("Numbers begin again at 1 on the next day", arguments: StoreEngine.allCases)
    func nextDay(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        #expect(try await store.ticket().number == 1)
        #expect(try await store.ticket().number == 2)
        site.clock.set(Site.at("08:00", day: Site.day.advanced(by: 1)))
        #expect(try await store.ticket().number == 1)
        // If the clock jumps back, the day is as it was.
        site.clock.set(Site.at("12:00"))
        #expect(try await store.ticket().number == 3)
        store.stop()
    }

    @Test(
        "A confirmation with a new key answers the existing reservation",
        arguments: StoreEngine.allCases)
    func confirmAgain(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let id = try await store.hold()
        let first = try await store.words(.make(.confirm(id)))
        #expect(try await store.words(.make(.confirm(id))) == first)
        #expect(try await store.words(.make(.confirm(id), machine: "door-2"))[1] == "not-found")
        store.stop()
    }

    @Test("A code that was given is not given again", arguments: StoreEngine.allCases)
    func typedCodes(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let database = try site.open(for: .serve)
        let bytes = RepeatingBytes([UInt8](repeating: 7, count: 8))
        let store = try QueueStore(
            database: database, now: { [clock = site.clock] in clock.now },
            openings: { _, now in
                [
                    OpenInterval(
                        opens: LocalMoment(now - .minutes(60), offsetMinutes: 60),
                        closes: LocalMoment(now + .minutes(600), offsetMinutes: 60))
                ]
            },
            local: { moment, _ in LocalMoment(moment, offsetMinutes: 60) },
            randomBytes: { count in bytes.next(count) })
        for _ in 1...3 { try await store.ticket() }
        #expect(try site.count("SELECT count(DISTINCT typed_code) FROM reservation") == 3)
        store.stop()
    }

    @Test(
        "Expired nonces and old answers are deleted, live ones are kept",
        arguments: StoreEngine.allCases)
    func pruning(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        for _ in 1...5 { try await store.ticket() }
        #expect(try site.count("SELECT count(*) FROM nonce") == 10)
        // A clock that is set deletes none, and two minutes are too short.
        site.clock.set(site.clock.now + .seconds(3 * 86_400))
        _ = await store.ask(.make(.hold(.ticket), at: site.clock.now))
        #expect(try site.count("SELECT count(*) FROM nonce") == 11)
        site.clock.pass(.seconds(120))
        _ = await store.ask(.make(.hold(.ticket), at: site.clock.now))
        #expect(try site.count("SELECT count(*) FROM nonce") == 12)
        // Then all are deleted that existed at the first deletion or came soon after it.
        site.clock.pass(.seconds(3 * 86_400))
        _ = await store.ask(.make(.hold(.ticket), at: site.clock.now))
        #expect(try site.count("SELECT count(*) FROM nonce") == 1)
        #expect(try site.count("SELECT count(*) FROM idempotency") == 1)
        #expect(try site.count("SELECT count(*) FROM reservation WHERE cause = 'missed'") == 5)
        store.stop()
    }

    @Test(
        "Beyond its maximum queue the store answers unavailable at once",
        arguments: StoreEngine.allCases
    )
    func overload(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let results = await withTaskGroup { group in
            // The first answer is held back, so the rest must wait in the queue.
            let gate = Gate()
            group.addTask {
                var first = AuthenticatedRequest.make(.hold(.ticket))
                let answer = first.answer
                first.answer = { result, now in
                    gate.wait()
                    return answer(result, now)
                }
                return await store.ask(first)
            }
            group.addTask {
                await gate.reached()
                let counted = Counted(QueueStore.maxWaiting + 50)
                for _ in 0..<(QueueStore.maxWaiting + 50) {
                    store.perform(.make(.release(ReservationID("none")))) { counted.add($0) }
                }
                gate.open()
                return await counted.last()
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(
            results.contains {
                if case .unavailable(let error) = $0 { error.code == .overloaded } else { false }
            })
        #expect(try site.count("SELECT count(*) FROM idempotency") == QueueStore.maxWaiting + 1)
        store.stop()
    }

    @Test("An unknown shop is reported, and disturbs no other", arguments: StoreEngine.allCases)
    func unknownShop(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        var request = AuthenticatedRequest.make(.hold(.ticket))
        request.shop = ShopID("nowhere")
        guard case .unavailable(let error) = await store.ask(request) else {
            throw SiteError.unexpected("answered")
        }
        #expect(error.code == .unknownShop)
        #expect(try await store.ticket().number == 1)
        #expect(store.status(of: ShopID("nowhere")) == nil && store.trouble() == nil)
        store.stop()
    }
}

extension StoreError {
    /// The answer of a stopped store.
    static let stopped = StoreError(
        .stopped, operation: "queue a command", "the store is stopping")
}
