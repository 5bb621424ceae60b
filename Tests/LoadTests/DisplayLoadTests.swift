import BackendAPI
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("Displays in a bad network")
struct DisplayLoadTests {
    @Test(
        "A display that returns after a gap shows the present state, and never an older one [fault 28]",
        arguments: Engine.allCases)
    func gap(engine: Engine) async throws {
        let plan = LoadChain.Plan(servers: engine.servers, machines: 6, capacity: 4, hasDoors: true)
        try await LoadChain.with(engine, plan) { chain in
            try await chain.judged("displays with gaps [28]", pause: .milliseconds(100)) {
                _ = try await onThreads(2) { turn -> Void in
                    // Each display returns to another server if there is one.
                    var sequence: Int64 = 0
                    for round in 0..<TestLength.choose(3, long: 30) {
                        let port = chain.ports[(turn + round) % chain.ports.count]
                        let known = chain.ledger.codes.count
                        var feed = try Feed(chain.display(port: port), port: port)
                        defer { feed.end() }
                        for message in 0..<3 {
                            let next = feed.next(TurnsMessage.self)
                            let turns = try #require(next)
                            // Each of two servers has its own sequence; the display takes the newer state.
                            if chain.ports.count == 1 { #expect(turns.sequence > sequence) }
                            sequence = turns.sequence
                            // The first messages contain everything that happened before the display came back.
                            let seen = turns.waiting + turns.called.count
                            if message == 2 { #expect(seen >= known, "\(seen) of \(known)") }
                        }
                        usleep(UInt32(TestLength.choose(300_000, long: 3_000_000)))
                    }
                }
            }
        }
    }

    @Test(
        "A display that reads nothing is dropped; the data kept for it is bounded [fault 29]",
        arguments: Engine.allCases)
    func slow(engine: Engine) async throws {
        // Every message lists all called customers, about 40 kB of them.
        let plan = LoadChain.Plan(machines: 8, capacity: 400, displays: 6, hasDoors: true)
        try await LoadChain.with(engine, plan) { chain in
            let port = chain.ports[0]
            let before = chain.servers[0].descriptors
            let slow = try (0..<20).map { index in
                try Feed(chain.display(index / 4, port: port), port: port, buffer: 2_048)
            }
            let resident = chain.servers[0].residentKilobytes
            var other = try Feed(chain.display(5, port: port), port: port)
            // The other display does not have to wait for the slow ones.
            var heard = 0
            try await chain.judged("slow displays [29]", pause: .milliseconds(20)) {
                let dropped = await eventually(
                    within: .seconds(TestLength.choose(90, long: 180))
                ) {
                    if other.next(TurnsMessage.self) != nil { heard += 1 }
                    return chain.servers[0].descriptors < before + 20
                }
                #expect(dropped && heard > 0)
                let goesOn = await eventually {
                    if other.next(TurnsMessage.self) != nil { heard += 1 }
                    return heard > 5
                }
                #expect(goesOn)
            } heal: {
                let grown = chain.servers[0].residentKilobytes - resident
                #expect(grown < 20 * 256 + 16 * 1_024, "\(grown) KiB more for 20 displays")
                for feed in slow { feed.end() }
                other.end()
            }
            #expect(chain.ledger.figures.unknown == 0)
        }
    }
}
