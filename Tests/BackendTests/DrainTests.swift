import BackendAPI
import Cryptography
import Foundation
import Reservations
import SQLite
import TestSupport
import Testing

@Suite("A server that is stopped")
struct DrainTests {
    /// The results that customers at eight machines saw.
    private struct Seen {
        var acknowledged: Set<String> = []
        var sentAway = 0
        var unanswered: [String] = []
        var done = 0
        /// The status codes with which the displays' connections were closed.
        var closures: [Int?] = []
    }

    /// A connection that is idle for this long may be closed while a request is on its way, as on any server (RFC 9112
    /// 9.5); a machine then repeats it. `HTTPLimits.quiet` is longer.
    private static let idle = Duration.milliseconds(200)

    /// One machine that takes places for as long as the server accepts its connections.
    private static func load(_ program: ServedProgram, _ key: SigningKey, _ seen: Locked<Seen>) {
        while let client = try? RawClient(program.address) {
            var used = ContinuousClock.now
            func call(_ what: String, _ request: WireRequest) -> WireResponse? {
                let answer = client.call(request)
                // On a busy computer this thread may have stood still before it sent the request.
                let mayHaveRested = ContinuousClock.now - used > idle
                if answer == nil, !mayHaveRested { seen.change { $0.unanswered.append(what) } }
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
                if confirmed.status == 201 { seen.change { $0.acknowledged.insert(id.rawValue) } }
                if isEnd(confirmed, seen) { break }
            }
        }
    }

    /// Whether the machine should go to another server.
    private static func isEnd(_ answer: WireResponse, _ seen: Locked<Seen>) -> Bool {
        guard answer.fields["connection"] == "close" else { return false }
        if answer.status == 503, answer.fields["retry-after"] == "1" {
            seen.change { $0.sentAway += 1 }
        }
        return true
    }

    @Test("Under load no acknowledged place is lost, every customer is answered, displays get 1001")
    func underLoad() async throws {
        try Cryptography.start()
        let machines = try (0..<8).map { _ in try SigningKey.generate() }
        let displays = try (0..<2).map { _ in try SigningKey.generate() }
        let program = try ServedProgram(
            keys: machines.map { ("machine", $0) } + displays.map { ("display", $0) })
        let sockets = try displays.map { try program.openSocket($0) }
        #expect(try RawClient(program.address).get("/readyz")?.status == 200)
        let idle = try RawClient(program.address)
        #expect(idle.get("/healthz")?.status == 200)
        let seen = Locked(Seen())
        // As a page does, a display reads each number as it comes.
        for socket in sockets {
            nonisolated(unsafe) let socket = socket
            Thread.detachNewThread {
                let status = socket.closed()
                seen.change { $0.closures.append(status) }
            }
        }
        // Its database and address do not change while threads read them.
        nonisolated(unsafe) let served = program
        for key in machines {
            Thread.detachNewThread {
                Self.load(served, key, seen)
                seen.change { $0.done += 1 }
            }
        }
        #expect(await eventually(within: longTimeout) { seen.value.acknowledged.count >= 100 })
        program.process.signal(SIGTERM)
        #expect(await eventually(within: longTimeout) { seen.value.done == machines.count })
        #expect(program.process.waitBlocking() == 0)
        #expect(seen.value.done == machines.count && seen.value.unanswered == [])
        #expect(seen.value.sentAway >= 1 && seen.value.acknowledged.count >= 100)
        #expect(await eventually { seen.value.closures.count == sockets.count })
        #expect(seen.value.closures == [1_001, 1_001])
        #expect(idle.hasEnded)
        let stored = Set(
            try Connection(path: program.database, opening: .existing)
                .rows("SELECT id FROM reservation WHERE number IS NOT NULL") { $0.text(0) })
        #expect(seen.value.acknowledged.isSubset(of: stored))
    }

    @Test("It becomes ready again by itself once the disk accepts writes")
    func readiness() async throws {
        let backend = try TestBackend()
        let machine = try backend.enrol()
        // Each question has its own connection: one that waits too long for a busy disk spoils no later one.
        func ready(_ method: String = "GET") -> WireResponse? {
            try? RawClient(backend.address).call(
                WireRequest(method: method, authority: "localhost", path: "/readyz"))
        }
        func becomes(_ status: Int) async -> Bool {
            await eventually { ready()?.status == status }
        }
        #expect(ready()?.status == 200)
        #expect(String(decoding: ready()?.body ?? [], as: UTF8.self) == "{\"ready\":true}")
        // The test imitates a failing disk: every row of a hold and every attempt to write is refused.
        try backend.run(
            "CREATE TRIGGER broken_sequence BEFORE UPDATE ON change_sequence "
                + "BEGIN SELECT RAISE(ABORT, 'broken'); END")
        try backend.run("ALTER TABLE nonce RENAME TO away")
        #expect(try machine.hold().status == 503)
        #expect(await becomes(503))
        let answer = ready()
        #expect(answer?.fields["retry-after"] == "1" && answer?.problem == .unavailable)
        #expect(try answer?.decoded(Problem.self).detail?.isEmpty == false)
        // No request comes but those for readiness.
        try backend.run("ALTER TABLE away RENAME TO nonce")
        for _ in 0..<2 { backend.store.tick() }
        #expect(ready()?.status == 503, "reading is not enough: writing must work")
        try backend.run("DROP TRIGGER broken_sequence")
        #expect(await becomes(200))
        #expect(try machine.hold().status == 201)
        #expect(ready("POST")?.status == 405)
    }
}
