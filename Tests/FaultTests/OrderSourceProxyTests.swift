import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("A shop's own system calls through nginx (rules: announced-orders)")
struct OrderSourceProxyTests {
    /// A signed call whose body is not there yet, and its body in two chunks.
    private func chunked(
        _ route: Route, _ body: String, as key: SigningKey, at authority: String
    ) throws -> (head: String, body: String) {
        let bytes = ReverseProxy.call(route, Array(body.utf8), as: key, to: authority)
        let text = String(decoding: bytes, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        let head = text[..<end.lowerBound].split(separator: "\r\n").map { String($0) }.filter {
            !$0.lowercased().hasPrefix("content-length:")
        }
        let halves = [body.prefix(body.count / 2), body.dropFirst(body.count / 2)]
        let chunks = halves.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        let more = ["expect: 100-continue", "transfer-encoding: chunked"]
        return ((head + more).joined(separator: "\r\n") + "\r\n\r\n", chunks + "0\r\n\r\n")
    }

    /// Sends a body after nginx has asked for it, so that it cannot have read it with the head.
    private func answer(
        to call: (head: String, body: String), of proxy: ReverseProxy
    ) async throws -> String {
        let script = """
            coproc TLS { timeout 120 openssl s_client -quiet -connect 127.0.0.1:$1 -servername localhost; }
            exec {to}>&"${TLS[1]}" {from}<&"${TLS[0]}"
            printf %s "$2" >&"$to"
            read -r continued <&"$from"
            read -r end <&"$from"
            printf %s "$3" >&"$to"
            printf '%s\\n' "$continued"
            LC_ALL=C tr -cd '\\r\\n -~' <&"$from"
            """
        return try await Tool.run(
            "bash", ["-c", script, "bash", "\(proxy.port)", call.head, call.body]
        ).output
    }

    @Test(
        "A body in chunks, as .NET sends it, is taken for an order; elsewhere it is refused by a sentence"
    )
    func chunks() async throws {
        try await FaultyShop.behindProxy { shop, proxy in
            try await shop.backend.openDesk()
            let key = try SigningKey.generate()
            try await shop.backend.addOrderSource(key: key.publicKey.text)
            let authority = "localhost:\(proxy.port)"
            let promised = (Date() + 3_600).formatted(.iso8601)
            let body = #"{"promised":"\#(promised)","parcels":[{"size":"small"}]}"#
            // The backend knows the new key and the desk within a second.
            var said = ""
            let isTaken = try await eventually {
                said = try await answer(
                    to: chunked(.orderAnnouncement("1001"), body, as: key, at: authority),
                    of: proxy)
                return said.contains("HTTP/1.1 201 ")
            }
            #expect(isTaken && said.hasPrefix("HTTP/1.1 100 "), "\(said)")
            #expect(said.contains("\"reference\":\"1001\""), "\(said)")
            let elsewhere = try await answer(
                to: chunked(.holds, #"{"kind":"ticket"}"#, as: shop.keys[0], at: authority),
                of: proxy)
            #expect(elsewhere.contains("HTTP/1.1 411 "), "\(elsewhere)")
            #expect(elsewhere.contains("a body needs a Content-Length"), "\(elsewhere)")
        }
    }
}
