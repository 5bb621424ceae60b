import BackendAPI
import Cryptography
import Foundation
import HTTPServer
import ReservationStore
import Reservations
import SQLite
import Synchronization
import Testing

@Suite("A server that is stopped")
struct DrainTests {
    /// The results that customers at eight machines saw.
    private final class Seen: Sendable {
        private let state = Mutex(
            (acknowledged: Set<String>(), sentAway: 0, unanswered: [String](), done: 0))

        var acknowledged: Set<String> { state.withLock { $0.acknowledged } }
        var sentAway: Int { state.withLock { $0.sentAway } }
        var unanswered: [String] { state.withLock { $0.unanswered } }
        var done: Int { state.withLock { $0.done } }

        func reserved(_ id: String) { state.withLock { _ = $0.acknowledged.insert(id) } }
        func wasSentAway() { state.withLock { $0.sentAway += 1 } }
        func gotNothing(_ what: String) { state.withLock { $0.unanswered.append(what) } }
        func isDone() { state.withLock { $0.done += 1 } }
    }

    /// A connection that is idle for this long may be closed while a request is on its way, as on any server (RFC 9112
    /// 9.5); a machine then repeats it. `HTTPLimits.quiet` is longer.
    private static let idle = Duration.milliseconds(200)

    /// One machine that takes places for as long as the server accepts its connections.
    private static func load(_ program: ServedProgram, _ key: SigningKey, _ seen: Seen) {
        while let client = try? RawClient(program.address) {
            var used = ContinuousClock.now
            func call(_ what: String, _ request: WireRequest) -> WireResponse? {
                let wasIdle = ContinuousClock.now - used > idle
                let answer = client.call(request)
                if answer == nil, !wasIdle { seen.gotNothing(what) }
                used = ContinuousClock.now
                return answer
            }
            while !client.hasEnded {
                let hold = program.request(.holds, "{\"kind\":\"ticket\"}", key: key)
                guard let held = call("a hold", hold), !isEnd(held, seen),
                    let id = try? held.decoded(HeldPlace.self).id, !client.hasEnded
                else { break }
                let confirmation = program.request(.holdConfirmation(id), key: key)
                guard let confirmed = call("a confirmation", confirmation) else { break }
                if confirmed.status == 201 { seen.reserved(id.rawValue) }
                if isEnd(confirmed, seen) { break }
            }
        }
    }

    /// Whether the machine should go to another server.
    private static func isEnd(_ answer: WireResponse, _ seen: Seen) -> Bool {
        guard answer.fields["connection"] == "close" else { return false }
        if answer.status == 503, answer.fields["retry-after"] == "1" { seen.wasSentAway() }
        return true
    }

