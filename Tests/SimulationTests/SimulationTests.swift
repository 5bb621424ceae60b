internal import Cryptography
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Engine, store and service over a network, a disk and a clock drawn from one seed")
struct SimulationTests {
    private static let events = 800

    private func play(_ seed: UInt64) throws -> Simulation {
        var simulation = try Simulation(seed: seed)
        try simulation.play(Self.events)
        return simulation
    }

    @Test(
        "U D K M G O hold for every seed [faults 19-23, 31, 32, 36, 37]; CLUP_SEED repeats one")
    func seeds() throws {
        try Cryptography.start()
        let given = ProcessInfo.processInfo.environment["CLUP_SEED"].flatMap(UInt64.init)
        let first = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let count = given == nil ? TestLength.choose(30, long: 3_000) : 1
        var total = Simulation.Tally()
        for seed in first..<(first + UInt64(count)) {
            let simulation = try play(seed)
            #expect(simulation.violations.isEmpty, "seed \(seed): \(simulation.violations)")
            total.acknowledged += simulation.tally.acknowledged
            total.unknown += simulation.tally.unknown
            total.recovered += simulation.tally.recovered
            total.deaths += simulation.tally.deaths
            total.seconds += simulation.tally.seconds
        }
        print(
            "simulation: seeds \(first) to \(first + UInt64(count) - 1), "
                + "\(total.acknowledged) acknowledged, \(total.unknown) unknown, "
                + "\(total.recovered) of them recovered, \(total.deaths) ends of the process, "
                + "\(Int(total.seconds / 3_600)) hours of the shop")
        // A simulation in which nothing happens would prove nothing.
        #expect(total.acknowledged > 3 * count || count == 1)
    }

    @Test("The same seed gives the same answers")
    func repeats() throws {
        try Cryptography.start()
        for seed: UInt64 in [1, 2, 3] {
            let (first, second) = (try play(seed).trace, try play(seed).trace)
            let differs = zip(first, second).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(
                differs == nil && first.count == second.count,
                "seed \(seed): \(first.count) and \(second.count) bytes, differ at \(differs ?? -1)"
            )
        }
    }
}
