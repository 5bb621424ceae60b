import Cryptography
import Foundation
import TestSupport
import Testing

@testable import WebPush

/// The browser and the sender of RFC 8291 5.
enum SampleBrowser {
    static let p256dh =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    static let senderSecret = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let senderPublic =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"

    static func keys() throws -> PushKeys { try #require(PushKeys(p256dh: p256dh, auth: auth)) }

    static func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64.decode(text, .urlSafe))
    }

    static func sender() throws -> VapidKey {
        try #require(VapidKey(secret: try bytes(senderSecret)))
    }
}

extension Push {
    /// A push with a short content.
    static func sample(to endpoint: String, content: String = "7") throws -> Push {
        Push(
            endpoint: endpoint, keys: try SampleBrowser.keys(), content: Array(content.utf8),
            timeToLive: 600, urgency: .high, topic: "place")
    }
}

extension PushSender {
    /// A sender to the fakes of a test.
    convenience init(
        to fakes: FakePushService..., timeoutMs: Int = 10_000
    ) throws {
        self.init(
            services: try #require(PushServices(fakes.map(\.origin).joined(separator: ","))),
            key: try SampleBrowser.sender(), subject: "mailto:push@example.com",
            limits: .init(connectTimeoutMs: min(3_000, timeoutMs), timeoutMs: timeoutMs),
            now: { Int64(Date.now.timeIntervalSince1970) })
    }

    /// Sends pushes at once, and returns their outcomes in order.
    func send(_ pushes: [Push]) async -> [PushOutcome] {
        await withTaskGroup { group in
            for (index, push) in pushes.enumerated() {
                group.addTask { (index, await self.send(push)) }
            }
            var outcomes = [PushOutcome](repeating: .unreached, count: pushes.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }
}
