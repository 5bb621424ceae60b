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
        let servers: [ServingBackend]
        let proxy: ReverseProxy
        let keys: [SigningKey]
        /// The key by which machines know the servers.
        let backend: String

        static func with(machines: Int, body: (Site) async throws -> Void) async throws {
            try await ServingBackend.withMachines(
                machines, database: try PostgresServer.shared().database()
            ) { first, keys in
                try await first.withAnother { second in
                    try await ReverseProxy.with(to: first.address, second.address) { proxy in
                        try await body(
                            Site(
                                servers: [first, second], proxy: proxy, keys: keys,
                                backend: first.publicKey()))
                    }
                }
            }
        }

        /// A machine that knows the proxy's address. Its pauses pass, since a proxy avoids a server for a time.
        func client(machine: Int) throws -> BackendClient {
            try .of(
                keys[machine], at: ["https://localhost:\(proxy.port)"], knowing: backend,
                trusting: proxy.certificate, time: .slow())
        }

        /// Takes tickets with every machine until the fault is over; a failed call fails the test.
        func numbers(during fault: () async throws -> Void) async throws -> [Int] {
            let clients = try keys.indices.map { try client(machine: $0) }
            return try await takeTickets(
                with: clients, mayFail: false, pause: .milliseconds(100), during: fault
            ).map(\.reservation.number.rawValue)
        }
    }

    @Test("Each is drained and replaced, then each killed: no call fails, and no number is lost")
    func replaced() async throws {
        try await Site.with(machines: 4) { site in
            let given = try await site.numbers {
                for server in site.servers {
                    // This is longer than nginx avoids a server that was away, as the guide says.
                    try await ContinuousClock().sleep(for: .seconds(4))
                    await server.drain()
                    // The other server is alone meanwhile.
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                    try await server.start()
                }
                for server in site.servers {
                    try await ContinuousClock().sleep(for: .seconds(4))
                    try await server.killAndRestart()
                }
                try await ContinuousClock().sleep(for: .seconds(1))
            }
            #expect(given.count > 20)
            let rows = try await site.servers[0].rows().compactMap(\.number)
            #expect(rows.sorted() == Array(1...rows.count), "no number twice, no gap")
            // A key whose caller stopped waiting may have its number too.
            #expect(Set(given).count == given.count && Set(given).isSubset(of: rows))
            #expect(given.count == rows.count)
        }
    }

    @Test("A display whose server is drained is notified, and finds the turns at the other one")
    func displays() async throws {
        try await Site.with(machines: 1) { site in
            let key = try SigningKey.generate()
            _ = try await site.servers[0].addDevice(
                role: "display", name: "window", key: key.publicKey.text)
            #expect(try await turns(site, key).contains("\"sequence\":"))
            let limit = 60
            let begin = ContinuousClock.now
            async let reported = turns(site, key, within: limit)
            // One of the two servers has the socket.
            try await ContinuousClock().sleep(for: .seconds(2))
            await site.servers[0].drain()
            try await site.servers[0].start()
            await site.servers[1].drain()
            #expect(try await reported.contains("\"sequence\":"))
            #expect(ContinuousClock.now - begin < .seconds(limit - 20), "the socket was closed")
            #expect(try await turns(site, key).contains("\"sequence\":"))
            try await site.servers[1].start()
            #expect(try await eventually { try site.proxy.log.contains("\"GET /v1/turns\" 101") })
            #expect(try !site.proxy.log.contains("ticket="))
            #expect(try !site.proxy.errors.contains("ticket="))
        }
    }

    @Test("Either server hangs: a call for help and a staff page find the other one [fault 61]")
    func hung() async throws {
        try await Site.with(machines: 1) { site in
            let key = try SigningKey.generate()
            _ = try await site.servers[0].addDevice(
                role: "staff", name: "office", key: key.publicKey.text)
            #expect(try await turns(site, key).contains("\"calls\":[]"))
            let machine = try site.client(machine: 0)
            for server in site.servers {
                // This is longer than nginx avoids a server that hung before. A server that hangs within a transaction
                // keeps the shop locked until PostgreSQL ends that, after three seconds: longer than one try.
                try await ContinuousClock().sleep(for: .seconds(4))
                server.signal(SIGSTOP)
                defer { server.signal(SIGCONT) }
                let begin = ContinuousClock.now
                let (calling, ending) = (AttemptKey.fresh(), AttemptKey.fresh())
                let call = try await insist(atMost: 4) { await machine.callHelp(calling) }
                print("help through nginx, a server hangs [61]: \(ContinuousClock.now - begin)")
                #expect(try await turns(site, key).contains("\"id\":\"\(call.id)\""))
                let calls = try await insist(atMost: 4) { await machine.helpCalls() }
                #expect(calls.calls.contains { $0.id == call.id })
                let ended = try await insist(atMost: 4) {
                    await machine.endHelp(call.id, .mistake, by: nil, ending)
                }
                #expect(ended.end == .mistake)
            }
        }
    }

    /// Asks like a page: again until there are turns.
    private func turns(
        _ site: Site, _ key: SigningKey, within seconds: Int = 3
    ) async throws -> String {
        var answer = ""
        _ = try await eventually {
            answer = try await site.proxy.turns(key, within: seconds)
            return answer.contains("\"sequence\":")
        }
        return answer
    }
}
