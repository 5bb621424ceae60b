import BackendAPI
import Dispatch
import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing
import UnixSocket

@Suite("The HTTP server")
struct HTTPServerTests {
    /// Answers with the request as text.
    static let echo: HTTPServer.Handler = { request, respond in
        let text =
            "\(request.method) \(request.authority) \(request.path) \(request.query) "
            + "\(request.fields["x-a"] ?? "-") \(request.body.count)"
        respond(WireResponse(status: 200, fields: ["x-b": "c"], body: Array(text.utf8)))
    }

    static func serve(
        limits: HTTPLimits = HTTPLimits(), _ handler: @escaping HTTPServer.Handler = echo
    ) throws -> HTTPServer {
        try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0), limits: limits, handler: handler)
    }

    private func text(_ response: WireResponse?) -> String? {
        response.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test("A request arrives as it was sent, and the answer comes back")
    func echo() throws {
        let server = try Self.serve()
        defer { server.stop() }
        let client = try RawClient(server.address)
        client.send(
            "POST /a/b%20c?d=%2F&e HTTP/1.1\r\nHost: LOCALHOST:80\r\nX-A:  v \r\nx-a: w\r\n"
                + "Content-Length: 3\r\n\r\nabc")
        let response = client.response()
        #expect(text(response) == "POST localhost /a/b%20c d=%2F&e v, w 3")
        #expect(response?.status == 200 && response?.fields["x-b"] == "c")
        // The connection stays open, also for two requests at once.
        let get = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        client.send(get + get.replacing("/1 ", with: "/2 "))
        #expect(text(client.response()) == "GET a /1  - 0")
        #expect(text(client.response()) == "GET a /2  - 0")
        // Neither default port is a part of the authority (RFC 9421 2.2.3).
        #expect(text(client.get("/3", as: "Queue.EXAMPLE:443")) == "GET queue.example /3  - 0")
        #expect(text(client.get("/4", as: "a:8443")) == "GET a:8443 /4  - 0")
        // Other methods are left to the service.
        for method in ["TRACE", "QUERY"] {
            client.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            #expect(client.response()?.status == 200)
        }
    }

    @Test("What is no request at all ends the connection")
    func garbage() throws {
        let wasCalled = Mutex(false)
        let server = try Self.serve { _, _ in wasCalled.withLock { $0 = true } }
        defer { server.stop() }
        for bytes in ["\u{16}\u{3}\u{1}garbage\r\n\r\n", "x\r\n\r\n"] {
            let client = try RawClient(server.address, timeout: 3)
            client.send(bytes)
            #expect(client.response().map { $0.status >= 400 } ?? true)
            #expect(client.isClosed() && !wasCalled.withLock { $0 })
        }
    }

    @Test("A body above the limit is refused, with or without a length, an endless one cut off")
    func largeBody() throws {
        var limits = HTTPLimits()
        limits.body = 1_000
        let server = try Self.serve(limits: limits)
        defer { server.stop() }
        let body = String(repeating: "b", count: 1_001)
        let chunked = "Transfer-Encoding: chunked\r\n\r\n"
        for (rest, status) in [
            ("Content-Length: 1001\r\n\r\n", 413), ("Content-Length: 1001\r\n\r\n\(body)", 413),
            ("\(chunked)3e9\r\n\(body)\r\n0\r\n\r\n", 411),
            ("Content-Length: 1000\r\n\r\n\(body.dropLast())", 200),
        ] {
            let client = try RawClient(server.address)
            client.send("POST / HTTP/1.1\r\nHost: a\r\n\(rest)")
            #expect(client.response()?.status == status, "\(rest.prefix(30))")
        }
        let endless = try RawClient(server.address)
        endless.send("POST / HTTP/1.1\r\nHost: a\r\n\(chunked)")
        var sends = 0
        while sends < 10_000, endless.send("3e9\r\n\(body)\r\n") { sends += 1 }
        #expect(sends < 10_000)
    }

    @Test("A head of many fields and spaces that comes in small pieces is read as a whole")
    func pieces() throws {
        let server = try Self.serve()
        defer { server.stop() }
        let fields = (0..<400).map { "X-\($0):  \(String(repeating: "v", count: $0 % 40)) \t\r\n" }
        let head = "GET /a HTTP/1.1\r\nHost: a\r\n\(fields.joined())X-A:\r\nX-Z: z\r\n\r\n"
        for size in [1, 7, 97, 1_021] {
            let client = try RawClient(server.address)
            var rest = Array(head.utf8)[...]
            while !rest.isEmpty {
                client.send(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(client.response()?.status == 200, "\(size)")
        }
    }

    @Test("A request that does not end is cut off by total time, not by idle time")
    func slow() async throws {
        var limits = HTTPLimits()
        limits.requestTime = .seconds(1)
        limits.keepAlive = .seconds(8)
        let server = try Self.serve(limits: limits)
        defer { server.stop() }
        let silent = try RawClient(server.address)
        let half = try RawClient(server.address)
        half.send("GET / HTTP/1.1\r\nHo")
        let body = try RawClient(server.address)
        body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na")
        let idle = try RawClient(server.address)
        #expect(idle.get()?.status == 200)
        let late = body.response()
        #expect(late?.status == 408 && late?.fields["connection"] == "close" && body.isClosed())
        #expect(silent.isClosed() && half.isClosed())
        #expect(idle.get()?.status == 200, "a connection between requests may wait longer")
        #expect(idle.isClosed())
    }

    @Test("Answers may come later, from other threads and in any order")
    func later() throws {
        let server = try Self.serve { request, respond in
            DispatchQueue.global().async { Self.echo(request, respond) }
        }
        defer { server.stop() }
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            guard let client = try? RawClient(server.address) else {
                Issue.record("no connection")
                return
            }
            for round in 0..<200 {
                let response = client.get("/\(index)/\(round)", as: "a")
                #expect(text(response) == "GET a /\(index)/\(round)  - 0")
            }
        }
    }

    @Test("Other computers are not served without a proxy")
    func notLocal() throws {
        for text in ["0.0.0.0:0", "192.168.1.1:80", "[::]:0"] {
            let address = try #require(ListenAddress(text))
            #expect(throws: HTTPServerError.notLocal(address)) {
                try HTTPServer(listen: address, handler: Self.echo)
            }
        }
        let all = try #require(ListenAddress("0.0.0.0:0"))
        try HTTPServer(listen: all, behindProxy: true, handler: Self.echo).stop()
        for text in ["", "8080", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:65536", "::1:80", "a:80"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }

    @Test("A port or a socket in use is refused with a sentence; an abandoned socket is replaced")
    func inUse() throws {
        let server = try Self.serve()
        defer { server.stop() }
        #expect(throws: HTTPServerError.inUse(server.address)) {
            try HTTPServer(listen: server.address, handler: Self.echo)
        }
        let directory = try TemporaryFolder()
        let address = ListenAddress.unix(path: directory.path + "/socket")
        let first = try HTTPServer(listen: address, handler: Self.echo)
        #expect(throws: HTTPServerError.inUse(address)) {
            try HTTPServer(listen: address, handler: Self.echo)
        }
        let client = try RawClient(address)
        #expect(text(client.get("/u", as: "a")) == "GET a /u  - 0")
        first.stop()
        #expect(access(directory.path + "/socket", F_OK) != 0)
        // A killed server leaves such a socket behind.
        let name = try #require(UnixSocketAddress(path: directory.path + "/socket"))
        close(try #require(name.listen(backlog: 1)))
        try HTTPServer(listen: address, handler: Self.echo).stop()
    }
}