    @Test(
        "Under load no acknowledged reservation is lost, no customer is left without an answer, displays get 1001"
    )
    func underLoad() throws {
        try Cryptography.start()
        let machines = try (0..<8).map { _ in try SigningKey.generate() }
        let displays = try (0..<2).map { _ in try SigningKey.generate() }
        let program = try ServedProgram(
            keys: machines.map { ("machine", $0) } + displays.map { ("display", $0) })
        let sockets = try displays.map { key in
            let raw = try RawClient(program.address)
            let ticket = try raw.call(program.request(.sessions, key: key))?
                .decoded(SessionReply.self).ticket
            var request = WireRequest(
                method: "GET", authority: "localhost", path: Route.turns.path)
            SocketClient.upgrade(&request, ticket: try #require(ticket))
            #expect(raw.call(request)?.status == 101)
            return SocketClient(upgraded: raw)
        }
        #expect(try RawClient(program.address).call(program.get("/readyz"))?.status == 200)
        let idle = try RawClient(program.address)
        #expect(idle.call(program.get("/healthz"))?.status == 200)
        let seen = Seen()
        let box = Served(program: program)
        for key in machines {
            Thread.detachNewThread {
                Self.load(box.program, key, seen)
                seen.isDone()
            }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while seen.acknowledged.count < 100, ContinuousClock.now < deadline { usleep(1_000) }
        kill(program.process.processIdentifier, SIGTERM)
        while seen.done < machines.count, ContinuousClock.now < deadline { usleep(1_000) }
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == 0)
        #expect(program.process.terminationReason == .exit)
        #expect(seen.done == machines.count && seen.unanswered == [])
        #expect(seen.sentAway >= 1 && seen.acknowledged.count >= 100)
        #expect(sockets.map { $0.closed() } == [1_001, 1_001])
        #expect(idle.hasEnded)
        let stored = Set(
            try Connection(path: program.database, opening: .existing)
                .rows("SELECT id FROM reservation WHERE number IS NOT NULL") { $0.text(0) })
        #expect(seen.acknowledged.isSubset(of: stored))
    }

    /// Its database and address do not change while threads read them.
    private struct Served: @unchecked Sendable {
        let program: ServedProgram
    }

    @Test(
        "While one answer is awaited, new connections learn that the server stops, and go to another one"
    )
    func newOnes() throws {
        let pending = Mutex<(@Sendable (WireResponse) -> Void)?>(nil)
        let server = try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0),
            sockets: { $1(.admitted { _ in {} }) }
        ) { request, respond in
            if request.path == "/wait" {
                pending.withLock { $0 = respond }
            } else {
                respond(WireResponse(status: 200))
            }
        }
        let display = try RawClient(server.address)
        var upgrade = WireRequest(method: "GET", authority: "a", path: "/")
        SocketClient.upgrade(&upgrade, ticket: "t")
        #expect(display.call(upgrade)?.status == 101)
        let busy = try RawClient(server.address)
        busy.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        while pending.withLock({ $0 == nil }) { usleep(1_000) }
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.stop()
            stopped.signal()
        }
        var answer: WireResponse?
        repeat {
            answer = try RawClient(server.address).call(
                WireRequest(method: "GET", authority: "a", path: "/readyz"))
        } while answer?.status == 200
        #expect(answer?.status == 503 && answer?.fields["retry-after"] == "1")
        #expect(answer?.fields["connection"] == "close")
        #expect(answer?.problem == .unavailable)
        #expect(try answer?.decoded(Problem.self).detail == "the server is stopping")
        #expect(
            SocketClient(upgraded: display).closed() == 1_001, "notified at once, not at the end")
        for _ in 0..<20 {
            let later = try RawClient(server.address).call(
                WireRequest(method: "GET", authority: "a", path: "/"))
            #expect(later?.status == 503 && later?.fields["connection"] == "close")
            usleep(10_000)
        }
        pending.withLock { $0 }?(WireResponse(status: 201))
        #expect(busy.response()?.status == 201)
        #expect(stopped.wait(timeout: .now() + 30) == .success)
        #expect(throws: RawClient.Failure.self) { try RawClient(server.address) }
    }

    @Test("A server whose connections never rest can be stopped at any moment")
    func anyMoment() throws {
        var limits = HTTPLimits()
        limits.drain = .zero
        let request = WireRequest(method: "GET", authority: "a", path: "/")
        for _ in 0..<200 {
            let server = try HTTPServer(
                listen: .tcp(address: "127.0.0.1", port: 0), limits: limits
            ) { $1(WireResponse(status: 200)) }
            let ended = DispatchGroup()
            let answered = DispatchSemaphore(value: 0)
            for _ in 0..<4 {
                DispatchQueue.global().async(group: ended) {
                    while let client = try? RawClient(server.address) {
                        while client.call(request)?.status == 200 { answered.signal() }
                    }
                    answered.signal()
                }
            }
            answered.wait()
            server.stop()
            #expect(ended.wait(timeout: .now() + 30) == .success)
        }
    }

    @Test("A server whose connections are all taken can be stopped")
    func full() throws {
        var limits = HTTPLimits()
        limits.drain = .zero
        limits.connections = 2
        let server = try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0), limits: limits
        ) { $1(WireResponse(status: 200)) }
        let taken = try (0..<2).map { _ in try RawClient(server.address) }
        for client in taken {
            let answer = client.call(WireRequest(method: "GET", authority: "a", path: "/"))
            #expect(answer?.status == 200)
        }
        let waiting = try RawClient(server.address)
        server.stop()
        #expect(taken.allSatisfy { $0.isClosed() } && waiting.isClosed())
        #expect(throws: RawClient.Failure.self) { try RawClient(server.address) }
    }

    @Test("It becomes ready again by itself once the disk accepts writes")
    func readiness() throws {
        let backend = try TestBackend()
        let machine = try backend.enrol()
        let client = try RawClient(backend.address)
        func ready() -> WireResponse? {
            client.call(WireRequest(method: "GET", authority: "localhost", path: "/readyz"))
        }
        func becomes(_ status: Int) -> Bool {
            let deadline = ContinuousClock.now + .seconds(30)
            while ready()?.status != status, ContinuousClock.now < deadline { usleep(20_000) }
            return ready()?.status == status
        }
        #expect(ready()?.status == 200)
        #expect(String(decoding: ready()?.body ?? [], as: UTF8.self) == "{\"ready\":true}")
        // The test imitates a failing disk: every row of a hold and every attempt to write is refused.
        try backend.run(
            "CREATE TRIGGER broken_sequence BEFORE UPDATE ON change_sequence "
                + "BEGIN SELECT RAISE(ABORT, 'broken'); END")
        try backend.run("ALTER TABLE nonce RENAME TO away")
        #expect(try machine.hold().status == 503)
        #expect(becomes(503))
        let answer = ready()
        #expect(answer?.fields["retry-after"] == "1" && answer?.problem == .unavailable)
        #expect(try answer?.decoded(Problem.self).detail?.isEmpty == false)
        // No request comes but those for readiness.
        try backend.run("ALTER TABLE away RENAME TO nonce")
        usleep(1_200_000)
        #expect(ready()?.status == 503, "reading is not enough: writing must work")
        try backend.run("DROP TRIGGER broken_sequence")
        #expect(becomes(200))
        #expect(try machine.hold().status == 201)
        let post = client.call(WireRequest(method: "POST", authority: "localhost", path: "/readyz"))
        #expect(post?.status == 405)
    }
}
