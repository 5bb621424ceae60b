import BackendAPI
import BackendClient
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite(
    "The machine's calls over a network that fails (rules: time-outs, signed-answers)",
    .timeLimit(.minutes(10)))
struct BackendClientTests {
    private let key = AttemptKey("start-1")
    private let hold = ReservationID("hold-1")
    private let servers = ScriptedServers()

    @Test("An answer lost with a kept connection is asked for again, under a new signature")
    func answerLostAfterCommit() async throws {
        let server = try servers.start { request in
            switch request.number {
            case 0: .answer("HTTP/1.1 204 x\r\n\r\n")
            case 1: .hangUp
            default: .json(201, BackendFacts.reservation)
            }
        }
        let port = try BackendClient.of(server.address)
        // The connection is kept from this call.
        #expect(await port.release(ReservationID("hold-0"), AttemptKey("start-0")).isSuccess)
        #expect(try await port.confirm(hold, key).get().number.text == "042")
        let confirmations = server.requests.dropFirst()
        let path = "POST /v1/holds/hold-1/confirmation "
        #expect(confirmations.allSatisfy { $0.start.hasPrefix(path) })
        // The field has the nonce in it, which the backend accepts once.
        #expect(Set(confirmations.map { $0.fields["signature-input"] }).count == 2)
    }

    @Test("A confirmation of another place is not shown as this customer's")
    func otherPlace() async throws {
        let server = try servers.start { _ in .json(201, BackendFacts.reservation) }
        let port = try BackendClient.of(server.address)
        #expect(await port.confirm(hold, key) == .success(BackendFacts.reservation))
        #expect(await port.confirm(ReservationID("hold-2"), key) == .failure(.notUnderstood))
    }

    @Test(
        "An answer that may belong to another request decides nothing about a place or a reservation",
        arguments: [AnswerUse.unverified, .older])
    func undecided(_ use: AnswerUse) async throws {
        let next = Mutex(ScriptedServer.Answer.silence)
        let server = try servers.start { _ in next.withLock { $0 } }
        let port = try BackendClient.of(server.address, use: use)
        for problem in [
            Refusal.malformed, .notAuthentic, .notFound, .unknownRoute, .methodNotAllowed,
            .tooLarge, .upgradeRequired,
        ] {
            next.withLock { $0 = .refusal(problem) }
            let expected: BackendFailure =
                problem == .notAuthentic ? .refusal(.notAuthentic) : .notUnderstood
            #expect(await port.confirm(hold, key) == .failure(expected), "\(problem)")
            let deletion = await port.delete(hold, .entry(BackendFacts.code), key)
            #expect(throws: expected) { try deletion.get() }
        }
        // Only authenticated callers get these answers: in the older form they decide, unverified ones do not.
        next.withLock { $0 = .json(201, BackendFacts.reservation) }
        let confirmed = await port.confirm(hold, key)
        if use == .older {
            #expect(throws: Never.self) { try confirmed.get() }
        } else {
            #expect(throws: BackendFailure.notUnderstood) { try confirmed.get() }
        }
        next.withLock { $0 = .refusal(.holdExpired) }
        #expect(
            await port.confirm(hold, key)
                == .failure(use == .older ? .refusal(.holdExpired) : .notUnderstood))
        next.withLock { $0 = .refusal(.notFound) }
        #expect(
            await port.lookUp(.entry(BackendFacts.code), key)
                == .failure(use == .older ? .refusal(.notFound) : .notUnderstood))
    }

    @Test("An answer that is not the backend's own does not count as deleted")
    func proxyPage() async throws {
        let server = try servers.start { _ in
            .http(200, "text/html", "<p>Welcome to our network</p>")
        }
        let answer = await (try BackendClient.of(server.address))
            .delete(hold, .entry(BackendFacts.code), key)
        #expect(throws: BackendFailure.notUnderstood) { try answer.get() }
    }

    @Test("An impossible queue is not shown: absurd lengths, a number twice, years of wait")
    func absurdQueue() async throws {
        let now = BackendFacts.now
        func queue(calling: [Int], waiting: Int = 9, hours: Int = 1) -> QueueStatus {
            let end = now.at(now.moment + .seconds(hours * 3_600))
            return QueueStatus(
                now: now, isOpen: true, closes: nil, opens: nil, ticketAvailable: true,
                calling: calling.compactMap(QueueNumber.init), waiting: waiting,
                wait: WaitEstimate(expected: now, earliest: now, latest: end, peopleAhead: 9))
        }
        let reported = Mutex(queue(calling: []))
        let server = try servers.start { _ in .json(200, reported.withLock { $0 }) }
        let port = try BackendClient.of(server.address)
        func answer(_ reply: QueueStatus) async -> Result<QueueStatus, BackendFailure> {
            reported.withLock { $0 = reply }
            return await port.queue()
        }
        let two = try await answer(queue(calling: [42, 41])).get()
        #expect(two.calling.map(\.text) == ["042", "041"])
        #expect(try await answer(queue(calling: Array(1...1_000))).get().calling.count == 1_000)
        for reply in [
            queue(calling: Array(1...1_001)), queue(calling: [42, 41, 42]),
            queue(calling: [], waiting: -1), queue(calling: [], waiting: 1_000_000),
            queue(calling: [], hours: 24 * 365),
        ] {
            #expect(await answer(reply) == .failure(.notUnderstood))
        }
    }

    @Test("A customer called at once has an end of entry, which is neither past nor days ahead")
    func enterBy() async throws {
        let issued = BackendFacts.now
        let reported = Mutex(BackendFacts.reservation)
        let server = try servers.start { _ in .json(201, reported.withLock { $0 }) }
        let port = try BackendClient.of(server.address)
        func answer(_ seconds: Int?) async -> Result<Reservation, BackendFailure> {
            reported.withLock {
                $0.enterBy = seconds.map { issued.at(issued.moment + .seconds($0)) }
            }
            return await port.confirm(hold, key)
        }
        #expect(try await answer(nil).get().enterBy == nil)
        #expect(try await answer(600).get().enterBy == issued.at(issued.moment + .seconds(600)))
        #expect(await answer(-1) == .failure(.notUnderstood))
        #expect(await answer(90_000) == .failure(.notUnderstood))
    }

    @Test("Requests behind a hanging one each end at their own timeout, not one after the other")
    func silentBackend() async throws {
        let server = try servers.start { _ in .silence }
        let port = try BackendClient.of(server.address)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 { group.addTask { await port.queue() == .failure(.unanswered) } }
            for await isUnanswered in group { #expect(isUnanswered) }
        }
        // Requests behind the first are past their own timeout by then and are not sent any more.
        #expect(server.requests.count < 6)
    }
}

extension Result where Success == Void {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}
