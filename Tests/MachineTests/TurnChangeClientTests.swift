import BackendClient
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import Testing

@Suite("Calls for more time and for a missed place (rules: more-time)", .timeLimit(.minutes(10)))
struct TurnChangeClientTests {
    private let key = AttemptKey("start-1")
    private let calls = CallsWithCode<FoundReservation>(
        code: BackendFacts.code.rawValue,
        paths: ["/v1/reservations/hold-1/delay", "/v1/reservations/hold-1/reclaim"]
    ) { port, key in
        let (id, code) = (BackendFacts.reservation.id, PresentedCode.entry(BackendFacts.code))
        return [
            await port.delay(id, code, people: 5, key), await port.reclaim(id, code, key),
        ]
    }

    @Test("A request that is repeated has the same bytes, since its key is good for one text only")
    func repeated() async throws {
        let server = try ScriptedServer { _ in .refusal(.notFound) }
        defer { server.stop() }
        let client = try BackendClient.of(server.address)
        for _ in 0..<10 {
            _ = await client.renewCode(
                of: BackendFacts.reservation.number, BackendFacts.code, by: "Giulia", key)
        }
        let seen = server.requests.map(\.body)
        #expect(seen.count == 10 && Set(seen).count == 1)
        #expect(seen.first?.contains(BackendFacts.code.rawValue) == true)
    }

    @Test("A call has its path, proof and key, and is repeated with them if its answer is lost")
    func passed() async throws {
        let requests = try await calls.expectPassed(
            BackendFacts.found(.called, enterBy: BackendFacts.now))
        #expect(requests[1].body.contains("\"people\":5") && !requests[2].body.contains("people"))
    }

    @Test("A refusal comes through as it is", arguments: [Refusal.noDelay, .missed, .stillValid])
    func refused(_ refusal: Refusal) async throws {
        try await calls.expect(.refusal(refusal), for: .refusal(refusal))
    }

    @Test("An answer about another reservation, or about one that has ended, is not shown as done")
    func wrongAnswer() async throws {
        let foreign = BackendFacts.found(.planned, BackendFacts.reservation("hold-2"))
        try await calls.expect(.notUnderstood, for: .json(200, foreign))
        try await calls.expect(.refusal(.alreadyUsed), for: .json(200, BackendFacts.found(.used)))
    }

    @Test("A look-up returns a missed reservation only if its place can be taken back")
    func lookUp() async throws {
        let next = Mutex(BackendFacts.found(.planned))
        let server = try ScriptedServer { _ in .json(200, next.withLock { $0 }) }
        defer { server.stop() }
        let port = try BackendClient.of(server.address)
        func answer(
            _ status: ReservationStatus, reclaimBy: LocalMoment? = nil, delays: [DelayOffer]? = nil
        ) async -> (sent: FoundReservation, got: BackendAnswer<FoundReservation>) {
            var found = BackendFacts.found(status)
            found.reclaimBy = reclaimBy
            found.delayOffers = delays
            next.withLock { [found] in $0 = found }
            return (found, await port.lookUp(.entry(BackendFacts.code), key))
        }
        let back = await answer(.missed, reclaimBy: BackendFacts.now)
        #expect(back.got == .success(back.sent))
        // The staff's commands need one that waits or is called.
        #expect(back.got.ofValidReservation == .failure(.refusal(.missed)))
        #expect(await answer(.missed).got == .failure(.refusal(.missed)))
        #expect(
            await answer(.used, reclaimBy: BackendFacts.now).got == .failure(.refusal(.alreadyUsed))
        )
        let offer = DelayOffer(people: 2, wait: BackendFacts.wait)
        let waiting = await answer(.planned, delays: [offer])
        #expect(waiting.got == .success(waiting.sent))
        // Offers that no backend makes are not shown.
        for offers in [
            [], Array(repeating: offer, count: 4), [DelayOffer(people: 0, wait: BackendFacts.wait)],
        ] {
            #expect(await answer(.planned, delays: offers).got == .failure(.notUnderstood))
        }
    }
}
