import BackendAPI
import BackendClient
import Cryptography
import Foundation
import Glibc
import KioskFlow
import KioskRuntime
import TestSupport
import Testing

@Suite("An exposed backend behind nginx [faults 52-54]")
struct ReverseProxyTests {
    @Test(
        "A ticket over TLS; a wrong authority or name is refused by the machine, which takes its next server [fault 59]"
    )
    func ticket() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            // The machine may trust several authorities, in one file.
            let folder = try TemporaryFolder()
            let all = try ["/etc/ssl/certs/ca-certificates.crt", proxy.certificate].map {
                try String(contentsOfFile: $0, encoding: .utf8)
            }.joined()
            let port = try await shop.client(
                through: proxy, trusting: folder.write(all.utf8, to: "authorities"))
            let hold = try await port.takePlace(.ticket, .fresh()).get().id
            #expect(try await port.confirm(hold, .fresh()).get().id == hold)
            let stranger = try await shop.client(through: proxy, trusting: nil)
            #expect(await stranger.queue().failure == .unanswered)
            let misnamed = try await shop.client(
                through: proxy, trusting: proxy.certificate, at: ["127.0.0.1"])
            #expect(await misnamed.queue().failure == .unanswered)
            let wary = try await shop.client(
                through: proxy, trusting: proxy.certificate, at: ["127.0.0.1", "localhost"])
            #expect(await wary.takePlace(.ticket, .fresh()).failure == nil)
        }
    }

    @Test("TLS 1.2 is for older phones and Windows servers, with its good ciphers only")
    func versions() async throws {
        try await FaultyShop.behindProxy { _, proxy in
            let gcm = "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256"
            let cbc =
                "ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256:AES128-SHA:AES128-GCM-SHA256"
            for (options, isTaken) in [
                (["-tls1_3"], true), (["-tls1_2"], true), (["-tls1_2", "-cipher", gcm], true),
                (["-tls1_2", "-cipher", cbc], false),
                (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], false),
            ] {
                let answer = try await Tool.run(
                    "openssl", ["s_client", "-connect", "localhost:\(proxy.port)"] + options)
                #expect((answer.status == 0) == isTaken, "\(options): \(answer.output)")
            }
        }
    }

    @Test("The backend learns from the proxy who asks, whatever is claimed; others are not slowed")
    func origin() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            /// The statuses of the answers to machines with new keys that ask for pairing codes, on one connection: a token
            /// comes back every six seconds.
            func statuses(_ count: Int, from address: String) async throws -> [String] {
                let calls = try (1...count).map { index in
                    let key = try SigningKey.generate()
                    let body = "{\"key\":\"\(key.publicKey.text)\"}"
                    let call = ReverseProxy.call(
                        .pairings, Array(body.utf8), as: key, to: "localhost:\(proxy.port)",
                        ["x-real-ip": "203.0.113.9"])
                    let text = String(decoding: call, as: UTF8.self)
                    return index < count
                        ? text.replacing("connection: close\r\n", with: "") : text
                }
                return try await proxy.answer(to: calls.joined(), from: address)
                    .matches(of: /HTTP\/1.1 (\d+)/).map { String($0.output.1) }
            }
            let many = try await statuses(20, from: "127.0.0.3")
            #expect(many.count == 20 && many.prefix(10).allSatisfy { $0 == "201" }, "\(many)")
            #expect(many.suffix(10).contains("429"), "\(many)")
            let origins = try await Tool.succeed(
                "sqlite3", [shop.backend.database, "SELECT DISTINCT origin FROM pairing"])
            #expect(origins.trimmingCharacters(in: .whitespacesAndNewlines) == "127.0.0.3")
            #expect(try await statuses(1, from: "127.0.0.2") == ["201"])
            let port = try await shop.client(through: proxy, trusting: proxy.certificate)
            #expect(await port.takePlace(.ticket, .fresh()).failure == nil)
        }
    }

    @Test(
        "A request that two parsers could read differently is refused and the connection closed [fault 54]",
        arguments: [
            "Content-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Content-Length: 4\\r\\nContent-Length: 5\\r\\n\\r\\nabcde",
            "Content-Length: -1\\r\\n\\r\\n", "Content-Length: 1 1\\r\\n\\r\\n",
            "Transfer-Encoding: chunked, identity\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: xchunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "X: a\\0000b\\r\\nContent-Length: 0\\r\\n\\r\\n",
            "Host: other\\r\\nContent-Length: 0\\r\\n\\r\\n",
            "X: a\\r\\n Y: b\\r\\nContent-Length: 0\\r\\n\\r\\n",
            "X: a\\rY: b\\r\\nContent-Length: 0\\r\\n\\r\\n",
            "X : a\\r\\nContent-Length: 0\\r\\n\\r\\n",
        ])
    func smuggling(fields: String) async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let answer = try await proxy.answer(
                to: "POST /v1/holds HTTP/1.1\\r\\nHost: localhost:\(proxy.port)\\r\\n\(fields)"
                    + "GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
            let status = answer.split(separator: " ").dropFirst().first
            #expect(["400", "501"].contains(status ?? ""), "\(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
        }
    }

    @Test(
        "A target that is no path of this server is refused, or means the path in it [fault 54]",
        arguments: [
            ("GET /healthz\\r\\n", ["400"]), ("GET /\\0303\\0050 HTTP/1.1", ["400"]),
            ("GET / HTTP/1.1\\r\\nX: \\0303\\0050", ["404"]), ("GET /a%00b HTTP/1.1", ["400"]),
            ("GET /a\\0000b HTTP/1.1", ["400"]),
            ("GET http://elsewhere.example/v1/queue HTTP/1.1", ["421"]),
            ("CONNECT elsewhere.example:443 HTTP/1.1", ["400", "405", "501"]),
            ("GET /../etc/passwd HTTP/1.1", ["400"]), ("GET //v1//queue HTTP/1.1", ["404"]),
        ])
    func targets(line: String, statuses: [String]) async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let answer = try await proxy.answer(
                to:
                    "\(line)\\r\\nHost: localhost:\(proxy.port)\\r\\nConnection: close\\r\\n\\r\\n"
            )
            // HTTP/0.9 has no head: the only possible answer is a refusal.
            let status = answer.split(separator: " ").dropFirst().first.map(String.init)
            #expect(
                answer.isEmpty || answer.contains("400 Bad Request")
                    || answer.hasPrefix("{") && answer.contains("\"status\":400")
                    || statuses.contains(status ?? ""), "\(answer)")
            #expect(!answer.contains("root:") && !answer.contains(" 200 "), "\(answer)")
        }
    }

    @Test("Requests sent at once are answered in order, each with its own answer [fault 54]")
    func pipelined() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let host = "Host: localhost:\(proxy.port)\\r\\n"
            let answer = try await proxy.answer(
                to:
                    "GET /healthz HTTP/1.1\\r\\n\(host)\\r\\nGET /v1/nothing HTTP/1.1\\r\\n\(host)"
                    + "\\r\\nGET /v1/queue HTTP/1.1\\r\\n\(host)Connection: close\\r\\n\\r\\n")
            let statuses = answer.matches(of: /HTTP\/1.1 (\d+)/).map { String($0.1) }
            #expect(statuses == ["200", "404", "401"], "\(answer)")
        }
    }

    @Test("Hundreds of silent connections are ended; tickets go on [fault 53]")
    func slowloris() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            let silent = try proxy.openSilently(400)
            defer { for connection in silent { close(connection) } }
            let port = try await shop.client(through: proxy, trusting: proxy.certificate)
            let hold = try await port.takePlace(.ticket, .fresh()).get().id
            #expect(try await port.confirm(hold, .fresh()).get().id == hold)
            #expect(await eventually { silent.allSatisfy(ReverseProxy.isClosed) })
        }
    }
}
