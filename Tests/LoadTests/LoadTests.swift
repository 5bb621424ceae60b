import TestSupport
import Testing

@Suite("Machines at full load")
struct LoadTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let engine: Engine
        let servers: Int
        let shops: Int
        var testDescription: String { "\(engine.rawValue), servers \(servers), shops \(shops)" }
    }

    static let settings =
        [1, 16].map { Setting(engine: .sqlite, servers: 1, shops: $0) }
        + [1, 2].flatMap { servers in
            [1, 16].map { Setting(engine: .postgresql, servers: servers, shops: $0) }
        }

    @Test(
        "32 machines take their tickets: no error, no gap, no number twice, in order [fault 25]",
        arguments: settings)
    func full(setting: Setting) async throws {
        let plan = LoadChain.Plan(servers: setting.servers, shops: setting.shops, machines: 32)
        try await LoadChain.with(setting.engine, plan) { chain in
            let each = TestLength.choose(25, long: 100)
            let given = try await onThreads(32) { index in
                let machine = chain.machine(index)
                return try (0..<each).compactMap { _ in try machine.ticket() }.count
            }
            #expect(given == Array(repeating: each, count: 32))
            let figures = try await chain.ledger.judge(
                "full load [25], servers \(setting.servers), shops \(setting.shops)", chain)
            // A try that lasts longer than 2.5 s on a busy computer is repeated, and is no error of the server's.
            #expect(figures.acknowledged == 32 * each && figures.unknown == figures.recovered)
            #expect(chain.ledger.refusals.isEmpty)
            #expect(chain.statuses == [201], "no try was refused")
        }
    }
}
