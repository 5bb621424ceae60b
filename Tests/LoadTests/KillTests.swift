import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Servers and databases killed under load")
struct KillTests {
    /// The time during which a process is killed every two seconds.
    private static let length = TestLength.choose(Duration.seconds(6), long: .seconds(300))

    /// Repeats the body during that time; returns the number of repetitions.
    private func everyTwoSeconds(
        _ dice: inout Dice, _ fault: (inout Dice) async throws -> Void
    ) async throws -> Int {
        let end = ContinuousClock.now + Self.length
        var rounds = 0
        while ContinuousClock.now < end {
            try await ContinuousClock().sleep(for: .milliseconds(1_500 + dice.index(1_000)))
            try await fault(&dice)
            rounds += 1
        }
        return rounds
    }

    @Test(
        "A server is killed every two seconds: nothing is lost, no key is stuck [fault 22]",
        arguments: Engine.allCases)
    func servers(engine: Engine) async throws {
        var dice = Dice("kill")
        let plan = LoadChain.Plan(servers: engine == .sqlite ? 1 : 2, machines: 8)
        try await LoadChain.with(engine, plan) { chain in
            var kills = 0
            let given = try await chain.underLoad {
                kills = try await everyTwoSeconds(&dice) { dice in
                    let server = chain.servers[dice.index(chain.servers.count)]
                    await server.kill()
                    try await server.start()
                }
            }
            try await chain.askAgain(given)
            let figures = try await chain.ledger.judge(
                "\(kills) kills of servers [22]", chain, seed: dice.seed)
            #expect(figures.acknowledged > kills)
            #expect(figures.unknown == figures.recovered)
        }
    }

    @Test("PostgreSQL is killed every two seconds under two servers [fault 35]")
    func database() async throws {
        var dice = Dice("postgresql")
        let postgres = try PostgresServer()
        let plan = LoadChain.Plan(servers: 2, machines: 8)
        try await LoadChain.with(.postgresql, plan, postgres: postgres) { chain in
            var kills = 0
            let given = try await chain.underLoad {
                kills = try await everyTwoSeconds(&dice) { dice in
                    // The whole server is killed, or one of its processes, after which the server restarts itself.
                    switch dice.index(3) {
                    case 0: try postgres.killServer()
                    case 1: try postgres.restart("immediate")
                    default: try await postgres.killOneBackend()
                    }
                }
            }
            try await chain.askAgain(given)
            let figures = try await chain.ledger.judge(
                "\(kills) kills of PostgreSQL [35]", chain, seed: dice.seed)
            #expect(figures.acknowledged > kills)
            #expect(figures.unknown == figures.recovered)
            let running = chain.servers.filter(\.isRunning).count
            #expect(running == 2, "the servers themselves go on")
        }
    }

    @Test("Servers and PostgreSQL are killed in turn, also both at once [faults 22, 35]")
    func both() async throws {
        var dice = Dice("both")
        let postgres = try PostgresServer()
        let plan = LoadChain.Plan(servers: 2, shops: 4, machines: 8)
        try await LoadChain.with(.postgresql, plan, postgres: postgres) { chain in
            var kills = 0
            let given = try await chain.underLoad {
                kills = try await everyTwoSeconds(&dice) { dice in
                    let server = chain.servers[dice.index(2)]
                    await server.kill()
                    try postgres.killServer()
                    try await server.start()
                }
            }
            try await chain.askAgain(given)
            let figures = try await chain.ledger.judge(
                "\(kills) kills of both [22, 35]", chain, seed: dice.seed)
            #expect(figures.unknown == figures.recovered)
        }
    }

    @Test(
        "The connections of random machines are blocked and restored in random order [faults 19, 27]",
        arguments: Engine.allCases)
    func clogged(engine: Engine) async throws {
        var dice = Dice("clog")
        let plan = LoadChain.Plan(
            servers: engine == .sqlite ? 1 : 2, machines: 12, capacity: 20, stayMinutes: 1)
        try await LoadChain.with(engine, plan) { chain in
            let lines = try (0..<plan.machines).map {
                try FaultProxy(to: "http://127.0.0.1:\(chain.ports[$0 % chain.ports.count])")
            }
            defer { for line in lines { line.stop() } }
            let given = try await chain.underLoad(
                pause: .milliseconds(50), ports: lines.map { [$0.port] }
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
            }
            for line in lines { line.pass() }
            try await chain.askAgain(given)
            let figures = try await chain.ledger.judge("clogged lines [27]", chain, seed: dice.seed)
            #expect(figures.unknown > 0 && figures.unknown == figures.recovered)
        }
    }
}
