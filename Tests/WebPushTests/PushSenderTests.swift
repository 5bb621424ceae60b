import Foundation
import TestSupport
import Testing

@testable import WebPush

@Suite("Sending pushes to fake push services")
struct PushSenderTests {
    private let fake: FakePushService
    private let sender: PushSender

    init() throws {
        fake = try FakePushService()
        sender = try PushSender(to: fake)
    }

    @Test("Each answer of a push service has its outcome")
    func answers() async throws {
        for (manner, outcome) in [
            (.answers(201), .accepted), (.answers(202), .accepted), (.answers(404), .gone),
            (.answers(410), .gone), (.answers(400), .refused(status: 400)),
            (.answers(429), .busy(retryAfter: nil)),
            (.answers(429, fields: ["Retry-After": "120"]), .busy(retryAfter: .seconds(120))),
            (.answers(503, fields: ["retry-after": "9999"]), .busy(retryAfter: .seconds(3_600))),
            (.answers(500), .busy(retryAfter: nil)),
        ] as [(FakePushService.Manner, PushOutcome)] {
            let sent = await sender.send(try .sample(to: fake.endpoint(manner)))
            #expect(sent == outcome, "\(manner)")
        }
    }

    @Test("The request has the fields of RFC 8030 and RFC 8291, and no others of libcurl")
    func request() async throws {
        var push = try Push.sample(to: fake.endpoint(.answers(201)))
        push.urgency = .normal
        push.timeToLive = -5
        push.topic = ""
        #expect(
            await sender.send([try .sample(to: push.endpoint), push]) == [.accepted, .accepted])
        let requests = fake.requests
        #expect(requests.count == 2)
        let first = try #require(requests.first { $0.fields["topic"] == "place" })
        #expect(
            Set(first.fields.keys) == [
                "host", "ttl", "urgency", "topic", "content-encoding", "content-type",
                "content-length", "authorization",
            ])
        #expect(first.fields["ttl"] == "600")
        #expect(first.fields["urgency"] == "high")
        #expect(first.fields["content-encoding"] == "aes128gcm")
        #expect(first.fields["content-type"] == "application/octet-stream")
        #expect(first.body.count == 743)
        let second = try #require(requests.first { $0.fields["topic"] == nil })
        #expect(second.fields["ttl"] == "0")
        #expect(second.fields["urgency"] == "normal")
        #expect(second.body.count == 743)
    }

    @Test("A redirect is not followed")
    func redirect() async throws {
        let target = try FakePushService()
        let sender = try PushSender(to: fake, target)
        for status in [301, 302, 303, 307, 308] {
            let to = target.endpoint(.answers(201))
            let push = try Push.sample(
                to: fake.endpoint(.answers(status, fields: ["Location": to])))
            #expect(await sender.send(push) == .refused(status: status))
        }
        #expect(target.connections == 0)
    }

    @Test("An answer that does not end is cut off; its status counts if its head came")
    func excess() async throws {
        // Long before the time of a push is over.
        let sender = try PushSender(to: fake, timeoutMs: 60_000)
        #expect(await sender.send(try .sample(to: fake.endpoint(.hugeBody))) == .accepted)
        #expect(await sender.send(try .sample(to: fake.endpoint(.headWithoutEnd))) == .unreached)
        // What the sockets' buffers take comes on top of what libcurl has read.
        #expect(fake.excess < 8 * 1_048_576, "\(fake.excess)")
    }

    @Test(
        "A push service that gives no answer is not reached, within the time of a push; a body that comes too slowly does not change the status",
        arguments: [
            (.silent, .unreached), (.dripsHead, .unreached), (.interimOnly, .unreached),
            (.hangsUp, .unreached), (.breaksOff, .unreached), (.dripsBody, .accepted),
        ] as [(FakePushService.Manner, PushOutcome)])
    func noAnswer(manner: FakePushService.Manner, outcome: PushOutcome) async throws {
        let sender = try PushSender(to: fake, timeoutMs: 2_000)
        #expect(await sender.send(try .sample(to: fake.endpoint(manner))) == outcome)
        #expect(!fake.requests.isEmpty)
    }

    @Test("Without a listener, and with one that completes no connection, nothing is reached")
    func noConnection() async throws {
        let full = try FullListener()
        let refusing = try ReservedPort()
        let free = "http://\(refusing.address)"
        let sender = PushSender(
            services: try #require(PushServices("\(full.address),\(free)")),
            key: try SampleBrowser.sender(), subject: nil,
            limits: .init(connectTimeoutMs: 300, timeoutMs: 10_000), now: { 0 })
        let outcomes = await sender.send([
            try .sample(to: "\(full.address)/x"), try .sample(to: "\(free)/x"),
        ])
        #expect(outcomes == [.unreached, .unreached])
    }

    @Test("A push that cannot be sent as it is makes no request, and does not delay the others")
    func unsendable() async throws {
        let unlisted = try FakePushService()
        let good = try Push.sample(to: fake.endpoint(.answers(201)))
        var (long, wrong, lines, other) = (good, good, good, good)
        long.content = Array(repeating: 0x61, count: 641)
        wrong.topic = String(repeating: "a", count: 33)
        lines.topic = "a\r\nX: y"
        other.endpoint = unlisted.endpoint(.answers(201))
        #expect(
            await sender.send([long, good, wrong, lines, other, good]) == [
                .refused(status: 413), .accepted, .refused(status: 400), .refused(status: 400),
                .unreached, .accepted,
            ])
        #expect(fake.requests.count == 2)
        #expect(unlisted.connections == 0)
    }

    @Test("Connections are kept between calls, and many pushes share them")
    func reuse() async throws {
        let push = try Push.sample(to: fake.endpoint(.answers(201)))
        for _ in 0..<20 { #expect(await sender.send(push) == .accepted) }
        #expect(fake.connections == 1)
        let many = await sender.send(Array(repeating: push, count: 300))
        #expect(many == Array(repeating: .accepted, count: 300))
        #expect(fake.requests.count == 320)
        #expect(fake.connections <= 33, "\(fake.connections)")
    }

    @Test("A silent push service has half of the transfers and delays no other one")
    func silence() async throws {
        let (silent, good) = (try FakePushService(), try FakePushService())
        // Nothing ends by itself during the test.
        let sender = try PushSender(to: silent, good, timeoutMs: 120_000)
        let stuck = try Push.sample(to: silent.endpoint(.silent))
        let hasEnded = Flag()
        let stuckCall = Task {
            defer { hasEnded.set() }
            return await sender.send(Array(repeating: stuck, count: 100))
        }
        #expect(await eventually { silent.requests.count == 32 })
        let push = try Push.sample(to: good.endpoint(.answers(201)))
        let outcomes = await sender.send(Array(repeating: push, count: 100))
        #expect(outcomes == Array(repeating: .accepted, count: 100))
        #expect(!hasEnded.isSet)
        #expect(silent.connections == 32)
        sender.stop()
        #expect(await stuckCall.value == Array(repeating: .unreached, count: 100))
        #expect(await sender.send(push) == .unreached)
        #expect(good.requests.count == 100)
    }

    @Test("Pushes to a silent service and to another one take turns")
    func turns() async throws {
        let (silent, good) = (try FakePushService(), try FakePushService())
        let sender = try PushSender(to: silent, good, timeoutMs: 2_000)
        let stuck = try Push.sample(to: silent.endpoint(.silent))
        let push = try Push.sample(to: good.endpoint(.answers(201)))
        let outcomes = await sender.send(
            Array(repeating: stuck, count: 32) + Array(repeating: push, count: 100))
        #expect(outcomes.prefix(32) == Array(repeating: .unreached, count: 32)[...])
        #expect(outcomes.dropFirst(32) == Array(repeating: .accepted, count: 100)[...])
    }

    @Test("A name that leads to this computer or into its network is not connected to")
    func rebinding() async throws {
        // libcurl finds every name below `localhost` at the loopback by itself.
        let port = try #require(UInt16(fake.origin.split(separator: ":").last ?? ""))
        let endpoint = fake.endpoint(.answers(201))
            .replacing("127.0.0.1", with: "push.localhost")
        for (reach, outcome) in [
            (.global, .unreached), (.loopback, .accepted), (.any, .accepted), (.global, .unreached),
        ] as [(PushServices.Reach, PushOutcome)] {
            let service = PushServices.Service(
                isSecure: false, isWildcard: false, host: "push.localhost", port: port, reach: reach
            )
            let sender = PushSender(
                services: PushServices(services: [service]), key: try SampleBrowser.sender(),
                subject: nil, limits: .init(), now: { 0 })
            let before = fake.connections
            #expect(await sender.send(try .sample(to: endpoint)) == outcome)
            #expect(fake.connections == before + (outcome == .accepted ? 1 : 0))
        }
    }
}
