import BackendClient
import Glibc
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

@Suite("Killed at random, again and again [faults 9, 22]")
struct RandomKillTests {
    @Test("A machine killed at random moments, in a row: U D K P hold [fault 9]")
    func machine() async throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("random kills: seed \(seed)")
        var numbers = SplitMix(seed: seed)
        try await FaultyKiosk.with { kiosk in
            for _ in 0..<TestLength.choose(10, long: 100) {
                try await kiosk.started { screen in
                    let end =
                        ContinuousClock.now
                        + .milliseconds(.random(in: 100...4_500, using: &numbers))
                    while ContinuousClock.now < end { try await screen.press("Enter") }
                    kill(try await screen.process(), SIGKILL)
                    try await screen.shows("status 137")
                }
            }
            try await kiosk.atHome { _ in
                // What was asked for before the last kill is resolved while customers are served.
                let isResolved = try await eventually {
                    let kept = try await kiosk.numbered().filter { $0.state != "deleted" }
                    return try await kiosk.isResolved(kept.map(\.id))
                }
                #expect(isResolved, "seed \(seed)")
            }
            #expect(try await !kiosk.numbered().isEmpty, "seed \(seed)")
            try await kiosk.judgeTickets()
        }
    }

    @Test("A backend killed again and again: D K U, and no key is stuck [fault 22]")
    func backend() async throws {
        try await FaultyShop.with(machines: 8) { shop in
            let machines = try shop.keys.indices.map { try shop.client(machine: $0) }
            let given = try await takeTickets(with: machines) {
                for _ in 0..<TestLength.choose(7, long: 150) {
                    // In the middle of whatever the machines do then.
                    let before = shop.proxy.log.count
                    let more = Int.random(in: 20..<80)
                    try #require(await eventually { shop.proxy.log.count >= before + more })
                    try await shop.backend.killAndRestart()
                }
            }
            #expect(given.count > 50)
            // Sent again, every key brings the same answer.
            for one in given.shuffled().prefix(200) {
                let again = try await one.machine.confirm(one.reservation.id, one.key).get()
                #expect(again == one.reservation)
            }
            #expect(try await shop.numbered().count == given.count)
            try await shop.judge()
        }
    }
}
