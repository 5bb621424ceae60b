import Foundation
import TestSupport
import Testing

@testable import SMSGateway

/// Fake servers in Kannel's place: what Kannel does not do by itself.
@Suite("Answers of a false Kannel", .timeLimit(.minutes(10)))
struct KannelGatewayTests {
    private let fake: FakePushService

    init() throws { fake = try FakePushService() }

    private func gateway(
        to endpoint: String, timeoutMs: Int = 10_000, turnMs: Int = 15_000,
        restSeconds: Int = 20, authorities: String? = nil
    ) throws -> KannelGateway {
        KannelGateway(
            try #require(KannelAddress(endpoint)),
            account: try #require(KannelAccount(user: "clup", password: "secret", sender: "CLup")),
            limits: .init(
                request: .init(
                    connectTimeoutMs: min(3_000, timeoutMs), timeoutMs: timeoutMs,
                    authorities: authorities), maxRestSeconds: restSeconds),
            turnTimeout: .milliseconds(turnMs))
    }

    @Test(
        "Each status has its outcome",
        arguments: [
            (202, .accepted), (200, .uncertain), (201, .uncertain), (204, .uncertain),
            (301, .broken("status-301")), (302, .broken("status-302")),
            (307, .broken("status-307")), (308, .broken("status-308")),
            (400, .refused("status-400")), (401, .broken("wrong-password-or-address")),
            (403, .broken("wrong-password-or-address")), (404, .broken("status-404")),
            (405, .broken("status-405")), (408, .busy), (422, .refused("status-422")),
            (429, .busy), (500, .busy), (503, .busy), (504, .uncertain), (599, .busy),
        ] as [(Int, SMSOutcome)])
    func statuses(_ status: Int, outcome: SMSOutcome) async throws {
        let gateway = try gateway(to: fake.endpoint(.answers(status)))
        #expect(await gateway.send(try SampleMessage.with()) == outcome)
        #expect(fake.requests.count == 1)
    }

