import BackendAPI
import BackendClient
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite("A chain of several servers", .timeLimit(.minutes(10)))
struct FailoverTests {
    private static let gone = "HTTP/1.1 204 x\r\n\r\n"

    /// A server that records the idempotency key of each request before its answer.
    private struct Server {
        private final class Keys: Sendable {
            let all = Mutex<[String]>([])
        }

        private let keys = Keys()
        let scripted: ScriptedServer

        init(_ answer: ScriptedServer.Answer) throws {
            scripted = try ScriptedServer { [keys] request in
                keys.all.withLock { $0.append(ScriptedServer.key(of: request)) }
                return answer
            }
        }

        var asked: [String] { keys.all.withLock { $0 } }
        var address: String { scripted.address }
    }

    private func release(_ port: BackendClient, _ key: String) async -> Bool {
        await port.release(ReservationID("hold-1"), AttemptKey(key)).isSuccess
    }

    private static func faults() -> [ScriptedServer.Answer] {
        [
            .hangUp, .silence,
            .answer("HTTP/1.1 503 x\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"),
            .answer("HTTP/1.1 502 x\r\ncontent-length: 3\r\n\r\nbad"),
        ]
    }

    @Test(
        "If a server does not answer, the next one gets the same call and key, and is asked first from then",
        arguments: 0..<4)
    func next(_ fault: Int) async throws {
        let broken = try Server(Self.faults()[fault])
        let good = try Server(.answer(Self.gone))
        defer { for server in [broken, good] { server.scripted.stop() } }
        let port = try BackendClient.of(broken.address, good.address)
        #expect(await release(port, "key-1"))
        #expect(broken.asked == ["key-1"])
        #expect(good.asked == ["key-1"])
        #expect(await release(port, "key-2"))
        #expect(
            broken.asked.count == 1,
            "the next call does not ask a server that the last one found dead")
    }

    @Test("If nothing listens at the first address, customers do not wait, and a poll moves on too")
    func refused() async throws {
        let asked = Mutex(0)
        let good = try ScriptedServer { _ in
            asked.withLock { $0 += 1 }
            return .http(200, "application/json", "{}")
        }
        defer { good.stop() }
        // Nothing listens at port 1 (tcpmux, RFC 1078).
        let port = try BackendClient.of("http://127.0.0.1:1", good.address)
        // The answer is not a backend's; the test asks only whether it came.
        let came = await port.queue()
        #expect(throws: BackendFailure.notUnderstood, "the poll did not reach the second server") {
            try came.get()
        }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("If all servers are gone, it is reported as for one, and the first that returns is used")
    func none() async throws {
        let first = try Server(.hangUp)
        let second = try Server(.hangUp)
        defer { for server in [first, second] { server.scripted.stop() } }
        let port = try BackendClient.of(first.address, second.address)
        #expect(await !release(port, "key-1"))
        #expect(
            first.asked.count >= 2 && second.asked.count >= 2, "each has its share of the tries")
        #expect(Set(first.asked + second.asked) == ["key-1"])
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
