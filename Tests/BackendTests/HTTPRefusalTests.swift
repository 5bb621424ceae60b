import BackendAPI
import Foundation
import Reservations
import Synchronization
import Testing

/// Requests that two parsers could read differently, or that are too large: the HTTP library refuses some itself, before
/// the server sees the request.
@Suite("What the HTTP server refuses before the service sees it")
struct HTTPRefusalTests {
    private static func request(_ line: String, _ fields: [String], _ body: String) -> String {
        "\(line)\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n\(body)"
    }

    /// A request with the field Host and these.
    private static func get(_ fields: String...) -> String {
        request("GET / HTTP/1.1", ["Host: a"] + fields, "")
    }

    private static func post(_ fields: String..., body: String = "abc") -> String {
        request("POST / HTTP/1.1", ["Host: a"] + fields, body)
    }

    private static func line(_ line: String) -> String { request(line, ["Host: a"], "") }

    private static func long(_ count: Int, _ text: String = "b") -> String {
        String(repeating: text, count: count)
    }

    private static let ambiguous = [
        post("Content-Length: 3", "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
        post("Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n"),
        post("Transfer-Encoding: xchunked", body: "0\r\n\r\n"),
        post("Content-Length: 3", "Content-Length: 4", body: "abcd"),
        post("Content-Length: 3", "Content-Length: 3"), get("Host: b"),
        get("Content-Digest: x", "CONTENT-DIGEST: y"),
        get("Idempotency-Key: x", "idempotency-key: x"), get("X-Real-IP: ::1", "X-Real-IP: ::2"),
        get("X-A : b"), get("X-A: b\u{1}c"), get("X-A: b", " X-C: d"), get("X-A: b\rX-C: d"),
        get("no colon"), "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n", "GET / HTTP/1.1\r\nX-A: b\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\nHost: a\n\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\nabc",
        // A field behind the length, and a second request behind the first.
        post("Content-Length: +0", "X-A: b", body: get()),
    ]

    private static let lines = [
        "http://a/ HTTP/1.1", "a HTTP/1.1", "/a\0b HTTP/1.1", "/a%00b HTTP/1.1", "/a%0Ab HTTP/1.1",
        "/a%ff HTTP/1.1", "/a%c0%af HTTP/1.1", "/a%f HTTP/1.1", "/a% HTTP/1.1", "/é HTTP/1.1",
        "/ HTTP/1.1x", "/ http/1.1",
    ]

    private static let chunks = [
        "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\n\n", "3\r\nabc\r\n0\r\n\r\n", "0\r\n\r\n",
    ]

    private static let lengths = ["+0", "+3", "-1", "-3", "0x0", "0, 0", "", "3;", "3 3", "٣"]
    private static let tooLarge = ["9999999", "18446744073709551616", "99999999999999999999999"]
    private static let heads = [
        get("X-A: \(long(20_000))"), get("X-A: \(long(60_000))"), get("X-A: \(long(65_536))"),
        line("GET /\(long(20_000)) HTTP/1.1"), line("GET /\(long(60_000)) HTTP/1.1"),
        get((0..<10_000).map { "X-\($0): b" }.joined(separator: "\r\n")),
        // More parameters and more cookies than the library has memory for.
        line("GET /?\(long(7_000, "a&")) HTTP/1.1"), get("Cookie: \(long(3_000, "a=b;"))"),
    ]

    /// With the refusal that is due.
    static let refused: [(String, Refusal)] = [
        (ambiguous + lines.map { line("GET \($0)") }, .malformed),
        (lengths.map { post("Content-Length: \($0)") }, .malformed),
        (tooLarge.map { post("Content-Length: \($0)") }, .tooLarge),
        (chunks.map { post("Transfer-Encoding: chunked", body: $0) }, .lengthRequired),
        (["1.2", "2.0", "0.9"].map { line("GET / HTTP/\($0)") }, .versionNotSupported),
        ([line("BREW / HTTP/1.1")], .notImplemented), (heads, .headTooLarge),
    ].flatMap { (requests: [String], refusal: Refusal) in requests.map { ($0, refusal) } }

    @Test("It is answered once, by a problem, and the connection ends", arguments: refused)
    func once(bytes: String, refusal: Refusal) throws {
        try check(bytes, refusal) { client in client.send(bytes) }
        // The same holds if the request comes in small pieces.
        guard bytes.utf8.count < 1_000 else { return }
        try check(bytes, refusal) { client in
            for byte in bytes.utf8 where !client.send([byte]) { break }
        }
    }

    private func check(
        _ bytes: String, _ refusal: Refusal, _ send: (RawClient) -> Void
    ) throws {
        let calls = Mutex(0)
        let server = try HTTPServerTests.serve { _, respond in
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
        #expect(try RawClient(server.address).get()?.status == 200)
    }

    @Test("An answer before the refused request on the same connection comes whole and first")
    func behindAnother() throws {
        let server = try HTTPServerTests.serve()
        defer { server.stop() }
        let client = try RawClient(server.address)
        client.send(Self.get() + Self.post("Content-Length: +0"))
        let answers = String(decoding: client.everything(), as: UTF8.self)
            .split(separator: "HTTP/1.1 ")
        #expect(answers.map { $0.prefix(3) } == ["200", "400"])
    }
}
