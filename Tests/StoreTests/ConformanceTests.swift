internal import Dispatch
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Synchronization
internal import Testing

internal import class TestSupport.Flag
internal import func TestSupport.eventually

@Suite("Every engine", .stopsStores)
struct ConformanceTests {
    @Test(
        "The same key and request give the same answer byte for byte, a refusal too; a new key the same place",
        arguments: engines)
    func sameKey(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let id = try await store.hold()
        let first = await store.ask(.make(.confirm(id), key: "k"))
        let answer = try #require(first.answer)
        #expect(!first.isReplayed)
        #expect(await store.ask(.make(.confirm(id), key: "k")) == .answered(answer, replayed: true))
        #expect(try site.count("SELECT count(*) FROM reservation WHERE state = 'called'") == 1)
        #expect(try await store.words(.make(.confirm(id))) == store.words(of: first))
        #expect(try await store.words(.make(.confirm(id), machine: "door-2"))[1] == "not-found")
        site.clock.set(Site.at("21:00"))
        let closed = await store.ask(.make(.hold(.ticket), key: "late"))
        site.clock.set(Site.at("10:00", day: Site.day.advanced(by: 1)))
        let refusal = try #require(closed.answer)
        #expect(String(decoding: refusal.body, as: UTF8.self).hasPrefix("refused shop-closed"))
        #expect(
            await store.ask(.make(.hold(.ticket), key: "late"))
                == .answered(refusal, replayed: true))
    }

    @Test(
        "The same key from eight threads at once, and at several servers, takes one place",
        arguments: StoreServers.all)
    func parallelKey(_ servers: StoreServers) async throws {
        let (site, stores) = try servers.serving()
        for round in 0..<10 {
            let results = try await atOnce(0..<8) { index in
                await stores[index % stores.count].ask(.make(.hold(.ticket), key: "k\(round)"))
            }
            #expect(Set(results.map(\.answer)).count == 1 && results[0].answer != nil)
            #expect(results.count(where: \.isReplayed) == 7)
        }
        #expect(try site.count("SELECT count(*) FROM reservation") == 10)
        #expect(try site.count("SELECT count(*) FROM idempotency") == 10)
        #expect(try site.count("SELECT count(*) FROM nonce") == 80)
    }

    @Test("The same key with another request is refused and changes nothing", arguments: engines)
    func keyReused(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.givingVisits(engine).serving()
        _ = await store.ask(.make(.hold(.ticket), key: "k"))
        let other = await store.ask(.make(.hold(.ticket), key: "k", fingerprint: [9]))
        #expect(other == .keyReused)
        #expect(try site.count("SELECT count(*) FROM reservation") == 1)
        // Another machine may use the same text as its key, and so may phones, also one whose holder has a machine's name.
        var held: [[String]] = []
        for (machine, holder) in [("door-2", nil), ("a", nil), ("", "a"), ("", "b"), ("", "a")] {
            let request = AuthenticatedRequest.make(
                .hold(.ticket), machine: machine, key: "k", holder: holder)
            held.append(try await store.words(request))
        }
        #expect(held.allSatisfy { $0[0] == "held" } && Set(held.map { $0[1] }).count == 4)
        #expect(held.last == held[2])
    }

    @Test("A nonce is accepted once, whatever server has accepted it", arguments: StoreServers.all)
    func nonce(_ servers: StoreServers) async throws {
        let (site, stores) = try servers.serving()
        let store = stores[0]
        // Without an idempotency key it leaves no answer.
        for nonce in ["n1", "n0"] {
            let result = await store.ask(.make(.useNonce, key: "", nonce: nonce))
            #expect(result.answer != nil && !result.isReplayed)
        }
        #expect(await store.ask(.make(.useNonce, key: "", nonce: "n0")) == .nonceSeen)
        #expect(try site.count("SELECT count(*) FROM idempotency") == 0)
        _ = try await store.words(.make(.hold(.ticket), nonce: "n"))
        for other in stores {
            #expect(await other.ask(.make(.hold(.ticket), nonce: "n")) == .nonceSeen)
        }
        // A retry has a new signature, and its nonce is used up as well.
        _ = await store.ask(.make(.hold(.ticket), key: "k", nonce: "n2"))
        _ = await store.ask(.make(.hold(.ticket), key: "k", nonce: "n3"))
        #expect(await store.ask(.make(.hold(.ticket), nonce: "n3")) == .nonceSeen)
        #expect(
            try await store.words(.make(.hold(.ticket), machine: "door-2", nonce: "n"))[0] == "held"
        )
    }

    @Test(
        "Tickets taken from many threads, and at several servers, have numbers without gaps or repeats",
        arguments: StoreServers.all)
    func parallelTickets(_ servers: StoreServers) async throws {
        let (site, stores) = try servers.serving()
        let numbers = try await atOnce(0..<16) { machine in
            var numbers: [Int] = []
            for round in 0..<20 {
                // One server takes the place, another one confirms it, and they take turns.
                let turn = machine + round
                let id = try await stores[turn % stores.count].hold("m\(machine)")
                let other = stores[(turn + 1) % stores.count]
                numbers.append(try await other.confirm(id, "m\(machine)").number)
            }
            #expect(numbers == numbers.sorted(), "an earlier acknowledgement has a smaller number")
            return numbers
        }.flatMap(\.self)
        #expect(numbers.sorted() == Array(1...320))
        #expect(
            try site.count("SELECT count(DISTINCT number) FROM reservation WHERE day='2026-11-20'")
                == 320)
        #expect(try site.count("SELECT last_number FROM day_counter") == 320)
        #expect(try site.count("SELECT count(DISTINCT typed_code) FROM reservation") == 320)
    }

    @Test(
        "Released, expired and replaced holds are in the database with their causes",
        arguments: engines)
    func causes(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1)
        let released = try await store.hold()
        #expect(try await store.words(.make(.release(released))) == ["released"])
        _ = try await store.hold()
        _ = try await store.hold()
        site.clock.pass(.minutes(4))
        let ticket = try await store.ticket("door-2")
        #expect(try await store.giveBack(ticket)[0].hasPrefix("deleted"), "called as it was")
        #expect(store.status(of: Site.shopID)?.wait?.expected.moment == site.clock.now)
        #expect(ticket.number == 1)
        let causes = try site.texts(
            "SELECT cause FROM reservation ORDER BY created_ms, state_ms, cause")
        #expect(causes == ["cancelled", "replaced", "lapsed", "declined"])
        let former = "SELECT former_state FROM reservation_event WHERE cause = 'declined'"
        #expect(try site.texts(former) == ["called"])
        #expect(try site.count("SELECT count(*) FROM reservation_event") == 10)
        #expect(
            try site.count("SELECT count(*) FROM reservation_event WHERE former_state IS NULL") == 4
        )
    }

    @Test("A restart keeps holds, numbers, answers and waits", arguments: engines)
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
        store = try site.restarted()
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
    }

    @Test("Numbers begin again at 1 on the next day", arguments: engines)
    func nextDay(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        #expect(try await store.ticket().number == 1)
        #expect(try await store.ticket().number == 2)
        site.clock.set(Site.at("08:00", day: Site.day.advanced(by: 1)))
        #expect(try await store.ticket().number == 1)
        // If the clock jumps back, the day is as it was.
        site.clock.set(Site.at("12:00"))
        #expect(try await store.ticket().number == 3)
    }

    @Test("A code that was given is not given again", arguments: engines)
    func typedCodes(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        // Random bytes that repeat themselves now and then, as real ones do once in 10^10.
        let drawn = Mutex<UInt8>(0)
        let store = try site.store(
            on: try site.open(for: .serve),
            randomBytes: { count in
                let draw = drawn.withLock { number in
                    number += 1
                    return number
                }
                // A typed code has eight bytes: each value comes several times before the next.
                return [UInt8](repeating: count == 8 ? draw / 9 : draw, count: count)
            })
        for _ in 1...3 { try await store.ticket() }
        #expect(try site.count("SELECT count(DISTINCT typed_code) FROM reservation") == 3)
    }

    @Test("Expired nonces and old answers are deleted, live ones are kept", arguments: engines)
    func pruning(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
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
    }

    @Test("Beyond its maximum queue the store answers unavailable at once", arguments: engines)
    func overload(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let (opened, answered) = (DispatchSemaphore(value: 0), DispatchGroup())
        let isHeld = Flag()
        let failed = Mutex((overloaded: 0, lost: 0))
        func ask(_ request: AuthenticatedRequest) {
            answered.enter()
            store.perform(request) { result in
                if let error = result.error {
                    failed.withLock {
                        if error.code == .overloaded { $0.overloaded += 1 } else { $0.lost += 1 }
                    }
                }
                answered.leave()
            }
        }
        let others = (0..<(QueueStore.maxWaiting + 50)).map { _ in
            AuthenticatedRequest.make(.release(ReservationID("none")))
        }
        // The first answer is held back, so the rest must wait in the queue.
        var first = AuthenticatedRequest.make(.hold(.ticket))
        first.answer = { [answer = first.answer] result, now in
            isHeld.set()
            opened.wait()
            return answer(result, now)
        }
        ask(first)
        #expect(await eventually { isHeld.isSet })
        for other in others { ask(other) }
        opened.signal()
        await withCheckedContinuation { done in
            answered.notify(queue: .global()) { done.resume() }
        }
        let (overloaded, lost) = failed.withLock { $0 }
        #expect(overloaded == 50)
        // On a busy computer PostgreSQL may have given up the first one's transaction, which stands still for too long.
        #expect(lost <= 1)
        let stored = try site.count("SELECT count(*) FROM idempotency")
        #expect(stored == QueueStore.maxWaiting + 1 - lost)
    }

    @Test("An unknown shop is reported, and disturbs no other", arguments: engines)
    func unknownShop(_ engine: StoreEngine) async throws {
        let (_, store) = try Site.serving(engine)
        let request = AuthenticatedRequest.make(.hold(.ticket), shop: ShopID("nowhere"))
        #expect(await store.ask(request).error?.code == .unknownShop)
        #expect(try await store.ticket().number == 1)
        #expect(store.status(of: ShopID("nowhere")) == nil && store.trouble() == nil)
    }
}

extension StoreError {
    /// The answer of a stopped store.
    static let stopped = StoreError(
        .stopped, operation: "queue a command", "the store is stopping")
}
