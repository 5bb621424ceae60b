import Glibc
import TestSupport
import Testing

@Suite("Servers and databases killed under load")
struct KillTests {
    /// What is killed: the only server, one of two, their database, or a server with the database.
    enum Victim: String, CaseIterable {
        case onlyServer, server, database, both

        var engine: Engine { self == .onlyServer ? .sqlite : .postgresql }
        var isDatabase: Bool { self == .database || self == .both }
    }

    @Test(
        "Servers, PostgreSQL or both are killed every two seconds: nothing is lost, no key is stuck [faults 22, 35]",
        arguments: Victim.allCases)
    func killed(victim: Victim) async throws {
        var dice = Dice("kill \(victim.rawValue)")
        let postgres = victim.isDatabase ? try PostgresServer() : nil
        let plan = LoadChain.Plan(
            servers: victim.engine.servers, shops: victim == .both ? 4 : 1, machines: 8)
        try await LoadChain.with(victim.engine, plan, postgres: postgres) { chain in
            let length = TestLength.choose(Duration.seconds(6), long: .seconds(300))
            var kills = 0
            let figures = try await chain.judged("kills, \(victim.rawValue)", seed: dice.seed) {
                let end = ContinuousClock.now + length
                // A database is killed in each way.
                while ContinuousClock.now < end || victim == .database && kills < 4 {
                    try await ContinuousClock().sleep(for: .milliseconds(1_500 + dice.index(1_000)))
                    try await strike(victim, of: chain, postgres, kills, &dice)
                    kills += 1
                }
            }
            #expect(victim == .both || figures.acknowledged > kills)
            #expect(figures.unknown == figures.recovered)
            let isNoticed = chain.ledger.exchanges.contains {
                [.unknown, .failed].contains($0.outcome)
            }
            #expect(isNoticed || chain.statuses.contains(503), "the kills were noticed")
            for server in chain.servers.indices {
                #expect(chain.servers[server].isRunning, "the servers themselves go on")
                #expect(await eventually { chain.readiness(server) == 200 })
            }
        }
    }

    private func strike(
        _ victim: Victim, of chain: LoadChain, _ postgres: PostgresServer?, _ round: Int,
        _ dice: inout Dice
    ) async throws {
        if victim == .database {
            // The whole server is killed or restarted, or one of its processes is killed, after which it restarts itself.
            switch round % 4 {
            case 0: try postgres?.killServer()
            case 1: try postgres?.restart("immediate")
            case 2: try postgres?.restart("fast")
            default: try await postgres?.killOneBackend()
            }
            return
        }
        let server = chain.servers[dice.index(chain.servers.count)]
        await server.kill()
        if victim == .both { try postgres?.killServer() }
        try await server.start()
    }

    @Test(
        "The connections of random machines are blocked and restored in random order [faults 19, 27]",
        arguments: Engine.allCases)
    func clogged(engine: Engine) async throws {
        var dice = Dice("clog")
        let plan = LoadChain.Plan(
            servers: engine.servers, machines: 12, capacity: 20, stayMinutes: 1)
        try await LoadChain.with(engine, plan) { chain in
            let lines = try (0..<plan.machines).map {
                try FaultProxy(to: "http://127.0.0.1:\(chain.ports[$0 % chain.ports.count])")
            }
            defer { for line in lines { line.stop() } }
            let figures = try await chain.judged(
                "clogged lines [27]", seed: dice.seed, pause: .milliseconds(50),
                ports: lines.map { [$0.port] }
            ) {
                var rounds = 0
                // On a busy computer it can happen that no confirmation is on its way while its line is blocked.
                while rounds < TestLength.choose(2, long: 40)
                    || (rounds < 20 && chain.ledger.figures.unknown == 0)
                {
                    rounds += 1
                    let clogged = lines.indices.filter { _ in dice.index(2) == 0 }
                    for index in clogged {
                        // The request is lost, its answer is lost, or the answer comes late.
                        switch dice.index(3) {
                        case 0: lines[index].inject(.neverAnswer)
                        case 1: lines[index].inject(.holdAnswer)
                        default: lines[index].inject(.dropAnswer, path: "/confirmation", times: 3)
                        }
                    }
                    try await ContinuousClock().sleep(
                        for: .milliseconds(500 + dice.index(3_000)))
                    var rest = clogged
                    while !rest.isEmpty {
                        lines[rest.remove(at: dice.index(rest.count))].pass()
                        try await ContinuousClock().sleep(for: .milliseconds(dice.index(200)))
                    }
                }
            } heal: {
                for line in lines { line.pass() }
            }
            #expect(figures.unknown > 0 && figures.unknown == figures.recovered)
        }
    }
}
