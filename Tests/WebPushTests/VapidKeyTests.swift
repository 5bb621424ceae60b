import Cryptography
import Foundation
import Testing

@testable import WebPush

@Suite("The sender's key and its tokens")
struct VapidKeyTests {
    /// The order of P-256 (SEC 2, 2.4.2).
    private static let order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + Array(repeating: 0xFF, count: 8)
        + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84]
        + [0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]

    @Test("A key is 32 bytes between 1 and the order of the curve; its public half is RFC 8291's")
    func scalars() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(try SampleBrowser.sender().publicKey == SampleBrowser.senderPublic)
        #expect(VapidKey(secret: zero.dropLast() + [1]) != nil)
        #expect(VapidKey(secret: Self.order.dropLast() + [0x50]) != nil)
        let others: [[UInt8]] = [
            zero, Self.order, Self.order.dropLast() + [0x52], Array(repeating: 0xFF, count: 32),
            [], zero + [1], Array(repeating: 1, count: 31), Array(repeating: 1, count: 33),
        ]
        for secret in others { #expect(VapidKey(secret: secret) == nil, "\(secret)") }
    }

    @Test("The field names token and key; the token holds origin, end and subject (RFC 8292)")
    func structure() throws {
        let key = try SampleBrowser.sender()
        for subject in ["mailto:a\"b\\c@example.com", "https://example.com/x", nil] {
            let field = key.authorization(
                for: "https://push.example.com", subject: subject, expires: 1_900_000_000)
            let match = try #require(
                field.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
            func decoded(_ text: Substring) throws -> [String: any Sendable] {
                let bytes = try #require(Base64.decode(String(text), .urlSafe))
                let object = try JSONSerialization.jsonObject(with: Data(bytes))
                return try #require(object as? [String: any Sendable])
            }
            let head = try decoded(match.1)
            #expect(head as? [String: String] == ["alg": "ES256", "typ": "JWT"])
            let claims = try decoded(match.2)
            #expect(claims.count == (subject == nil ? 2 : 3))
            #expect(claims["aud"] as? String == "https://push.example.com")
            #expect(claims["exp"] as? Int == 1_900_000_000)
            #expect(claims["sub"] as? String == subject)
            #expect(Base64.decode(String(match.3), .urlSafe)?.count == 64)
            #expect(String(match.4) == key.publicKey)
        }
    }

    @Test("A token serves its origin for six hours, and is replaced when the clock goes back")
    func tokens() throws {
        var tokens = VapidTokens(key: try SampleBrowser.sender(), subject: nil)
        let first = tokens.field(for: "https://a.example", now: 1_000_000)
        #expect(tokens.field(for: "https://a.example", now: 1_000_000 + 6 * 3_600) == first)
        #expect(tokens.field(for: "https://b.example", now: 1_000_000) != first)
        let second = tokens.field(for: "https://a.example", now: 1_000_000 + 6 * 3_600 + 1)
        #expect(second != first)
        let third = tokens.field(for: "https://a.example", now: 1_000_000)
        #expect(third != second)
        #expect(tokens.field(for: "https://a.example", now: 1_000_000) == third)
    }

    @Test("However many origins there are, only some tokens are kept")
    func bounded() throws {
        var tokens = VapidTokens(key: try SampleBrowser.sender(), subject: nil)
        for index in 0..<300 {
            _ = tokens.field(for: "https://\(index).example", now: 1_000_000)
            #expect(tokens.count <= 128)
        }
    }

    @Test(
        "Apple's push service is named if it would refuse the sender's host, and no other service")
    func subject() throws {
        let all = try #require(PushServices("fcm.googleapis.com,web.push.apple.com"))
        for host in ["queue.example.it", "example.com", "negozio.xn--p1ai"] {
            #expect(PushSubject.refusing(host, among: all) == nil, "\(host)")
        }
        for host in [
            nil, "localhost", "queue", "queue.local", "queue.localhost", "192.168.1.7", "[fd00::7]",
            "queue.lan", "shop.internal", "queue.home.arpa", "queue.test", "queue.invalid",
        ] {
            #expect(
                PushSubject.refusing(host, among: all) == "web.push.apple.com", "\(host ?? "none")")
        }
        let below = try #require(PushServices("*.push.apple.com"))
        #expect(PushSubject.refusing("localhost", among: below) == "web.push.apple.com")
        let others = try #require(PushServices("fcm.googleapis.com,*.notify.windows.com"))
        #expect(PushSubject.refusing("localhost", among: others) == nil)
    }
}
