import Reservations
import TestSupport
import Testing

@Suite("Killed at random, again and again [fault 9]")
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
                    try await screen.kill()
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
}
