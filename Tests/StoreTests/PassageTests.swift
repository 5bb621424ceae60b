internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("A ticket that a reader sees twice, in every engine", .stopsStores)
struct PassageTests {
    private func present(
        _ code: EntryCode, at door: String = "door-1", key: String = fresh("key"),
        fingerprint: [UInt8] = [7]
    ) -> AuthenticatedRequest {
        .make(.passage(.entry(code), .entrance), machine: door, key: key, fingerprint: fingerprint)
    }

    @Test(
        "Within five seconds the same code at the same door has the first answer again (rules: scans)",
        arguments: engines)
    func twice(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let ticket = try await store.ticket()
        guard case .answered(let first, replayed: false) = await store.ask(present(ticket.code))
        else { throw SiteError.unexpected("no passage") }
        let repeated = RequestResult.answered(first, replayed: true)
        site.clock.pass(.seconds(3))
        #expect(await store.ask(present(ticket.code, key: "again")) == repeated)
        site.clock.pass(.seconds(2))
        #expect(await store.ask(present(ticket.code)) == repeated)
        #expect(await store.ask(present(ticket.code, at: "door-2")) != repeated)
        // Another code at the same door is another request.
        #expect(await store.ask(present(ticket.code, fingerprint: [8])) != repeated)
        site.clock.pass(.milliseconds(1))
        let late = try await store.words(present(ticket.code))
        #expect(late == ["refused", "inside"])
        // The answer to a request with a key stays the answer of that key.
        #expect(await store.ask(present(ticket.code, key: "again")) == repeated)
        #expect(
            try site.count("SELECT count(*) FROM reservation_event WHERE state = 'active'") == 1)
    }

    @Test(
        "A clock that was set back does not turn an old passage into a recent one",
        arguments: engines)
    func setBack(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let ticket = try await store.ticket()
        _ = try await store.words(present(ticket.code))
        site.clock.pass(.seconds(-60))
        #expect(try await store.words(present(ticket.code)) == ["refused", "inside"])
    }
}
