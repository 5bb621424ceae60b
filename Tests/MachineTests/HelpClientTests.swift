import BackendAPI
import BackendClient
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

    private static let call = HelpCall(
        id: HelpCallID("help-1"), machine: MachineID("door"),
        since: BackendFacts.now)

    @Test("A silent server costs a second, then the next one is asked with the same key")
    func nextServer() async throws {
        let (isAsked, isOver) = (Flag(), Flag())
        let silent = try ScriptedServer { _ in
            isAsked.set()
            return .silence
        }
        let keys = Mutex<[String]>([])
        let good = try ScriptedServer { request in
            keys.withLock { $0.append(ScriptedServer.key(of: request)) }
            return .json(201, Self.call)
        }
        defer {
            silent.stop()
            good.stop()
        }
        let time = MachineClock(isRunning: false)
        let begin = time.now
        let client = try BackendClient.of(silent.address, good.address, time: time)
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
        #expect(keys.withLock { $0.allSatisfy { $0 == "start-1" } })
    }

    @Test("Without any answer the call fails within five seconds")
    func silence() async throws {
        let silent = try ScriptedServer { _ in .silence }
        defer { silent.stop() }
        let time = MachineClock(isRunning: false)
        let begin = time.now
        let client = try BackendClient.of(silent.address, time: time)
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
        let server = try ScriptedServer { _ in .refusal(.unknownRoute) }
        defer { server.stop() }
        let port = try BackendClient.of(server.address)
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
            return .json(200, Self.call)
        }
        defer { server.stop() }
        let port = try BackendClient.of(server.address)
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
