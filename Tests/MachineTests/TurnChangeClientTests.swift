import BackendAPI
import BackendClient
import Cryptography
import Foundation
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite("Calls for more time and for a missed place (rules 34)", .timeLimit(.minutes(10)))
struct TurnChangeClientTests {
    private static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    private static let wait = WaitEstimate(
        expected: now, earliest: now, latest: now, peopleAhead: 0)
    private static let code = EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))
    private static let reservation = Reservation(
        id: ReservationID("hold-1"), kind: .ticket, number: QueueNumber(rawValue: 42)!,
        shopName: "Shop", code: code, typedCode: TypedCode(rawValue: "0419384512")!, issued: now,
        wait: wait)

    private static func found(
        _ status: ReservationStatus, reclaimBy: LocalMoment? = nil, delays: [DelayOffer]? = nil
    ) -> FoundReservation {
        var found = FoundReservation(
            reservation, day: now.day, status: status, now: now,
            enterBy: status == .called ? now : nil)
        found.reclaimBy = reclaimBy
        found.delayOffers = delays
        return found
    }

    private let key = AttemptKey("start-1")
    private let presented = PresentedCode.entry(code)

    private func client(_ server: ScriptedServer) throws -> BackendClient {
        try Cryptography.start()
        let signer = RequestSigner(key: try .generate())
        return BackendClient(servers: try BackendServers("http://127.0.0.1:\(server.port)")) {
            signer.sign($0, created: 1_795_179_600, nonce: RequestSigner.makeNonce())
        }
    }

    private static func json(_ status: Int, _ value: some Encodable) -> String {
        let body = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
        let type = status < 300 ? "application/json" : Problem.contentType
        return "HTTP/1.1 \(status) x\r\ncontent-type: \(type)\r\n"
            + "content-length: \((body ?? "").utf8.count)\r\n\r\n\(body ?? "")"
    }

    /// Makes both calls on a server, and returns their answers.
    private func both(
        _ answer: @escaping @Sendable (String) -> ScriptedServer.Answer
    ) async throws -> [BackendAnswer<FoundReservation>] {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        let port = try client(server)
        return [
            await port.delay(Self.reservation.id, presented, people: 5, key),
            await port.reclaim(Self.reservation.id, presented, key),
        ]
    }

    @Test("A request that is repeated has the same bytes, since its key is good for one text only")
    func repeated() async throws {
        let bodies = Mutex<[String]>([])
        let server = try ScriptedServer { request in
            let body = request.split(separator: "\r\n\r\n").last.map { String($0) } ?? ""
            bodies.withLock { $0.append(body) }
            return .answer(Self.json(404, Problem(.notFound)))
        }
        defer { server.stop() }
        let client = try client(server)
        for _ in 0..<10 {
            _ = await client.renewCode(
                of: Self.reservation.number, Self.code, by: "Giulia", key)
        }
        let seen = bodies.withLock { $0 }
        #expect(seen.count == 10 && Set(seen).count == 1)
        #expect(seen.first?.contains(Self.code.rawValue) == true)
    }

    @Test("Each call has its path, the code as proof and its key; its answer is the reservation")
    func calls() async throws {
        let seen = Mutex<[String]>([])
        let answers = try await both { request in
            seen.withLock { $0.append(request) }
            return .answer(Self.json(200, Self.found(.called)))
        }
        #expect(answers == [.success(Self.found(.called)), .success(Self.found(.called))])
        let requests = seen.withLock { $0 }
        #expect(requests.count == 2)
        #expect(requests[0].hasPrefix("POST /v1/reservations/hold-1/delay "))
        #expect(requests[1].hasPrefix("POST /v1/reservations/hold-1/reclaim "))
        for request in requests {
            #expect(request.contains("\"code\":\"\(Self.code.rawValue)\""))
            #expect(request.lowercased().contains("idempotency-key: start-1"))
        }
        #expect(requests[0].contains("\"people\":5") && !requests[1].contains("people"))
    }

    @Test("A lost answer is asked for again with the same key")
    func lost() async throws {
        let keys = Mutex<[String]>([])
        let answers = try await both { request in
            let line = request.lowercased().split(separator: "\r\n")
                .first { $0.hasPrefix("idempotency-key") }
            let isFirst = keys.withLock { keys in
                keys.append(String(line ?? ""))
                return keys.count % 2 == 1
            }
            return isFirst ? .hangUp : .answer(Self.json(200, Self.found(.planned)))
        }
        #expect(answers == [.success(Self.found(.planned)), .success(Self.found(.planned))])
        #expect(keys.withLock { $0 } == Array(repeating: "idempotency-key: start-1", count: 4))
    }

    @Test("A refusal comes through as it is", arguments: [Refusal.noDelay, .missed, .stillValid])
    func refused(_ refusal: Refusal) async throws {
        let answers = try await both { _ in
            .answer(Self.json(refusal.status, Problem(refusal)))
        }
        #expect(answers == [.failure(.refusal(refusal)), .failure(.refusal(refusal))])
    }

    @Test("An answer about another reservation, or about one that has ended, is not shown as done")
    func wrongAnswer() async throws {
        let issued = Self.reservation
        let other = Reservation(
            id: ReservationID("hold-2"), kind: .ticket, number: issued.number, shopName: "Shop",
            code: Self.code, typedCode: issued.typedCode, issued: Self.now, wait: Self.wait)
        let foreign = FoundReservation(
            other, day: Self.now.day, status: .planned, now: Self.now, enterBy: nil)
        for (answer, failure) in [
            (foreign, BackendFailure.notUnderstood), (Self.found(.used), .refusal(.alreadyUsed)),
        ] {
            let answers = try await both { _ in .answer(Self.json(200, answer)) }
            #expect(answers == [.failure(failure), .failure(failure)])
        }
    }

    @Test("A look-up returns a missed reservation only if its place can be taken back")
    func lookUp() async throws {
        let next = Mutex(Self.found(.planned))
        let server = try ScriptedServer { _ in .answer(Self.json(200, next.withLock { $0 })) }
        defer { server.stop() }
        let port = try client(server)
        func answer(_ found: FoundReservation) async -> BackendAnswer<FoundReservation> {
            next.withLock { $0 = found }
            return await port.lookUp(presented, key)
        }
        let back = Self.found(.missed, reclaimBy: Self.now)
        #expect(await answer(back) == .success(back))
        // The staff's commands need one that waits or is called.
        #expect(await answer(back).ofValidReservation == .failure(.refusal(.missed)))
        #expect(await answer(Self.found(.missed)) == .failure(.refusal(.missed)))
        #expect(
            await answer(Self.found(.used, reclaimBy: Self.now)) == .failure(.refusal(.alreadyUsed))
        )
        let offer = DelayOffer(people: 2, wait: Self.wait)
        let waiting = Self.found(.planned, delays: [offer])
        #expect(await answer(waiting) == .success(waiting))
        // Offers that no backend makes are not shown.
        for offers in [
            [], Array(repeating: offer, count: 4), [DelayOffer(people: 0, wait: Self.wait)],
        ] {
            #expect(await answer(Self.found(.planned, delays: offers)) == .failure(.notUnderstood))
        }
    }
}
