import BackendAPI
import Cryptography
import Foundation
import Glibc
import KioskFlow
import KioskRuntime
import TestSupport
import Testing

@Suite("Floods and slow clients at an exposed backend [faults 52, 53]", .serialized)
struct AttackTests {
    /// The memory that an excessive request may cost the backend.
    private static let maxGrowthKiB = 10 * 1_024

    /// Resident memory of a process in KiB (proc(5)).
    private func memory(of pid: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return try #require(
            status.firstMatch(of: /VmRSS:\s+(\d+) kB/)
                .map { Int($0.1) ?? 0 })
    }

    /// Excessive requests, and the statuses that may answer them.
    private func floods(
        _ shop: FaultyShop, to authority: String
    ) async throws -> [(what: String, bytes: [UInt8], statuses: Set<String>)] {
        func wire(_ body: [UInt8], _ fields: [String: String] = [:]) -> [UInt8] {
            ReverseProxy.call(.holds, body, as: shop.keys[0], to: authority, fields)
        }
        func repeated(_ text: String, _ count: Int) -> [UInt8] {
            Array(String(repeating: text, count: count).utf8)
        }
        let folder = try TemporaryFolder()
        let bomb = folder.file("bomb.gz")
        try await Tool.succeed(
            "bash", ["-c", "head -c 1048576 /dev/zero | gzip -9 > \(bomb)"])
        let start = Array("POST /v1/holds HTTP/1.1\r\nHost: \(authority)\r\n".utf8)
        let headers = (0..<10_000).map { "X-\($0): a\r\n" }.joined()
        let chunks = repeated(
            "1000\r\n" + String(repeating: "a", count: 0x1000) + "\r\n", 1_024)
        return [
            ("a body of 10 MiB", wire(repeated("a", 10 << 20)), ["413"]),
            (
                "the announcement of such a body",
                start + Array("Content-Length: 10485760\r\n\r\n".utf8), ["413"]
            ),
            (
                "a field of 64 KiB", start + Array("X: ".utf8) + repeated("a", 65_536),
                [authority.hasPrefix("localhost") ? "400" : "431"]
            ),
            ("ten thousand fields", start + Array("\(headers)\r\n".utf8), ["400", "431", "413"]),
            ("JSON of 100,000 levels", wire(repeated("[", 100_000)), ["413"]),
            ("JSON of 4,000 levels", wire(repeated("[", 4_000)), ["400"]),
            (
                "a bomb of gzip",
                wire(
                    Array(try Data(contentsOf: URL(filePath: bomb))),
                    ["content-encoding": "gzip"]), ["400", "413", "415"]
            ),
            (
                "chunks without end",
                start + Array("Transfer-Encoding: chunked\r\n\r\n".utf8) + chunks, ["411", "413"]
            ),
        ]
    }

    @Test("Requests too large, too many or too deep are refused and cost no memory [fault 52]")
    func floods() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let port = try await shop.client(through: proxy, trusting: proxy.certificate)
            for _ in 0..<20 { _ = try await port.takePlace(.ticket, .fresh()).get() }
            let before = try memory(of: shop.backend.pid)
            let folder = try TemporaryFolder()
            let direct = String(shop.backend.address.dropFirst("http://".count))
            for _ in 0..<3 {
                for authority in ["localhost:\(proxy.port)", direct] {
                    for flood in try await floods(shop, to: authority) {
                        let file = try folder.write(flood.bytes, to: "request")
                        let answer =
                            authority == direct
                            ? try await ReverseProxy.answer(toFile: file, from: direct)
                            : try await proxy.answer(toFile: file)
                        let status = answer.split(separator: " ").dropFirst().first ?? ""
                        // At the backend itself, a client whose connection is closed while it still sends may not see
                        // the answer.
                        #expect(
                            answer.isEmpty && authority == direct
                                || flood.statuses.contains(String(status)),
                            "\(flood.what), at \(authority): \(answer)")
                    }
                }
            }
            let growth = try memory(of: shop.backend.pid) - before
            print("floods: the backend grew by \(growth) KiB")
            #expect(growth < Self.maxGrowthKiB, "\(growth) KiB")
            #expect(await port.takePlace(.ticket, .fresh()).failure == nil)
        }
    }

    /// Has slow clients attack (`Tests/slow-clients`), and makes calls from when most of them are there.
    ///
    /// - Parameters:
    ///   - kind: what is slow.
    ///   - clients: how many there are, each with one connection.
    ///   - seconds: how long the attack lasts, longer than the deadline of a head.
    ///   - call: a call of another client; there are at least 30.
    /// - Returns: the last figures of the attack.
    private func attack(
        _ kind: String, by clients: Int, from source: String = "127.0.0.1", at port: UInt16,
        _ path: String, seconds: Int, _ call: () async throws -> Void
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let output = folder.file("attack")
        let script = Tool.repository.appending(path: "Tests/slow-clients").path
        let attack = try Tool.start(
            "nice", ["-n", "10", script, kind, "\(port)", "\(clients)", source, path],
            output: output, errors: folder.file("errors"))
        func said() -> String {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").last.map(String.init) ?? ""
        }
        func isAtWork(for least: Int) -> Bool {
            let figure = said().firstMatch(of: /"seconds": (\d+)/).flatMap { Int($0.1) }
            return (figure ?? 0) >= least
        }
        // On a busy computer, hundreds of handshakes take their time.
        let hasBegun = await eventually(within: longTimeout) { isAtWork(for: 1) }
        let errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
        #expect(hasBegun, "\(said()) \(errors)")
        var calls = 0
        while hasBegun, attack.isRunning, calls < 30 || !isAtWork(for: seconds) {
            try await call()
            calls += 1
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
        #expect(attack.isRunning && calls >= 30)
        await attack.stop()
        print("slow \(kind): \(calls) calls meanwhile; \(said())")
        return said()
    }

    @Test(
        "Five hundred slow connections: other clients are served [fault 53]",
        arguments: ["heads", "readers"])
    func slow(kind: String) async throws {
        try await FaultyShop.with { shop in
            // The backend sees each connection as if it came from an address of its own.
            try await ReverseProxy.with(to: shop.backend.address, perConnection: true) { proxy in
                let tries = Locked(0)
                let port = try await shop.client(
                    through: proxy, trusting: proxy.certificate,
                    observe: { _ in tries.change { $0 += 1 } })
                _ = try await port.takePlace(.ticket, .fresh()).get()
                var calls = 0
                _ = try await attack(
                    kind, by: 500, at: proxy.port, "/v1/queue",
                    seconds: TestLength.choose(10, long: 60)
                ) {
                    #expect(await port.takePlace(.ticket, .fresh()).failure == nil)
                    calls += 1
                }
                // All but a hundredth of the customers were served at the first try; there was one call before.
                #expect(tries.value - 1 <= calls + calls / 100 + 1, "\(tries.value) for \(calls)")
            }
        }
    }

    @Test(
        "765 connections of one address with bodies that never end: others are served",
        // The connections of nginx with Debian's own settings, and with those of the guide.
        arguments: [768, ReverseProxy.guidedConnections])
    func slowBodies(connections: Int) async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address, connections: connections) {
                proxy in
                let port = try await shop.client(through: proxy, trusting: proxy.certificate)
                _ = try await port.takePlace(.ticket, .fresh()).get()
                var (answered, repeated) = (0, 0)
                _ = try await attack(
                    "bodies", by: 765, from: "127.0.0.9", at: proxy.port,
                    Route.machineStatus.path, seconds: TestLength.choose(10, long: 120)
                ) {
                    let key = AttemptKey.fresh()
                    var answer = await port.takePlace(.ticket, key)
                    if answer.failure == .unanswered, connections != ReverseProxy.guidedConnections
                    {
                        // The attack and its handshakes use up what Debian's nginx has: a customer may have to ask again.
                        repeated += 1
                        _ = await eventually {
                            answer = await port.takePlace(.ticket, key)
                            return answer.failure != .unanswered
                        }
                    }
                    #expect(answer.failure == nil)
                    answered += answer.failure == nil ? 1 : 0
                }
                #expect(repeated <= answered / 10 + 1, "\(connections) connections of nginx")
            }
        }
    }

    @Test("Pings whose answers are not read cost no memory, directly and through nginx")
    func unreadPings() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let folder = try TemporaryFolder()
            // A masked ping of 125 bytes, with a mask of zeros (RFC 6455 5.5.2).
            let ping = [0x89, 0x80 | 125, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 125)
            let pings = try folder.write(
                Array(repeating: ping, count: 8_000).flatMap(\.self), to: "pings")
            let before = try memory(of: shop.backend.pid)
            for (name, authority) in [
                ("direct", String(shop.backend.address.dropFirst("http://".count))),
                ("nginx", "localhost:\(proxy.port)"),
            ] {
                let key = try SigningKey.generate()
                _ = try await shop.backend.addDevice(
                    role: "entrance", name: name, key: key.publicKey.text)
                let ticket = try await proxy.ticket(key)
                let head = try folder.write(
                    ReverseProxy.opening(ticket, at: authority).utf8, to: "head")
                // Five seconds of pings only, a megabyte at a time; the answers stay unread.
                let wire =
                    name == "direct"
                    ? "exec 3<>/dev/tcp/\(authority.replacing(":", with: "/")); send >&3"
                    : "send | openssl s_client -quiet -connect \(authority) | sleep 7"
                _ = try await Tool.run(
                    "bash",
                    [
                        "-c",
                        """
                        send() {
                            cat "$1"
                            sleep 0.5
                            end=$((SECONDS + 5))
                            while [ $SECONDS -lt $end ]; do cat "$2" || return 0; done
                        }
                        trap '' PIPE
                        \(wire)
                        """.replacing("$1", with: head).replacing("$2", with: pings),
                    ])
                let growth = try memory(of: shop.backend.pid) - before
                print("unread pings, \(name): the backend grew by \(growth) KiB")
                #expect(growth < Self.maxGrowthKiB, "\(name): \(growth) KiB")
            }
        }
    }
}
