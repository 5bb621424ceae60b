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
    private func client(
        _ shop: FaultyShop, _ proxy: ReverseProxy, trusting authorities: String?,
        at host: String = "localhost"
    ) async throws -> BackendPort {
        let signer = RequestSigner(key: shop.keys[0])
        let key = try #require(PublicKey(text: try await shop.backend.publicKey()))
        let verifier = AnswerVerifier(key: key)
        return BackendClient(
            servers: try BackendServers("https://\(host):\(proxy.port)"), authorities: authorities,
            verify: { verifier.created($0, to: $1) }
        ) { request in
            signer.sign(request, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
        }.port
    }

    @Test("A ticket over TLS; a wrong authority or a wrong name is not talked to [fault 59]")
    func ticket() async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { proxy in
                let port = try await client(shop, proxy, trusting: proxy.certificate)
                let hold = try await port.takePlace(.ticket, .fresh()).get().id
                #expect(try await port.confirm(hold, .fresh()).get().id == hold)
                let stranger = try await client(shop, proxy, trusting: nil)
                #expect(await stranger.queue().failure == .unanswered)
                let misnamed = try await client(
                    shop, proxy, trusting: proxy.certificate, at: "127.0.0.1")
                #expect(await misnamed.queue().failure == .unanswered)
                let old = try await Command.run(
                    "openssl", ["s_client", "-tls1_2", "-connect", "localhost:\(proxy.port)"])
                #expect(old.status != 0)
            }
        }
    }

    @Test("A display's WebSocket goes through, with what is called now")
    func webSocket() async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { proxy in
                let key = try SigningKey.generate()
                _ = try await shop.backend.addDevice(
                    role: "display", name: "window", key: key.publicKey.text)
                let host = "localhost:\(proxy.port)"
                // A new key is known within a second (rules 27).
                var ticket: Substring?
                _ = try await eventually(within: .seconds(10)) {
                    let request = RequestSigner(key: key).sign(
                        WireRequest(
                            method: "POST", authority: host, path: Route.sessions.path,
                            fields: ["idempotency-key": RequestSigner.makeNonce()]),
                        created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
                    let fields = request.fields.map { "\($0.key): \($0.value)\\r\\n" }.joined()
                    let answer = try await proxy.answer(
                        to: "POST \(request.path) HTTP/1.1\\r\\nHost: \(host)\\r\\n\(fields)"
                            + "Content-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
                    ticket = answer.split(separator: "\"ticket\":\"").dropFirst().first?
                        .prefix { $0 != "\"" }
                    return ticket != nil
                }
                let answer = try await proxy.answer(
                    to: "GET /v1/turns?ticket=\(try #require(ticket)) HTTP/1.1\\r\\nHost: \(host)"
                        + "\\r\\nConnection: keep-alive, Upgrade\\r\\nUpgrade: websocket\\r\\n"
                        + "Sec-WebSocket-Version: 13\\r\\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n", within: 3)
                #expect(answer.hasPrefix("HTTP/1.1 101 "), "\(answer)")
                #expect(answer.contains("\"sequence\":"), "\(answer)")
            }
        }
    }

    @Test(
        "What two parsers could read differently is refused and the connection closed [fault 54]",
        arguments: [
            "Content-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Content-Length: 4\\r\\nContent-Length: 5\\r\\n\\r\\nabcde",
            "Content-Length: -1\\r\\n\\r\\n", "Content-Length: 1 1\\r\\n\\r\\n",
            "Transfer-Encoding: chunked, identity\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: xchunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "X: a\\0000b\\r\\nContent-Length: 0\\r\\n\\r\\n",
            "Host: other\\r\\nContent-Length: 0\\r\\n\\r\\n",
        ])
    func smuggling(fields: String) async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { proxy in
                let answer = try await proxy.answer(
                    to: "POST /v1/holds HTTP/1.1\\r\\nHost: localhost:\(proxy.port)\\r\\n\(fields)"
                        + "GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                let status = answer.split(separator: " ").dropFirst().first
                #expect(["400", "501"].contains(status ?? ""), "\(answer)")
                #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
            }
        }
    }

    @Test("Bodies and heads beyond all need are refused [fault 52]")
    func tooLarge() async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { proxy in
                let start = "POST /v1/holds HTTP/1.1\\r\\nHost: localhost:\(proxy.port)\\r\\n"
                let body = try await proxy.answer(
                    to: start + "Content-Length: 10485760\\r\\n\\r\\n")
                #expect(body.hasPrefix("HTTP/1.1 413 "), "\(body)")
                let head = try await proxy.answer(
                    to: start + "X: \(String(repeating: "a", count: 65_536))\\r\\n\\r\\n")
                #expect(head.hasPrefix("HTTP/1.1 400 "), "\(head)")
            }
        }
    }

    @Test("Hundreds of connections that say nothing are ended; tickets go on [fault 53]")
    func slowloris() async throws {
        try await FaultyShop.with { shop in
            try await ReverseProxy.with(to: shop.backend.address) { proxy in
                let silent = try proxy.openSilently(400)
                defer { for connection in silent { close(connection) } }
                let port = try await client(shop, proxy, trusting: proxy.certificate)
                let hold = try await port.takePlace(.ticket, .fresh()).get().id
                #expect(try await port.confirm(hold, .fresh()).get().id == hold)
                let areGone = await eventually(within: .seconds(30)) {
                    silent.allSatisfy(ReverseProxy.isClosed)
                }
                #expect(areGone)
            }
        }
    }
}
