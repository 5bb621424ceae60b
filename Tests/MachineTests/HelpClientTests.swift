import BackendAPI
import BackendClient
import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import TestSupport
import Testing

@Suite("Calls for help over the network (rules: help-answers)", .timeLimit(.minutes(10)))
struct HelpClientTests {
    private let key = AttemptKey("start-1")
    private let servers = ScriptedServers()

    private static let call = HelpCall(
        id: HelpCallID("help-1"), machine: MachineID("door"),
        since: BackendFacts.now)

    /// Calls for help at servers, and moves the clock until there is an answer.
    ///
    /// - Returns: the answer, and the time that it took.
    private func called(
        _ first: ScriptedServer, _ others: ScriptedServer...
    ) async throws -> (answer: BackendAnswer<HelpCall>, took: Duration) {
        let isOver = Flag()
        let time = MachineClock(isRunning: false)
        let begin = time.now
        let addresses = ([first] + others).map(\.address).joined(separator: ", ")
        let client = try BackendClient.of(addresses, time: time)
        async let called = {
            defer { isOver.set() }
            return await client.callHelp(key)
        }()
        var isGivenUp = false
        let isAnswered = await eventually {
            // If there is another server, only the first one's time is over.
            let givesUp = others.isEmpty || !first.requests.isEmpty && !isGivenUp
            time.moveToNextEnd(evenAwaiting: givesUp)
            isGivenUp = isGivenUp || givesUp
            return isOver.isSet
        }
        #expect(isAnswered)
        return (await called, begin.duration(to: time.now))
    }

    @Test("A silent server costs a second, then the next one is asked with the same key")
    func nextServer() async throws {
        let silent = try servers.start { _ in .silence }
        let good = try servers.start { _ in .json(201, Self.call) }
        let (answer, took) = try await called(silent, good)
        #expect(answer == .success(Self.call) && took < .seconds(2.4))
        #expect(good.keys.allSatisfy { $0 == "start-1" })
    }

    @Test("Without any answer the call fails within five seconds")
    func silence() async throws {
        let (answer, took) = try await called(servers.start { _ in .silence })
        #expect(answer == .failure(.unanswered) && took <= .seconds(5))
    }

    @Test("An older backend has no calls for help, and is not asked for long")
    func olderBackend() async throws {
        let server = try servers.start { _ in .refusal(.unknownRoute) }
        let port = try BackendClient.of(server.address)
        #expect(await port.callHelp(key) == .failure(.notUnderstood))
        #expect(await port.helpCalls() == .failure(.notUnderstood))
    }

    @Test("Each change names its call, and the person if there is one")
    func changes() async throws {
        let server = try servers.start { _ in .json(200, Self.call) }
        let port = try BackendClient.of(server.address)
        _ = await port.goToHelp(Self.call.id, by: "Giulia", AttemptKey("a-1"))
        _ = await port.muteHelp(Self.call.id, by: "Giulia", AttemptKey("a-2"))
        _ = await port.endHelp(Self.call.id, .helped, by: "Giulia", AttemptKey("a-3"))
        _ = await port.endHelp(Self.call.id, .mistake, by: nil, AttemptKey("a-4"))
        let lines = server.requests.map { "\($0.start) \($0.body)" }
        #expect(lines[0].hasPrefix("POST /v1/help/help-1/acknowledgement"))
        #expect(lines[1].hasPrefix("POST /v1/help/help-1/mute"))
        #expect(lines[2].hasPrefix("DELETE /v1/help/help-1"))
        #expect(lines.prefix(3).allSatisfy { $0.contains("Giulia") })
        #expect(lines[3].contains("mistake") && !lines[3].contains("\"by\""))
    }
}
