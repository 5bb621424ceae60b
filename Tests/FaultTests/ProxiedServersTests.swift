import BackendAPI
import BackendClient
import Cryptography
import Glibc
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("Two servers of one database behind nginx")
struct ProxiedServersTests {
    private struct Site {
        let servers: [BackendProgram]
        let proxy: ReverseProxy
        let keys: [SigningKey]
        let verifier: AnswerVerifier

        static func with(machines count: Int, body: (Site) async throws -> Void) async throws {
            try Cryptography.start()
            let keys = try (0..<count).map { _ in try SigningKey.generate() }
            try await BackendProgram.with(
                machines: keys.map(\.publicKey.text),
                database: try PostgresServer.shared().database()
            ) { first in
                try await first.withAnother { second in
                    try await ReverseProxy.with(to: first.address, second.address) { proxy in
                        let key = try #require(PublicKey(text: try await first.publicKey()))
                        try await body(
                            Site(
                                servers: [first, second], proxy: proxy, keys: keys,
                                verifier: AnswerVerifier(key: key)))
                    }
                }
            }
        }

        /// A machine that knows the proxy's one address.
        func client(machine: Int) throws -> BackendPort {
            let signer = RequestSigner(key: keys[machine])
            return BackendClient(
                servers: try BackendServers("https://localhost:\(proxy.port)"),
                authorities: proxy.certificate,
                verify: { [verifier] in verifier.created($0, to: $1) }
            ) { request in
                signer.sign(request, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
            }.port
        }

        /// Takes tickets with every machine until the fault is over; a call that fails fails the test.
        func takeTickets(during fault: () async throws -> Void) async throws -> [Int] {
            let isOver = Flag()
            return try await withThrowingTaskGroup(of: [Int].self) { group in
                for machine in keys.indices {
                    group.addTask {
                        let client = try self.client(machine: machine)
                        var numbers: [Int] = []
                        while !isOver.isSet {
                            let place = try await client.takePlace(.ticket, .fresh()).get()
                            let confirmed = try await client.confirm(place.id, .fresh()).get()
                            numbers.append(confirmed.number.rawValue)
                        }
                        return numbers
                    }
                }
                try await fault()
                isOver.set()
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }

    @Test(
        "One is drained and replaced, then the other killed: no machine's call fails, no number is lost"
    )
    func replaced() async throws {
        try await Site.with(machines: 4) { site in
            let given = try await site.takeTickets {
                for server in site.servers {
                    try await ContinuousClock().sleep(for: .milliseconds(800))
                    await server.drain()
                    // The other one is alone meanwhile.
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                    try await server.start()
                }
                for server in site.servers {
                    // Longer than nginx leaves a failed server alone, so that both serve again.
                    try await ContinuousClock().sleep(for: .seconds(3))
                    try await server.killAndRestart()
                }
                try await ContinuousClock().sleep(for: .seconds(1))
            }
            #expect(given.count > 20)
            let rows = try await site.servers[0].rows().compactMap(\.number)
            #expect(rows.sorted() == Array(1...rows.count), "no number twice, no gap")
            // A key that nobody waits for any more may have its number too.
            #expect(Set(given).count == given.count && Set(given).isSubset(of: rows))
            #expect(given.count == rows.count)
        }
    }

    @Test("A display whose server is drained is told, and finds the turns at the other one")
    func displays() async throws {
        try await Site.with(machines: 1) { site in
            let key = try SigningKey.generate()
            _ = try await site.servers[0].addDevice(
                role: "display", name: "window", key: key.publicKey.text)
            #expect(try await turns(site, key).contains("\"sequence\":"))
            let limit = 60
            let begin = ContinuousClock.now
            async let told = turns(site, key, within: limit)
            // One of them has the socket.
            try await ContinuousClock().sleep(for: .seconds(2))
            await site.servers[0].drain()
            try await site.servers[0].start()
            await site.servers[1].drain()
            #expect(try await told.contains("\"sequence\":"))
            #expect(ContinuousClock.now - begin < .seconds(limit - 20), "the socket was closed")
            #expect(try await turns(site, key).contains("\"sequence\":"))
            try await site.servers[1].start()
        }
    }

    /// As a page does: once more until there are turns.
    private func turns(
        _ site: Site, _ key: SigningKey, within seconds: Int = 3
    ) async throws -> String {
        var answer = ""
        _ = try await eventually(within: .seconds(20)) {
            answer = try await site.proxy.turns(key, within: seconds)
            return answer.contains("\"sequence\":")
        }
        return answer
    }
}
