import TestSupport
import Testing

@testable import WebPush

/// What the backend sends is opened and verified by http-ece and py-vapid (PyPI), which share no code with it.
@Suite("Pushes as browsers and push services see them")
struct ReceivedPushTests {
    @Test("Every push is opened by its browser, and its token is the sender's, for this service")
    func opened() async throws {
        let browser = try await PushBrowser()
        let keys = try #require(PushKeys(p256dh: browser.p256dh, auth: browser.auth))

        let fake = try FakePushService()
        let sender = try PushSender(to: fake)
        let contents =
            ["", "7", #"{"kind":"called","number":12,"text":"Può entrare ora"}"#]
            + (0..<20).map { String(repeating: "x", count: $0 * 32) }
        let pushes = contents.map {
            Push(
                endpoint: fake.endpoint(.answers(201)), keys: keys, content: Array($0.utf8),
                timeToLive: 600, urgency: .high, topic: "place")
        }
        let outcomes = await sender.send(pushes)
        #expect(outcomes == Array(repeating: .accepted, count: pushes.count))

        // The fake has them in the order in which they came.
        let requests = try pushes.map { push in
            let request = fake.requests.first { push.endpoint.hasSuffix($0.path) }
            return try #require(request)
        }
        let opened = try await browser.open(requests, at: fake.origin)
        #expect(opened.map(\.content) == contents)
        #expect(Set(opened.map(\.sender)) == [SampleBrowser.senderPublic])
        #expect(Set(opened.map(\.subject)) == ["mailto:push@example.com"])
        #expect(Set(opened.map(\.size)).count == 1)
        #expect(Set(opened.map(\.salt)).count == opened.count)
        #expect(Set(opened.map(\.key)).count == opened.count)
    }
}
