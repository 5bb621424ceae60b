import BackendAPI
import BackendClient
import Cryptography
import Foundation
import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite("Calls for help over the network (rules 31)", .timeLimit(.minutes(10)))
struct HelpClientTests {
    private let key = AttemptKey("start-1")

    private func client(
        _ servers: [ScriptedServer], time: MachineClock = .system
    ) throws -> BackendClient {
        try Cryptography.start()
        let signer = RequestSigner(key: try .generate())
        let addresses = servers.map { "http://127.0.0.1:\($0.port)" }.joined(separator: ",")
        return BackendClient(servers: try BackendServers(addresses), time: time) {
            signer.sign($0, created: 1_795_179_600, nonce: RequestSigner.makeNonce())
        }
    }

    private static func json(_ status: Int, _ value: some Encodable) -> String {
        let body = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
        let type = status < 300 ? "application/json" : Problem.contentType
        return "HTTP/1.1 \(status) x\r\ncontent-type: \(type)\r\n"
            + "content-length: \((body ?? "").utf8.count)\r\n\r\n\(body ?? "")"
    }

    private static let call = HelpCall(
        id: HelpCallID("help-1"), machine: MachineID("door"),
        since: LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60))

    @Test("A silent server costs a second, then the next one is asked with the same key")
    func nextServer() async throws {
        let (isAsked, isOver) = (Flag(), Flag())
        let silent = try ScriptedServer { _ in
            isAsked.set()
            return .silence
        }
        let keys = Mutex<[Bool]>([])
        let good = try ScriptedServer { request in
            keys.withLock {
                $0.append(request.lowercased().contains("idempotency-key: start-1"))
            }
            return .answer(Self.json(201, Self.call))
        }
        defer {
            silent.stop()
            good.stop()
        }
        let time = MachineClock(isRunning: false)
        let begin = time.now
        let client = try client([silent, good], time: time)
        async let called = {
            defer { isOver.set() }
            return await client.callHelp(key)
        }()
        var isGivenUp = false
        _ = await eventually {
            // Only the silent server's time is over.
            let givesUp = isAsked.isSet && !isGivenUp
            time.moveToNextEnd(evenAwaiting: givesUp)
            isGivenUp = isGivenUp || givesUp
            return isOver.isSet
        }
        #expect(await called == .success(Self.call))
        #expect(begin.duration(to: time.now) < .seconds(2.4))
        #expect(keys.withLock { $0.allSatisfy(\.self) })
    }

    @Test("Without any answer the call fails within five seconds")
    func silence() async throws {
        let silent = try ScriptedServer { _ in .silence }
        defer { silent.stop() }
        let time = MachineClock(isRunning: false)
        let begin = time.now
        let client = try client([silent], time: time)
        let isOver = Flag()
        async let called = {
            defer { isOver.set() }
            return await client.callHelp(key)
        }()
        #expect(
            await eventually {
                time.moveToNextEnd()
                return isOver.isSet
            })
        #expect(await called == .failure(.unanswered))
        #expect(begin.duration(to: time.now) <= .seconds(5))
    }

    @Test("An older backend has no calls for help, and is not asked for long")
    func olderBackend() async throws {
        let server = try ScriptedServer { _ in .answer(Self.json(404, Problem(.unknownRoute))) }
        defer { server.stop() }
        let port = try client([server])
        #expect(await port.callHelp(key) == .failure(.notUnderstood))
        #expect(await port.helpCalls() == .failure(.notUnderstood))
    }

    @Test("Each change names its call, and the person if there is one")
    func changes() async throws {
        let asked = Mutex<[String]>([])
        let server = try ScriptedServer { request in
            let line = request.split(separator: "\r\n").first.map(String.init) ?? ""
            let body = request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
            asked.withLock { $0.append("\(line) \(body)") }
            return .answer(Self.json(200, Self.call))
        }
        defer { server.stop() }
        let port = try client([server])
        _ = await port.goToHelp(Self.call.id, by: "Giulia", AttemptKey("a-1"))
        _ = await port.muteHelp(Self.call.id, by: "Giulia", AttemptKey("a-2"))
        _ = await port.endHelp(Self.call.id, .helped, by: "Giulia", AttemptKey("a-3"))
        _ = await port.endHelp(Self.call.id, .mistake, by: nil, AttemptKey("a-4"))
        let lines = asked.withLock { $0 }
        #expect(lines[0].hasPrefix("POST /v1/help/help-1/acknowledgement"))
        #expect(lines[1].hasPrefix("POST /v1/help/help-1/mute"))
        #expect(lines[2].hasPrefix("DELETE /v1/help/help-1"))
        #expect(lines.prefix(3).allSatisfy { $0.contains("Giulia") })
        #expect(lines[3].contains("mistake") && !lines[3].contains("\"by\""))
    }
}
