import Foundation
import TestSupport
import Testing

/// The program that Tests/backend-of has built.
private let former = ProcessInfo.processInfo.environment["CLUP_FORMER"]

/// While an installation with several servers is renewed, one of the commit before and one of today have the same database.
@Suite(
    "A server of the commit before beside today's, on one database",
    .enabled(
        if: former != nil,
        "the program of the commit before is built at full length (Kiosk/check --long)"))
struct RenewalTests {
    @Test("Today's server comes under load, the former one goes: no ticket is lost or given twice")
    func renewal() async throws {
        let dice = Dice("renewal")
        var plan = LoadChain.Plan(servers: 1, machines: 8)
        plan.surroundings.program = try #require(former)
        try await LoadChain.with(.postgresql, plan) { chain in
            /// Waits until so many more tickets were given.
            func tickets(_ count: Int) async -> Bool {
                let most = chain.ledger.figures.acknowledged + count
                return await eventually(within: longTimeout) {
                    chain.ledger.figures.acknowledged >= most
                }
            }
            let port = try ReservedPort()
            var today: ServerProcess?
            let given = try await chain.underLoad(
                ports: Array(repeating: chain.ports + [port.number], count: plan.machines)
            ) {
                #expect(await tickets(100))
                today = try await ServerProcess(
                    ["--database", chain.database, "--state", chain.folder.path],
                    in: chain.folder, port: port)
                #expect(await tickets(200))
                await chain.servers[0].stop()
                #expect(await tickets(100))
            }
            // The answers of both servers are stored.
            try chain.askAgain(given, ports: [port.number])
            let figures = try await chain.ledger.judge("renewal", chain, seed: dice.seed)
            #expect(figures.unknown == figures.recovered)
            await today?.stop()
        }
    }
}
