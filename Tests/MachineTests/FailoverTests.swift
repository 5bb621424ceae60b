import BackendAPI
import BackendClient
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("A chain of several servers", .timeLimit(.minutes(10)))
struct FailoverTests {
    private static let gone = "HTTP/1.1 204 x\r\n\r\n"

    private let servers = ScriptedServers()

    private func release(_ port: BackendClient, _ key: String) async -> Bool {
        await port.release(ReservationID("hold-1"), AttemptKey(key)).isSuccess
    }

    @Test(
        "If a server does not answer, the next one gets the same call and key, and is asked first from then",
        arguments: [
            .hangUp, .silence,
            .answer("HTTP/1.1 503 x\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"),
            .answer("HTTP/1.1 502 x\r\ncontent-length: 3\r\n\r\nbad"),
        ] as [ScriptedServer.Answer])
    func next(_ fault: ScriptedServer.Answer) async throws {
        let broken = try servers.start { _ in fault }
        let good = try servers.start { _ in .answer(Self.gone) }
        let port = try BackendClient.of(broken.address, good.address)
        #expect(await release(port, "key-1"))
        #expect(broken.keys == ["key-1"] && good.keys == ["key-1"])
        #expect(await release(port, "key-2"))
        #expect(
            broken.keys.count == 1,
            "the next call does not ask a server that the last one found dead")
    }

    @Test("If nothing listens at the first address, customers do not wait, and a poll moves on too")
    func refused() async throws {
        let good = try servers.start { _ in .http(200, "application/json", "{}") }
        // Nothing listens at port 1 (tcpmux, RFC 1078).
        let port = try BackendClient.of("http://127.0.0.1:1", good.address)
        // The answer is not a backend's; the test asks only whether it came.
        let came = await port.queue()
        #expect(throws: BackendFailure.notUnderstood, "the poll did not reach the second server") {
            try came.get()
        }
        #expect(good.requests.count == 1)
    }

    @Test("If all servers are gone, it is reported as for one, and the first that returns is used")
    func none() async throws {
        let first = try servers.start { _ in .hangUp }
        let second = try servers.start { _ in .hangUp }
        let port = try BackendClient.of(first.address, second.address)
        #expect(await !release(port, "key-1"))
        #expect(
            first.keys.count >= 2 && second.keys.count >= 2, "each has its share of the tries")
        #expect(Set(first.keys + second.keys) == ["key-1"])
    }

    @Test("A list with an empty entry, a repetition or a wrong address is refused")
    func lists() throws {
        for text in ["", "https://a,", "https://a,https://A", "https://a b", "https://a;https://b"]
        {
            #expect(throws: BackendAddress.Malformed.self) { try BackendServers(text) }
        }
        let servers = try BackendServers("https://a , https://b:8443")
        #expect(servers.addresses.map(\.authority) == ["a", "b:8443"])
    }
}
