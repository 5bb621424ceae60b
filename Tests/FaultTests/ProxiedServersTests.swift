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
        /// The addresses that machines are given, and the certificates they trust for them.
        let addresses: [String]
        let authorities: String
        let keys: [SigningKey]
        /// The key by which machines know the servers.
        let backend: String

        /// - Parameter count: how many of the two proxies' addresses machines are given.
        static func with(
            machines: Int, addresses count: Int = 1,
            body: (Site, _ other: ReverseProxy) async throws -> Void
        ) async throws {
            try await ServingBackend.withMachines(
                machines, database: try PostgresServer.shared().database()
            ) { first, keys in
                try await first.withAnother { second in
                    try await ReverseProxy.with(to: first.address, second.address) { proxy in
                        try await ReverseProxy.with(to: first.address, second.address) { other in
                            let proxies = [proxy, other]
                            let folder = try TemporaryFolder()
                            let authorities = try proxies.map {
                                try String(contentsOfFile: $0.certificate, encoding: .utf8)
                            }.joined()
                            let site = Site(
                                servers: [first, second], proxy: proxy,
                                addresses: proxies.prefix(count).map {
                                    "https://localhost:\($0.port)"
                                },
                                authorities: try folder.write(authorities.utf8, to: "authorities"),
                                keys: keys, backend: try await first.publicKey())
                            try await body(site, other)
                        }
                    }
                }
            }
        }

        /// A machine that knows the proxies' addresses, in this order. Its pauses pass, since a proxy avoids a server for a
        /// time.
        func client(machine: Int, trusting certificate: String? = nil) throws -> BackendClient {
            try .of(
                keys[machine], at: addresses, knowing: backend,
                trusting: certificate ?? authorities, time: .slow())
        }

        /// Takes tickets with every machine until the fault is over; a failed call fails the test.
        func numbers(during fault: () async throws -> Void) async throws -> [Int] {
            let clients = try keys.indices.map { try client(machine: $0) }
            return try await takeTickets(with: clients, mayFail: false, during: fault)
                .map(\.reservation.number.rawValue)
        }
    }

    @Test(
        "One is drained and replaced, then the other killed: no machine's call fails, no number is lost"
    )
    func replaced() async throws {
        try await Site.with(machines: 4) { site, _ in
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

    @Test("Of two addresses over TLS one fails; for a machine that starts then it never existed")
    func addresses() async throws {
        try await Site.with(machines: 4, addresses: 2) { site, other in
            // The address whose certificate is not trusted is skipped like one that does not answer.
            let wary = try site.client(machine: 0, trusting: other.certificate)
            _ = try await wary.takePlace(.ticket, .fresh()).get()
            func takes(_ count: Int) async throws {
                let isTaken = try await eventually {
                    try await site.servers[0].rows().compactMap(\.number).count > count
                }
                #expect(isTaken, "more than \(count) tickets")
            }
            let before = try await site.numbers {
                try await takes(10)
                await site.proxy.stop()
                try await takes(20)
            }
            #expect(before.count > 20)
            let after = try await site.numbers {
                try await takes(before.count + 4)
            }
            #expect(after.count > 4)
            let rows = try await site.servers[0].rows().compactMap(\.number)
            #expect((before + after).sorted() == Array(1...rows.count))
        }
    }

    @Test("A display whose server is drained is notified, and finds the turns at the other one")
    func displays() async throws {
        try await Site.with(machines: 1) { site, _ in
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
        }
    }

    @Test("Either server hangs: a call for help and a staff page find the other one [fault 61]")
    func hung() async throws {
        try await Site.with(machines: 1) { site, _ in
            let key = try SigningKey.generate()
            _ = try await site.servers[0].addDevice(
                role: "staff", name: "office", key: key.publicKey.text)
            #expect(try await turns(site, key).contains("\"calls\":[]"))
            let machine = try site.client(machine: 0)
            for server in site.servers {
                // This is longer than nginx avoids a server that hung before.
                try await ContinuousClock().sleep(for: .seconds(4))
                server.signal(SIGSTOP)
                defer { server.signal(SIGCONT) }
                let begin = ContinuousClock.now
                let (calling, ending) = (AttemptKey.fresh(), AttemptKey.fresh())
                let call = try await insist { await machine.callHelp(calling) }
                print("help through nginx, a server hangs [61]: \(ContinuousClock.now - begin)")
                #expect(try await turns(site, key).contains("\"id\":\"\(call.id)\""))
                let calls = try await insist { await machine.helpCalls() }
                #expect(calls.calls.contains { $0.id == call.id })
                let ended = try await insist {
                    await machine.endHelp(call.id, .mistake, by: nil, ending)
                }
                #expect(ended.end == .mistake)
            }
        }
    }

    /// Asks like the machine: again with the same key. A server that hangs within a transaction keeps the shop locked until
    /// PostgreSQL ends that, after three seconds; such a call takes longer than one try.
    private func insist<Value>(
        _ call: () async -> Result<Value, BackendFailure>
    ) async throws -> Value {
        var answer = await call()
        for _ in 0..<3 {
            guard case .failure(let failure) = answer, failure.isUnknown else { break }
            answer = await call()
        }
        return try answer.get()
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
