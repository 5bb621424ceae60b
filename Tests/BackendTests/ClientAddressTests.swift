import BackendAPI
import Glibc
@testable import HTTPServer
import TestSupport
import Testing

@Suite("The address that a request comes from")
struct ClientAddressTests {
    private func address(_ peer: String, naming name: String?) throws -> String {
        let site = SocketAddress.with(peer) {
            // An address of any family is at most as large.
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { [peer = $0] in $0.copyMemory(from: peer) }
            return withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    ClientAddress.texts(peer: $0, name.map { [ClientAddress.field: $0] } ?? [:])
                        .site
                }
            }
        }
        return try #require(site)
    }

    @Test(
        "A client on another computer is known by its own address, whatever X-Real-IP it sends",
        arguments: [
            ("203.0.113.9", "203.0.113.9"), ("10.0.0.7", "10.0.0.7"), ("128.0.0.1", "128.0.0.1"),
            ("126.255.255.255", "126.255.255.255"), ("0.0.0.0", "0.0.0.0"),
            ("2001:db8:7:1::1", "2001:db8:7::/48"), ("fe80::1", "fe80:0:0::/48"),
            ("::2", "0:0:0::/48"), ("::", "0:0:0::/48"), ("1::1", "1:0:0::/48"),
            ("::ffff:203.0.113.9", "203.0.113.9"), ("::ffff:128.0.0.1", "128.0.0.1"),
        ])
    func foreign(peer: String, text: String) throws {
        for claim in [nil, "198.51.100.1", "127.0.0.1", "::1", "2001:db8:9::1", "", "x"] {
            #expect(try address(peer, naming: claim) == text, "\(peer) claims \(claim ?? "-")")
        }
    }

    @Test(
        "A proxy on this computer is believed",
        arguments: [
            "127.0.0.1", "127.0.0.3", "127.255.255.254", "::1", "::ffff:127.0.0.1", "unix",
        ])
    func own(peer: String) throws {
        for (claim, text) in [
            ("203.0.113.9", "203.0.113.9"), ("2001:db8:7:1::1", "2001:db8:7::/48"),
            ("::ffff:203.0.113.9", "203.0.113.9"), ("unix:", ""), ("", ""),
            ("203.0.113.9, 198.51.100.1", ""),
        ] {
            #expect(try address(peer, naming: claim) == text)
        }
        #expect(try address(peer, naming: nil) == "")
    }

    @Test(
        "A client from this computer's outer address or another address is not believed",
        .enabled(if: outside != nil, "this computer has no address but its loopback's"))
    func real() throws {
        let outside = try #require(Self.outside)
        let server = try HTTPServer(
            listen: .tcp(address: "0.0.0.0", port: 0), behindProxy: true
        ) { request, respond in
            let seen = request.client
            respond(WireResponse(status: 200, fields: [:], body: Array(seen.utf8)))
        }
        defer { server.stop() }
        guard case .tcp(_, let port) = server.address else {
            throw RawClient.Failure(operation: "port")
        }
        // A client that connects to this computer's outer address has that address, too.
        for (host, text) in [(outside, outside), ("127.0.0.1", "203.0.113.9")] {
            let client = try RawClient(.tcp(address: host, port: port))
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Real-IP: 203.0.113.9\r\n\r\n")
            let answer = client.response()
            #expect(answer.map { String(decoding: $0.body, as: UTF8.self) } == text)
        }
    }

    /// An IPv4 address of this computer that is not the loopback's.
    private static let outside = (try? Tool.succeedBlocking("hostname", ["--all-ip-addresses"]))?
        .split(whereSeparator: \.isWhitespace).map(String.init).first { !$0.contains(":") }
}
