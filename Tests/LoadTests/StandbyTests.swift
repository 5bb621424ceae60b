import Glibc
import TestSupport
import Testing

@Suite("A standby of PostgreSQL under load")
struct StandbyTests {
    @Test(
        "The primary is lost, its synchronous standby promoted: every acknowledged ticket is there [fault 35]"
    )
    func promoted() async throws {
        let primary = try PostgresServer()
        let standby = try PostgresServer(standbyOf: primary)
        var plan = LoadChain.Plan(servers: 2, machines: 8)
        plan.database = PostgresServer.address(try primary.database(), or: standby)
        try await LoadChain.with(.postgresql, plan, postgres: primary) { chain in
            let figures = try await chain.judged("standby promoted [35]") {
                for _ in 0..<TestLength.choose(1, long: 5) {
                    await chain.expectService(tickets: 10)
                    try await holding(standby) {
                        // This is longer than any statement may take.
                        try await expectNoTicket(
                            of: chain, for: .seconds(TestLength.choose(2, long: 15)))
                    }
                }
                await chain.expectService(tickets: 10)
                try await holding(standby) {
                    try await expectNoTicket(of: chain, for: .seconds(1))
                    // Rows that waited for the standby are readable after a restart, but they were not acknowledged.
                    try primary.killServer()
                    try await expectNoTicket(of: chain, for: .seconds(3))
                    try primary.end()
                    try standby.killServer()
                }
                try standby.promote()
                await chain.expectService(tickets: 10)
                try primary.fence()
                // The former primary is first in the address, and accepts no changes.
                for server in chain.servers { try await server.killAndRestart() }
                await chain.expectService(tickets: 10)
            }
            #expect(figures.unknown > 0 && figures.unknown == figures.recovered)
        }
    }

    /// Keeps a server from writing to its disk until the body has ended.
    private func holding(_ server: PostgresServer, body: () async throws -> Void) async throws {
        let pids = try await server.processes()
        for pid in pids { kill(pid, SIGSTOP) }
        defer { for pid in pids { kill(pid, SIGCONT) } }
        try await body()
    }

    /// Expects that no request is granted during this time.
    private func expectNoTicket(
        of chain: LoadChain, for time: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let begin = ContinuousClock.now
        try await ContinuousClock().sleep(for: time)
        #expect(chain.granted(since: begin) == 0, sourceLocation: sourceLocation)
    }
}
