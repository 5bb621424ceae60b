import TestSupport
import Testing

@Suite("A day's work without a pause")
struct SoakTests {
    /// The values that must not grow while the same work is repeated.
    private struct Sample {
        var resident: Int
        var descriptors: Int
        var nonces: Int
        var log: Int
    }

    @Test(
        "Ten minutes of customers: memory, descriptors and files stay as they are [fault 38]",
        arguments: Engine.allCases)
    func soak(engine: Engine) async throws {
        let plan = LoadChain.Plan(servers: engine.servers, shops: 4, machines: 16, hasDoors: true)
        try await LoadChain.with(engine, plan) { chain in
            var samples: [Sample] = []
            // A customer with a ticket enters and leaves, so the queue is as long at the end as at the beginning.
            let given = try await chain.underLoad(pause: .milliseconds(100), isVisited: true) {
                let minutes = TestLength.choose(5.0 / 60, long: 10)
                let steps = TestLength.choose(5, long: 60)
                for _ in 0..<steps {
                    try await ContinuousClock().sleep(for: .seconds(minutes * 60 / Double(steps)))
                    samples.append(
                        Sample(
                            resident: chain.servers.map(\.residentKilobytes).reduce(0, +),
                            descriptors: chain.servers.map(\.descriptors).reduce(0, +),
                            nonces: try await chain.count(of: "nonce"),
                            log: try chain.folder.logs().utf8.count))
                }
            }
            try chain.askAgain(given)
            // A process's heap reaches its size in the first part of the time.
            let steady = samples.dropFirst(samples.count / 3)
            let (first, last) = try (#require(steady.first), #require(steady.last))
            print(
                "load: soak, \(engine.rawValue): resident \(samples.map { $0.resident / 1_024 }) MiB, "
                    + "descriptors \(samples.map(\.descriptors)), nonces \(samples.map(\.nonces)), "
                    + "log \(last.log) bytes")
            #expect(last.resident < first.resident + 12 * 1_024, "KiB")
            #expect(last.descriptors <= first.descriptors + 4)
            #expect(last.log < 4_096, "only its start is logged")
            // A signature is fresh for a minute, and its nonce is forgotten after two; four of a customer's calls
            // change the database.
            let perSecond = 4 * plan.machines * 10
            #expect(last.nonces < 300 * perSecond)
            try await chain.ledger.judge("soak [38]", chain)
            #expect(chain.ledger.figures.unknown == 0)
        }
    }
}
