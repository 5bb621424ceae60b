import BackendAPI
import BackendService
import Foundation
import Reservations
import Synchronization
import TestSupport
import Testing
import WebPush

@Suite("Notices of places are pushed to browsers [rules: notices]")
final class NoticeServiceTests: FullShop {
    private let services = FakePushServices()

    init() throws {
        let limits = LimitedAction.standards(.subscriptions, .placeSubscriptions)
        try super.init(limits, pushes: services.pushes)
    }

    @Test("A browser that has subscribed gets the call, with what its page needs to show it")
    func called() async throws {
        #expect(try phone.look().pushKey == services.pushes.publicKey)
        #expect(try phone.subscribe("a", language: "de").status == 204)
        let socket = try phone.open()
        #expect(try socket.place().pushKey == nil)
        backend.callNext()
        #expect(await eventually { services.pushed.count == 1 })
        let push = try #require(services.pushed.first)
        let message = try #require(services.messages(NoticeMessage.self).first)
        #expect(message.kind == .called && message.number == mine.number)
        #expect(message.capability == phone.capability.rawValue && message.language == "de")
        #expect(message.shopName == "Città")
        let place = try phone.look().reservation
        #expect(place.status == .called && message.time == place.enterBy)
        #expect((590...600).contains(push.timeToLive) && push.urgency == .high)
        #expect(push.topic.utf8.count == 32 && push.endpoint == "https://push.example/a")
        #expect(try await eventually { try backend.count("notice") == 0 })
        #expect(try backend.count("notice_day WHERE kind = 'called' AND sent = 1") == 1)
        #expect(backend.metrics.contains("clup_notices_total{kind=\"called\",fate=\"sent\"} 1"))
    }

    @Test("A browser that is gone is forgotten; one whose service refuses is not tried again")
    func outcomes() async throws {
        services.outcomes = [
            "https://push.example/gone": .gone,
            "https://push.example/refused": .refused(status: 403),
        ]
        for name in ["gone", "refused"] { #expect(try phone.subscribe(name).status == 204) }
        backend.callNext()
        #expect(await eventually { services.pushed.count == 2 })
        #expect(try await eventually { try backend.count("notice") == 0 })
        #expect(try backend.count("subscription") == 1)
        #expect(try backend.count("notice_day WHERE unsent = 2") == 1)
        #expect(
            await eventually {
                backend.lines.value.contains { $0.contains("push-refused") && $0.contains("403") }
            })
        // The log has neither endpoints nor capabilities.
        #expect(!backend.lines.value.contains { $0.contains("push.example/") })
    }

