import BackendAPI
import Foundation
import HTTPServer
import Reservations
import Synchronization
import Testing

/// Refusals that the HTTP library makes itself, before the server sees the request.
@Suite("What the HTTP library refuses itself")
struct LibraryRefusalTests {
    private static let host = "Host: a\r\n"

    private static func post(_ length: String) -> String {
        "POST / HTTP/1.1\r\n\(host)Content-Length: \(length)\r\n\r\nabc"
    }

    /// Requests with the refusal that is due, each of which the library refuses at another place.
    static let refused: [(String, Refusal)] =
        ["+0", "-1", "0x0", "0, 0", "", "3;", "3 3", "٣"].map { (post($0), .malformed) }
        + ["18446744073709551616", "99999999999999999999999"].map { (post($0), .tooLarge) } + [
            // A field behind the length, and a second request behind the first.
            (
                "POST / HTTP/1.1\r\n\(host)Content-Length: +0\r\nX-A: b\r\n\r\n"
                    + "GET / HTTP/1.1\r\n\(host)\r\n", .malformed
            ),
            ("GET / HTTP/1.1\r\n\r\n", .malformed),
            ("GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n", .malformed),
            ("GET /\r\n\r\n", .malformed),
            ("GET / HTTP/1.1x\r\n\(host)\r\n", .malformed),
            ("GET / http/1.1\r\n\(host)\r\n", .malformed),
            ("GET / HTTP/2.0\r\n\(host)\r\n", .versionNotSupported),
            ("GET / HTTP/0.9\r\n\(host)\r\n", .versionNotSupported),
            (
                "GET / HTTP/1.1\r\n\(host)X-A: \(String(repeating: "b", count: 60_000))\r\n\r\n",
                .headTooLarge
            ),
            (
                "GET /\(String(repeating: "b", count: 60_000)) HTTP/1.1\r\n\(host)\r\n",
                .headTooLarge
            ),
            (
                "GET / HTTP/1.1\r\n\(host)\((0..<10_000).map { "X-\($0): b\r\n" }.joined())\r\n",
                .headTooLarge
            ),
            // More parameters and more cookies than the library has memory for.
            (
                "GET /?\(String(repeating: "a&", count: 7_000)) HTTP/1.1\r\n\(host)\r\n",
                .headTooLarge
            ),
            (
                "GET / HTTP/1.1\r\n\(host)Cookie: \(String(repeating: "a=b;", count: 3_000))\r\n\r\n",
                .headTooLarge
            ),
        ]

    @Test(
        "It is answered once, by a problem of the contract, and the connection ends",
        arguments: refused)
    func once(bytes: String, refusal: Refusal) throws {
        try check(bytes, refusal) { client in client.send(bytes) }
    }

    @Test(
        "The same holds if the request comes in small pieces",
        arguments: refused.filter { $0.0.utf8.count < 1_000 })
    func pieces(bytes: String, refusal: Refusal) throws {
        try check(bytes, refusal) { client in
            for byte in bytes.utf8 where !client.send([byte]) { break }
        }
    }

    private func check(
        _ bytes: String, _ refusal: Refusal, _ send: (RawClient) -> Void
    ) throws {
        let calls = Mutex(0)
        let server = try HTTPServer(listen: .tcp(address: "127.0.0.1", port: 0)) { _, respond in
            calls.withLock { $0 += 1 }
            respond(WireResponse(status: 200))
        }
        defer { server.stop() }
        let client = try RawClient(server.address)
        send(client)
        let answer = client.everything()
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
        #expect(text.hasPrefix("HTTP/1.1 \(refusal.status) "), "\(text)")
        #expect(!text.contains("<html>"))
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        let fields = try #require(parts.first).lowercased().split(separator: "\r\n").dropFirst()
        #expect(fields.contains("connection: close"))
        #expect(fields.contains("content-type: \(Problem.contentType)"))
        let body = Data(try #require(parts.last).utf8)
        #expect(fields.contains("content-length: \(body.count)"))
        let problem = try JSONDecoder().decode(Problem.self, from: body)
        #expect(problem.refusal == refusal && problem.status == refusal.status)
        #expect(calls.withLock { $0 } == 0)
        // The server goes on for others.
        let after = try RawClient(server.address)
        after.send("GET / HTTP/1.1\r\n\(Self.host)\r\n")
        #expect(after.response()?.status == 200)
    }

    @Test("An answer before the refused request on the same connection comes whole and first")
    func behindAnother() throws {
        let server = try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0), handler: HTTPServerTests.echo)
        defer { server.stop() }
        let client = try RawClient(server.address)
        client.send("GET /1 HTTP/1.1\r\n\(Self.host)\r\n" + Self.post("+0"))
        let answers = String(decoding: client.everything(), as: UTF8.self)
            .split(separator: "HTTP/1.1 ")
        #expect(answers.map { $0.prefix(3) } == ["200", "400"])
    }
}
