import Cryptography
import Testing

@testable import WebPush

@Suite("Bodies of pushes")
struct SealedPushTests {
    @Test("The example of RFC 8291 5 is sealed byte for byte")
    func example() throws {
        let body = SealedPush.seal(
            Array("When I grow up, I want to be a watermelon".utf8), for: try SampleBrowser.keys(),
            secret: try SampleBrowser.bytes(SampleBrowser.senderSecret),
            salt: try SampleBrowser.bytes(SampleBrowser.salt))
        #expect(
            body.map { Base64.encode($0, .urlSafe) }
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6"
                + "e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZ"
                + "wbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test("All bodies have one length, and no two share salt, key or text")
    func lengths() throws {
        let keys = try SampleBrowser.keys()
        let contents = [0, 1, 500, 639, 640].map { [UInt8](repeating: 0x61, count: $0) }
        let bodies = try (contents + contents).map {
            try #require(SealedPush.seal($0, for: keys))
        }
        #expect(Set(bodies.map(\.count)) == [86 + 640 + 17])
        #expect(Set(bodies.map { $0[..<16] }).count == bodies.count)
        #expect(Set(bodies.map { $0[21..<86] }).count == bodies.count)
        #expect(Set(bodies.map { $0[86...] }).count == bodies.count)
        #expect(SealedPush.seal([UInt8](repeating: 0x61, count: 641), for: keys) == nil)
    }

    @Test("A secret that is no scalar, and a salt of another length, seal nothing")
    func wrongSecret() throws {
        let keys = try SampleBrowser.keys()
        let salt = try SampleBrowser.bytes(SampleBrowser.salt)
        let zero = [UInt8](repeating: 0, count: 32)
        let all = [UInt8](repeating: 0xFF, count: 32)
        for secret in [zero, all, [], [1]] {
            #expect(SealedPush.seal([], for: keys, secret: secret, salt: salt) == nil)
        }
        #expect(SealedPush.seal([], for: keys, secret: [1] + zero.dropLast(), salt: [1]) == nil)
        #expect(SealedPush.seal([], for: keys, secret: [1] + zero.dropLast(), salt: salt) != nil)
    }

    @Test("Keys that are no point, have another length, or are written otherwise are refused")
    func keys() throws {
        let point = try SampleBrowser.bytes(SampleBrowser.p256dh)
        func refused(_ change: (inout [UInt8]) -> Void) -> Bool {
            var bytes = point
            change(&bytes)
            return PushKeys(p256dh: Base64.encode(bytes, .urlSafe), auth: SampleBrowser.auth) == nil
        }
        #expect(!refused { _ in })
        #expect(refused { $0[64] ^= 1 })
        #expect(refused { $0[1] ^= 0x80 })
        #expect(refused { $0[0] = 2 })
        #expect(refused { $0[0] = 6 })
        #expect(refused { $0 = [2] + $0[1..<33] })
        #expect(refused { $0.append(0) })
        #expect(refused { $0.removeLast() })
        #expect(refused { $0 = [] })
        // The point at infinity, and coordinates that are not below the field's prime.
        #expect(refused { $0 = [4] + [UInt8](repeating: 0, count: 64) })
        #expect(refused { $0 = [4] + [UInt8](repeating: 0xFF, count: 64) })
        for text in [
            SampleBrowser.p256dh + "=", SampleBrowser.p256dh + "\n",
            SampleBrowser.p256dh.replacing("_", with: "/").replacing("-", with: "+"),
            String(SampleBrowser.p256dh.dropLast()) + "5",
        ] { #expect(PushKeys(p256dh: text, auth: SampleBrowser.auth) == nil, "\(text)") }
        for text in [
            "", SampleBrowser.auth + "==", SampleBrowser.auth + "AA", "BTBZMqHH6r4Tts7J_aSI",
        ] {
            #expect(PushKeys(p256dh: SampleBrowser.p256dh, auth: text) == nil, "\(text)")
        }
    }

    @Test("A text about keys or a push shows nothing of them")
    func description() throws {
        let push = try Push.sample(to: "https://fcm.googleapis.com/x", content: "called")
        var dumped = ""
        dump(push.keys, to: &dumped)
        dump(push, to: &dumped)
        let text =
            "\(push.keys) \(String(reflecting: push.keys)) \(push) \(String(reflecting: push)) "
            + dumped
        for secret in ["googleapis", "called", "place", "[", "66", "107"] {
            #expect(!text.contains(secret), "\(text)")
        }
    }
}
