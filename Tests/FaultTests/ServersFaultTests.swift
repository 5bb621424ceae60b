import BackendClient
import Cryptography
import Glibc
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("Two servers on one PostgreSQL database, as processes [faults 22, 35]")
struct ServersFaultTests {
    /// Two servers behind a fault proxy each, and machines that know both.
    private struct Chain {
        let server: PostgresServer
        let backends: [ServingBackend]
        let proxies: [FaultProxy]
        let keys: [SigningKey]

        static func with(machines count: Int, body: (Chain) async throws -> Void) async throws {
            let server = try PostgresServer()
            try await ServingBackend.withMachines(count, database: try server.database()) {
                first, keys in
                try await first.withAnother { second in
                    try await FaultProxy.with(to: first.address) { one in
                        try await FaultProxy.with(to: second.address) { other in
                            try await body(
                                Chain(
                                    server: server, backends: [first, second],
                                    proxies: [one, other], keys: keys))
                        }
                    }
                }
            }
        }

        /// The clients of all machines; every second one has the second server first.
        func clients() throws -> [BackendClient] {
            let addresses = proxies.map(\.address)
            return try keys.enumerated().map { index, key in
                try .of(key, at: index.isMultiple(of: 2) ? addresses : addresses.reversed())
            }
        }

        func judge(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let violations = Checker(
                proxies.flatMap(\.log), rows: try await backends[0].rows()
            ).violations()
            #expect(violations.isEmpty, "\(violations)", sourceLocation: sourceLocation)
        }
    }

    /// What is killed, and how often in a long run.
    enum Victim: Int, CaseIterable { case database = 60, server = 100 }

    @Test(
        "One server or PostgreSQL killed again and again: recovered without a restart of what is left, no key is stuck [faults 22, 35]",
        arguments: Victim.allCases)
    func killed(victim: Victim) async throws {
        try await Chain.with(machines: 6) { chain in
            let given = try await takeTickets(with: try chain.clients()) {
                for round in 0..<TestLength.choose(4, long: victim.rawValue) {
                    try await moreTickets(of: chain)
                    switch victim {
                    case .database: try chain.server.restart("immediate")
                    case .server: try await chain.backends[round % 2].killAndRestart()
                    }
                }
                try await moreTickets(of: chain)
            }
            #expect(given.count > 20)
            let asked = chain.proxies.map { $0.asked("POST", "/confirmation").count }
            #expect(asked.allSatisfy { $0 > 0 }, "both have served: \(asked)")
            for one in given.shuffled().prefix(100) {
                let again = try await insist {
                    await one.machine.confirm(one.reservation.id, one.key)
                }
                #expect(again == one.reservation)
            }
            try await chain.judge()
        }
    }

    @Test("The password is the credential's; without it, or with a wrong one, access is refused")
    func password() async throws {
        let server = try PostgresServer()
        let place = try server.database()
        try server.ask(for: "w0rd-of-the-test")
        let credentials = try TemporaryFolder()
        func list() async throws -> CommandResult {
            try await Tool.run(
                ServingBackend.program, ["shop", "list", "--database", place],
                environment: ["CREDENTIALS_DIRECTORY": credentials.path])
        }
        for content in [nil, "another-w0rd\n"] as [String?] {
            if let content { _ = try credentials.write(content.utf8, to: "database-password") }
            let refused = try await list()
            #expect(refused.status == 75 && refused.errors.contains("cannot be reached"))
            #expect(!refused.errors.contains("w0rd"))
        }
        _ = try credentials.write("w0rd-of-the-test\n".utf8, to: "database-password")
        #expect(try await list().status == 0)
    }

    /// Waits until machines have asked for some tickets more.
    private func moreTickets(of chain: Chain) async throws {
        let asked = { chain.proxies.reduce(0) { $0 + $1.asked("POST", "/confirmation").count } }
        let before = asked()
        try #require(await eventually { asked() >= before + 2 * chain.keys.count })
    }
}
