internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite(
    "Another code for a paper that was photographed, on every engine (rules: new-codes)",
    .stopsStores)
struct NewCodeStoreTests {
    @Test(
        "The former code opens nothing, is given to no other place, and what was asked for with it has ended",
        arguments: engines)
    func renews(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine, capacity: 1)
        try await store.ticket("door-1")
        let mine = try await store.ticket("door-1")
        let number = try #require(QueueNumber(rawValue: mine.number))
        try await store.subscribe("stranger", to: mine.id, isProved: false)
        try await store.subscribe("digits", to: mine.id)
        try await store.subscribe(number: "n", to: mine.id)
        let seen = try #require(try await store.record(mine.id))
        let former = try #require(seen.confirmation)
        func renew(_ code: EntryCode, _ number: QueueNumber) async throws -> [String] {
            try await store.words(.make(.staff(.newCode(number, code))))
        }
        let other = try #require(QueueNumber(rawValue: 99))
        #expect(try await renew(mine.code, other) == ["refused", "not-found"])
        #expect(try await renew(mine.code, number)[0] != "refused")
        let now = try #require(try await store.record(mine.id)?.confirmation)
        #expect(now.number == former.number && now.issued == former.issued)
        #expect(now.code != former.code && now.typedCode != former.typedCode)
        #expect(try await store.lookUp(.entry(former.code)) == nil)
        #expect(try await store.lookUp(.typed(former.typedCode)) == nil)
        #expect(try await store.lookUp(.entry(now.code))?.number == number)
        // The number stays until it is notified, and does nothing more.
        let kept = Subscription.nameOfNumber("n")
        #expect(try site.texts("SELECT id FROM subscription WHERE is_proved = 0") == [kept])
        #expect(try site.count("SELECT count(*) FROM subscription") == 1)
        #expect(try site.count("SELECT count(*) FROM notice") == 0)
        #expect(
            try site.texts("SELECT typed_code FROM retired_code") == [former.typedCode.rawValue])
        #expect(try await renew(mine.code, number) == ["refused", "not-found"])
        // A browser that opened the place before, and asks for notices only now.
        let late = Subscription(
            id: "late", .browser(endpoint: "https://push.example/late", p256dh: "", auth: ""),
            language: "it", isProved: true)
        let outcome = try await store.done {
            store.subscribe(
                late, to: .place(mine.id), in: Site.shopID, opened: seen, completion: $0)
        }
        #expect(outcome.hasEnded)
        #expect(try site.count("SELECT count(*) FROM subscription") == 1)
        store.stop()
        // Another server, and after a restart.
        let later = try site.restarted()
        #expect(try await later.lookUp(.entry(former.code)) == nil)
        #expect(try await later.lookUp(.entry(now.code))?.number == now.number)
    }

    @Test("A retired code is drawn again as long as it is kept, and kept as long as its day")
    func retired() async throws {
        let (site, store) = try Site.serving(.sqlite, capacity: 1)
        let hold = try await store.words(.make(.hold(.ticket)))
        try site.run(
            """
            INSERT INTO retired_code (shop_id, typed_code, day)
                SELECT 's1', typed_code, '2026-11-20' FROM (
                    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
                    SELECT printf('%010d', i) AS typed_code FROM n);
            """)
        #expect(try await store.words(.make(.confirm(ReservationID(hold[1]))))[0] != "refused")
        store.stop()
        try site.prune(before: Site.day.advanced(by: 1))
        #expect(try site.count("SELECT count(*) FROM retired_code") == 0)
    }
}