    @Test("The request has the message in fields and body, and nothing of it in its address")
    func request() async throws {
        let endpoint = fake.endpoint(.answers(202))
        let gateway = try gateway(to: endpoint)
        #expect(await gateway.send(try SampleMessage.with("Sì €", validMinutes: 7)) == .accepted)
        let request = try #require(fake.requests.first)
        #expect(fake.origin + request.path == endpoint)
        #expect(
            request.fields.filter { $0.key != "host" } == [
                "content-type": "text/plain; charset=UTF-8", "content-length": "7",
                "x-kannel-username": "clup", "x-kannel-password": "secret",
                "x-kannel-from": "CLup", "x-kannel-to": SampleMessage.number,
                "x-kannel-coding": "0",
                "x-kannel-validity": "7",
            ])
        #expect(String(decoding: request.body, as: UTF8.self) == "Sì €")
    }

    @Test("An answer without an end is cut off")
    func excess() async throws {
        // Long before the time of a message is over.
        let body = try gateway(to: fake.endpoint(.hugeBody), timeoutMs: 60_000)
        #expect(await body.send(try SampleMessage.with()) == .uncertain)
        let head = try gateway(to: fake.endpoint(.headWithoutEnd), timeoutMs: 60_000)
        #expect(await head.send(try SampleMessage.with()) == .uncertain)
        // What the sockets' buffers take comes on top of what libcurl has read.
        #expect(fake.excess < 8 * 1_048_576, "\(fake.excess)")
    }

    @Test(
        "A server that gives no answer may have taken the message, within the time of a message",
        arguments: [.silent, .dripsHead, .interimOnly, .hangsUp, .breaksOff]
            as [FakePushService.Manner])
    func noAnswer(manner: FakePushService.Manner) async throws {
        let gateway = try gateway(to: fake.endpoint(manner), timeoutMs: 1_000)
        #expect(await gateway.send(try SampleMessage.with()) == .uncertain)
        #expect(fake.requests.count == 1)
    }

    @Test("A message that is written on a kept connection, which ends then, is not written again")
    func keptConnection() async throws {
        let served = Locked(0)
        let fake = try FakePushService { _ in
            served.change { $0 += 1 }
            return served.value == 2 ? .hangsUp : .answers(202)
        }
        let gateway = try gateway(to: "\(fake.origin)/x")
        #expect(await gateway.send(try SampleMessage.with()) == .accepted)
        #expect(await gateway.send(try SampleMessage.with()) == .uncertain)
        #expect(fake.requests.count == 2)
        #expect(await gateway.send(try SampleMessage.with()) == .accepted)
        #expect(fake.requests.count == 3)
    }

    @Test(
        "Messages one after the other share a connection; one that has rested for long is not used again"
    )
    func restedConnection() async throws {
        let gateway = try gateway(to: fake.endpoint(.answers(202)), restSeconds: 1)
        for _ in 0..<20 { #expect(await gateway.send(try SampleMessage.with()) == .accepted) }
        #expect(fake.connections == 1)
        try await Task.sleep(for: .milliseconds(2_500))
        #expect(await gateway.send(try SampleMessage.with()) == .accepted)
        #expect(fake.connections == 2)
    }

    @Test("A kept connection that has ended since is not written to")
    func endedConnection() async throws {
        let fake = try FakePushService { _ in .answers(202) }
        let gateway = try gateway(to: "\(fake.origin)/x")
        #expect(await gateway.send(try SampleMessage.with()) == .accepted)
        fake.stop()
        #expect(await gateway.send(try SampleMessage.with()) == .unreached)
        try fake.start()
        #expect(await gateway.send(try SampleMessage.with()) == .accepted)
        #expect(fake.requests.count == 2)
    }

    @Test("Without a listener, and with one that completes no connection, nothing is reached")
    func noConnection() async throws {
        let (full, refusing) = (try FullListener(), try ReservedPort())
        for origin in [full.address, "http://\(refusing.address)"] {
            let gateway = try gateway(to: "\(origin)/x", timeoutMs: 1_000)
            #expect(await gateway.send(try SampleMessage.with()) == .unreached)
        }
    }

    @Test("Eight messages are on their way at once; the others wait, and none is sent twice")
    func turns() async throws {
        let gateway = try gateway(to: fake.endpoint(.silent), timeoutMs: 4_000, turnMs: 1_000)
        let message = try SampleMessage.with()
        let outcomes = await gateway.send(Array(repeating: message, count: 30))
        #expect(outcomes.filter { $0 == .uncertain }.count == 8)
        #expect(outcomes.filter { $0 == .busy }.count == 22)
        #expect(fake.requests.count == 8)
        // The turns of those that gave up are free again.
        #expect(await gateway.send(message) == .uncertain)
        #expect(fake.requests.count == 9)
    }

    @Test("After the stop no message is sent; one on its way keeps its outcome")
    func stop() async throws {
        let gateway = try gateway(to: fake.endpoint(.silent), timeoutMs: 3_000)
        let messages = Array(repeating: try SampleMessage.with(), count: 20)
        let start = ContinuousClock.now
        async let outcomes = gateway.send(messages)
        #expect(await eventually { fake.requests.count == 8 })
        gateway.stop()
        #expect(await gateway.send(try SampleMessage.with()) == .unreached)
        let all = await outcomes
        #expect(all.filter { $0 == .uncertain }.count == 8)
        #expect(all.filter { $0 == .unreached }.count == 12)
        #expect(ContinuousClock.now - start > .seconds(2))
        #expect(fake.requests.count == 8)
    }

    @Test("Without encryption no address that is not private is connected to, whatever its name")
    func publicAddress() async throws {
        // libcurl finds every name below `localhost` at the loopback by itself.
        let endpoint = fake.endpoint(.answers(202)).replacing("127.0.0.1", with: "sms.localhost")
        let asked = Locked(0)
        for (isPrivate, outcome) in [(true, .accepted), (false, .unreached)] as [(Bool, SMSOutcome)]
        {
            let gateway = KannelGateway(
                try #require(KannelAddress(endpoint)),
                account: try #require(KannelAccount(user: "clup", password: "secret", sender: nil)),
                limits: .init(plainAddresses: { address in
                    asked.change { $0 += 1 }
                    return isPrivate && KannelAddress.isPrivate(address)
                }))
            #expect(await gateway.send(try SampleMessage.with()) == outcome)
        }
        #expect(asked.value >= 2)
        #expect(fake.requests.count == 1 && fake.connections == 1)
    }

    @Test("With https only a server whose certificate is valid for its name is sent a message")
    func certificates() async throws {
        let server = try await SecureServer(status: 202)
        let (port, certificate) = (server.port, server.certificate)
        let message = try SampleMessage.with()
        func outcome(_ host: String, trusting authorities: String?) async throws -> SMSOutcome {
            let gateway = try gateway(to: "https://\(host):\(port)/x", authorities: authorities)
            return await gateway.send(message)
        }
        #expect(try await outcome("127.0.0.1", trusting: nil) == .broken("certificate"))
        #expect(try await outcome("localhost", trusting: certificate) == .broken("certificate"))
        #expect(try await outcome("127.0.0.1", trusting: "/nowhere") == .broken("certificate"))
        #expect(try await outcome("127.0.0.1", trusting: certificate) == .accepted)
        #expect(try await server.stop().count == 1)
    }
}
