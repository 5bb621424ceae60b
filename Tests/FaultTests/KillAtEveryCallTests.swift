import Glibc
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport
import Testing

// The process is killed after the n-th call that reaches the disk, the backend or the printer. The bytes that are not
// yet on the disk then are the tail of SQLite's log, so a power cut leaves the same state as an earlier n.
@Suite("Killed after each lasting call [faults 1-6, 8, 23]")
struct KillAtEveryCallTests {
    @Test("The machine: one ticket at most, the number that was seen, no second paper [faults 1-6]")
    func machine() async throws {
        try await FaultyKiosk.with { kiosk in
            // The journal's intention, the confirmation, the record of the shown ticket, the job with its page: 35
            // calls. The calls after them ask the printer for its state until the paper has come out.
            var call = 1
            while try await ticket(kiosk, killedAfter: call),
                call < TestLength.choose(31, long: ServingBackend.maxLastingCalls)
            {
                call += TestLength.choose(4, long: 1)
            }
            #expect((29..<ServingBackend.maxLastingCalls).contains(call))
            try await kiosk.judgeTickets()
        }
    }

    @Test("Machine and backend at once, as in a power cut: nothing unknown, nothing lost [fault 8]")
    func power() async throws {
        try await FaultyKiosk.with { kiosk in
            for call in stride(from: 1, through: 13, by: TestLength.choose(4, long: 1)) {
                #expect(try await ticket(kiosk, killedAfter: call, withBackend: true))
            }
            try await kiosk.judgeTickets()
        }
    }

    /// One customer from Home to the paper; returns whether the machine was killed on the way.
    private func ticket(
        _ kiosk: FaultyKiosk, killedAfter call: Int, withBackend: Bool = false
    ) async throws -> Bool {
        let before = try await Set(kiosk.numbered().map(\.id))
        var seen = ""
        var point = ""
        var isKilled = false
        try await kiosk.atHome { screen in
            try await screen.press("Enter")
            try await screen.shows(FaultWords.confirm)
            let pid = try await screen.process()
            // Writes to the screen are not included, because they change no state.
            isKilled = try await SteppedProcess.with(pid, calls: ServingBackend.lastingCalls) {
                process in
                try await screen.press("Enter")
                let stands = try await process.stands(afterCall: call) {
                    try await screen.text().contains(FaultWords.printed)
                }
                if withBackend { try await kiosk.product.killBackend() }
                kill(pid, SIGKILL)
                let trace = process.trace
                point = "killed after call \(call): \(trace.last ?? "")"
                // The intention is on the disk before the backend receives the request.
                if let sent = trace.firstIndex(where: { $0.contains("\"POST /v1/holds/") }) {
                    let synced = trace.firstIndex { $0.contains("fdatasync(") }
                    #expect(synced ?? sent < sent, "\(point)")
                }
                return stands
            }
            seen = try await screen.shows("status 137")
        }
        if withBackend { try await kiosk.product.restartBackend() }
        try await kiosk.started { screen in
            // Home, or the ticket that was under way and is finished now.
            let isServed = try await eventually {
                let text = try await screen.text()
                return text.contains(FaultWords.home) || text.contains(FaultWords.printed)
            }
            #expect(isServed, "\(point)")
            let now = try await screen.text()
            let new = try await kiosk.numbered().filter { !before.contains($0.id) }
            #expect(new.count <= 1, "\(point)")
            for text in [seen, now] {
                guard let code = Self.typedCode(in: text) else { continue }
                let row = try #require(new.first, "\(code) was shown: \(point)")
                let stored = try await kiosk.product.rows(
                    "SELECT typed_code FROM reservation WHERE id = '\(row.id)'")
                #expect(stored == [code], "\(point)")
            }
            #expect(try await kiosk.isResolved(new.map(\.id)), "\(point)")
        }
        return isKilled
    }

    /// The ten digits that a customer would copy.
    private static func typedCode(in text: String) -> String? {
        text.firstMatch(of: /Codice (\d{4}) (\d{3}) (\d{3})/).map { "\($0.1)\($0.2)\($0.3)" }
    }

    @Test("The backend: a whole ticket or none [fault 23]", arguments: FaultyShop.Engine.allCases)
    func backend(engine: FaultyShop.Engine) async throws {
        try await FaultyShop.with(on: engine) { shop in
            // A hold and a confirmation write pages of the log and flush them, or send to PostgreSQL, and send an
            // answer each.
            try await ServingBackend.killedEverLater(in: engine, least: (20, 8)) {
                try await ticket(shop, killedAfter: $1)
            }
            try await shop.judge()
        }
    }

    /// Takes one ticket over the wire; returns whether the backend was killed on the way.
    private func ticket(_ shop: FaultyShop, killedAfter call: Int) async throws -> Bool {
        let before = try await shop.numbered().count
        let client = try shop.client()
        let keys = (place: AttemptKey.fresh(), confirmation: AttemptKey.fresh())
        let (reservation, isKilled) = try await shop.backend.killed(afterCall: call) {
            let place = try await insist { await client.takePlace(.ticket, keys.place) }
            return try await insist { await client.confirm(place.id, keys.confirmation) }
        } check: { point in
            let rows = try await shop.numbered()
            #expect(rows.count <= before + 1, "\(point)")
            #expect(rows.allSatisfy { $0.code != nil }, "half a ticket, \(point)")
        }
        #expect(try await client.confirm(reservation.id, keys.confirmation).get() == reservation)
        #expect(try await shop.numbered().count == before + 1)
        return isKilled
    }
}