    @Test("A service that is busy, or out of reach, is tried again while the notice is of use")
    func again() async throws {
        services.outcomes = ["https://push.example/a": .busy(retryAfter: .seconds(40))]
        #expect(try phone.subscribe("a").status == 204)
        backend.callNext()
        func isPostponed(_ tries: Int, by seconds: ClosedRange<Int>) async throws -> Bool {
            let now = backend.time.now.milliseconds
            let (first, last) = (seconds.lowerBound * 1_000, seconds.upperBound * 1_000)
            return try await eventually {
                try backend.count(
                    "notice WHERE tries = \(tries) AND next_ms - \(now) BETWEEN \(first) AND \(last)"
                )
                    == 1
            }
        }
        #expect(try await isPostponed(1, by: 40...40))
        #expect(services.pushed.count == 1)
        services.outcomes = ["https://push.example/a": .unreached]
        backend.time.advance(by: .seconds(40))
        #expect(try await isPostponed(2, by: 2...4))
        #expect(services.pushed.count == 2)
        services.outcomes = [:]
        // The service is left alone for some seconds. The notice is sent before its end, which is near, or not at all.
        backend.time.advance(by: .seconds(540))
        #expect(
            try await eventually {
                backend.time.advance(by: .seconds(1))
                return try backend.count("notice") == 0
            })
    }

    @Test("What was undone before it is sent is not sent")
    func undone() async throws {
        services.outcomes = ["https://push.example/a": .busy(retryAfter: .seconds(20))]
        #expect(try phone.subscribe("a").status == 204)
        #expect(try phone.call(.withdrawal, code: mine.digits).status == 204)
        #expect(await eventually { services.pushed.count == 1 })
        let next = (backend.time.now + .seconds(20)).milliseconds
        #expect(try await eventually { try backend.count("notice WHERE next_ms = \(next)") == 1 })
        services.outcomes = [:]
        backend.time.advance(by: .seconds(1))
        #expect(try phone.call(.undo, code: mine.digits).status == 204)
        #expect(await eventually { services.pushed.count == 2 })
        #expect(try await eventually { try backend.count("notice") == 0 })
        // That the place was given back is reported no more, and that it is there again once: what is reported next is that
        // it is given back once more.
        backend.time.advance(by: .seconds(60))
        #expect(try phone.call(.withdrawal, code: mine.digits).status == 204)
        #expect(await eventually { services.pushed.count >= 3 })
        let kinds = try services.messages(NoticeMessage.self).map(\.kind)
        #expect(kinds == [.givenBack, .restored, .givenBack])
    }

    @Test("A browser that ends its subscription hears nothing more; the others of its place do")
    func ended() async throws {
        for name in ["a", "b"] { #expect(try phone.subscribe(name).status == 204) }
        #expect(try phone.endSubscription("a").status == 204)
        #expect(try phone.endSubscription("unknown").status == 204)
        backend.callNext()
        #expect(await eventually { services.pushed.count == 1 })
        #expect(services.pushed.first?.endpoint == "https://push.example/b")
    }

    @Test("Endpoints of other hosts, wrong keys, other places and long bodies are refused")
    func refused() throws {
        let good = phone.subscription("a")
        let long = "/" + String(repeating: "a", count: 2_000) + "\""
        for (body, refusal) in [
            (good.replacing("push.example", with: "10.0.0.1"), Refusal.pushServiceUnknown),
            (good.replacing("BCVx", with: "BCVy"), .malformed),
            (good.replacing("\"it\"", with: "\"<b>\""), .malformed), ("{}", .malformed),
            (good.replacing(phone.capability.rawValue.suffix(4), with: "0000"), .notFound),
            (good.replacing("/a\"", with: long), .tooLarge),
        ] {
            #expect(try backend.post(.subscription, body).problem == refusal, "\(body.prefix(90))")
        }
        #expect(try backend.count("subscription") == 0)
    }

    @Test("The link alone keeps no holder of the ticket from notices, and ends none of theirs")
    func linksAlone() throws {
        func subscribe(
            _ name: String, from address: String, digits: String? = nil
        ) throws -> WireResponse {
            let body = phone.subscription(name, digits: digits)
            return try backend.post(.subscription, body, from: address)
        }
        // The customer's browser, then those of others at many addresses, who have photographed the link.
        #expect(try subscribe("mine", from: "203.0.113.1").status == 204)
        var refused = 0
        for number in 0..<40 {
            let answer = try subscribe("\(number)", from: "192.0.2.\(number)")
            if answer.problem == .noticesTaken { refused += 1 }
        }
        #expect(refused == 38, "three are as many as may be, and one in 20 seconds may try")
        #expect(try backend.count("subscription") == 3)
        #expect(try backend.count("subscription WHERE endpoint LIKE '%/mine'") == 1)
        // A family with the ticket has three more, and the fourth takes the place of its own oldest.
        for name in ["a", "b", "c", "d"] {
            let answer = try subscribe(name, from: "203.0.113.2", digits: phone.digits)
            #expect(answer.status == 204, "\(name)")
        }
        #expect(try backend.count("subscription WHERE is_proved = 0") == 3)
        #expect(try backend.count("subscription WHERE is_proved = 1") == 3)
        // The browser that is there already may be shown to be the customer's.
        #expect(try subscribe("mine", from: "203.0.113.1", digits: phone.digits).status == 204)
        #expect(try backend.count("subscription WHERE is_proved = 0") == 2)
        let wrong = altered(phone.digits)
        #expect(try subscribe("e", from: "203.0.113.3", digits: wrong).problem == .wrongDigits)
        // One address has its own limit.
        let answers = try (0..<12).map {
            try subscribe("f\($0)", from: "203.0.113.4", digits: phone.digits).status
        }
        #expect(answers.suffix(2) == [429, 429])
    }

    @Test("Without push services, nothing of notices is there")
    func none() throws {
        let phone = try FullShop().phone
        #expect(try phone.look().pushKey == nil)
        #expect(try phone.subscribe("a").status == 404)
        #expect(try phone.endSubscription("a").status == 404)
    }
}

/// Push services that answer as the test wants, in the place of those of browsers' makers.
final class FakePushServices: Sendable {
    private let content = Mutex((pushed: [Push](), outcomes: [String: PushOutcome]()))

    /// What was sent, in order.
    var pushed: [Push] { content.withLock { $0.pushed } }

    /// The messages in them.
    func messages<Message: Decodable>(_ type: Message.Type) throws -> [Message] {
        try pushed.map { try JSONDecoder().decode(type, from: Data($0.content)) }
    }

    /// What becomes of a push to an endpoint; it is accepted unless it is here.
    var outcomes: [String: PushOutcome] {
        get { content.withLock { $0.outcomes } }
        set { content.withLock { $0.outcomes = newValue } }
    }

    var pushes: NoticePushes {
        NoticePushes(publicKey: "key", services: PushServices("push.example")!) { [self] push in
            content.withLock { content in
                content.pushed.append(push)
                return content.outcomes[push.endpoint] ?? .accepted
            }
        }
    }
}

extension TestBackend {
    /// The customers who were called do not come, so that those who wait are called.
    func callNext() {
        time.advance(by: .minutes(10))
        store.tick()
    }
}

extension TestPhone {
    /// The body with which a browser subscribes; the keys are those of RFC 8291 5.
    func subscription(
        _ name: String, language: String = "it", digits: String? = nil
    ) -> String {
        let digits = digits.map { ",\"typedCode\":\"\($0)\"" } ?? ""
        return """
            {"capability":"\(capability.rawValue)"\(digits),"endpoint":"https://push.example/\(name)",\
            "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",\
            "auth":"BTBZMqHH6r4Tts7J_aSIgg","language":"\(language)"}
            """
    }

    func subscribe(_ name: String, language: String = "it") throws -> WireResponse {
        try Self.send(
            request(.subscription, subscription(name, language: language)), to: backend)
    }

    func endSubscription(_ name: String) throws -> WireResponse {
        let body =
            "{\"capability\":\"\(capability.rawValue)\",\"endpoint\":\"https://push.example/\(name)\"}"
        return try Self.send(request(.subscriptionEnd, body), to: backend)
    }
}
