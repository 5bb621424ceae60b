import BackendAPI
import ReservationStore
import Reservations
import TestSupport
import Testing

@Suite("Status reports and remote commands of machines, over HTTP")
final class MachineStatusTests: OpenShop {
    static let well = MachineCondition(
        version: "1.2.3", outOfService: nil,
        printers: [PrinterStatus(name: "roll", trouble: nil, paperLow: false)], reader: true,
        clockOffset: 0, diskFree: 60, fingerprint: "ab:cd", keyDays: 4)

    private func event(_ sequence: Int64, _ detail: String = "N1") -> MachineEventReport {
        MachineEventReport(
            sequence: sequence, at: LocalMoment(TestBackend.morning, offsetMinutes: 60),
            person: "Giulia", kind: "fault", detail: detail)
    }

    private func send(
        _ status: MachineStatusReport, by other: TestMachine? = nil
    ) throws -> WireResponse {
        try (other ?? machine).call(.machineStatus, sortedJSON(status))
    }

    private func status(
        _ condition: MachineCondition = well, memory: String = "m1", papers: [PrintTally] = [],
        dropped: Int = 0, events: [MachineEventReport] = [], acknowledged: [Int64] = []
    ) -> MachineStatusReport {
        MachineStatusReport(
            condition: condition, memory: memory, papers: papers, dropped: dropped,
            events: events, acknowledged: acknowledged)
    }

    private let day = LocalMoment(TestBackend.morning, offsetMinutes: 60).day

    private func reply(
        _ status: MachineStatusReport, to other: TestMachine? = nil
    ) throws -> MachineStatusReply {
        let answer = try send(status, by: other)
        return try answer.decoded(MachineStatusReply.self)
    }

    private func known() throws -> MachineStatusRecord {
        try #require(backend.administration.machineStatuses(of: TestBackend.shop).first)
    }

    @Test("Events are stored once and in order; those of another journal start again")
    func events() throws {
        let first = status(events: [event(1), event(2)])
        #expect(try reply(first).through == 2)
        // The answer was lost: the same event is sent again, with one more.
        #expect(try reply(first).through == 2)
        let more = status(dropped: 4, events: [event(2), event(7)])
        #expect(try reply(more).through == 7)
        #expect(try backend.count("machine_event") == 3)
        #expect(try known().dropped == 4)
        let restarted = status(memory: "m2", events: [event(1)])
        #expect(try reply(restarted).through == 1)
        #expect(try backend.count("machine_event") == 4)
        #expect(try known().memory == "m2")
        // Acknowledged events are on the disk: another process gives the same answer.
        try backend.restart()
        #expect(try reply(status(memory: "m2")).through == 1)
    }

    @Test("A status without news writes nothing; a minute later it does")
    func cost() throws {
        let papers = [PrintTally(day: day)]
        #expect(try send(status(papers: papers)).status == 200)
        let seen = try known().seen
        backend.time.advance(by: .seconds(10))
        for _ in 1...5 { #expect(try send(status(papers: papers)).status == 200) }
        #expect(try known().seen == seen)
        #expect(try backend.count("idempotency") == 0)
        #expect(try backend.count("nonce") == 1, "only the written report has one")
        backend.time.advance(by: .seconds(50))
        #expect(try send(status(papers: papers)).status == 200)
        #expect(try known().seen == seen + .seconds(60))
        var troubled = Self.well
        troubled.outOfService = "N1"
        #expect(try send(status(troubled, papers: papers)).status == 200)
        #expect(try known().condition.contains("N1"))
    }

    @Test("The print tally of a day replaces the earlier one, and machines are added up")
    func papers() throws {
        func tally(_ printed: Int, _ failed: Int, _ copies: Int, _ unknown: Int = 0) -> PrintTally {
            PrintTally(day: day, printed: printed, failed: failed, copies: copies, unknown: unknown)
        }
        let other = try backend.enrol("south")
        _ = try send(status(papers: [tally(3, 1, 0)]))
        _ = try send(status(papers: [tally(4, 1, 1)]))
        _ = try send(status(memory: "m9", papers: [tally(10, 2, 0, 4)]), by: other)
        // A new journal of the first machine counts from zero.
        _ = try send(status(memory: "m2", papers: [tally(1, 1, 1, 1)]))
        // The shop's calendar has no such day, so no machine could know it.
        _ = try send(
            status(memory: "m2", papers: [PrintTally(day: day.advanced(by: 400), printed: 5)]))
        let counts = try backend.administration.papers(
            of: TestBackend.shop, from: day, to: day.advanced(by: 500))
        #expect(counts == [tally(15, 4, 2, 5)])
    }

    @Test("A remote command is in the answers until it is carried out; a later one replaces it")
    func orders() async throws {
        let administration = try backend.administration
        let name = MachineID("north")
        let first = try administration.order(
            .outOfService, message: "Fermé", for: name, of: TestBackend.shop)
        let restart = try administration.order(.restart, for: name, of: TestBackend.shop)
        var orders: [RemoteCommand] = []
        func has(_ count: Int, acknowledged: [Int64] = []) async throws -> Bool {
            try await eventually {
                orders = try reply(status(acknowledged: acknowledged)).commands
                return orders.count == count
            }
        }
        #expect(try await has(2))
        let reported = orders
        #expect(reported.map(\.id) == [first.id, restart.id])
        #expect(reported.first?.kind == .outOfService && reported.first?.message == "Fermé")
        let other = try backend.enrol("south")
        #expect(try reply(status(), to: other).commands.isEmpty)
        #expect(try await has(1, acknowledged: [restart.id]))
        #expect(orders.map(\.id) == [first.id])
        let back = try administration.order(.inService, for: name, of: TestBackend.shop)
        #expect(back.id > restart.id)
        #expect(try await eventually { try await has(1) && orders.first?.id == back.id })
        #expect(orders.map(\.kind) == [.inService])
        #expect(try await has(0, acknowledged: [back.id]))
        let rows = try administration.commands(of: TestBackend.shop)
        #expect(rows.map(\.kind) == [.restart, .inService] && rows.allSatisfy { $0.done != nil })
        #expect(throws: StoreError.self) {
            try administration.order(.restart, for: MachineID("nobody"), of: TestBackend.shop)
        }
    }

    @Test("An older machine reports less, a newer one more; both are understood")
    func skew() throws {
        let body =
            #"{"condition":{"version":"0","printers":[],"reader":false,"clockOffset":0,"#
            + #""fingerprint":"","mood":"good"},"memory":"m","papers":[],"dropped":0,"#
            + #""events":[{"sequence":1,"at":"2026-11-20T10:00:00.000+01:00","kind":"danced","#
            + #""detail":"","stars":5}],"obeyed":[],"weather":{"rain":true}}"#
        let answer = try machine.call(.machineStatus, body)
        #expect(try answer.decoded(MachineStatusReply.self).through == 1)
    }

    @Test("Texts from outside are cleaned and cut, and never taken for SQL")
    func hostile() throws {
        let evil =
            "\u{1B}]0;x\u{07}\u{202E}'; DROP TABLE machine_event; --<script>{{7*7}}\r\n"
            + String(repeating: "e\u{301}\u{301}\u{301}", count: 10_000)
        var condition = Self.well
        condition.version = evil
        condition.printers[0].name = evil
        var bad = event(1, evil)
        bad.person = evil
        bad.kind = evil
        #expect(try send(status(condition, events: [bad])).status == 413)
        let short = String(evil.prefix(400))
        condition.version = short
        condition.printers[0].name = short
        bad.detail = short
        bad.person = short
        bad.kind = short
        #expect(try send(status(condition, events: [bad])).status == 200)
        let stored = try #require(
            try backend.administration.machineEvents(
                of: MachineID("north"), in: TestBackend.shop, count: 10
            ).first)
        for text in [stored.detail, stored.person ?? "", stored.kind, try known().condition] {
            #expect(
                !text.unicodeScalars.contains {
                    $0.properties.generalCategory == .control
                        || $0.properties.generalCategory == .format
                }, "\(text)")
        }
        #expect(stored.detail.unicodeScalars.count <= 200 && stored.kind.count <= 32)
        #expect(stored.detail.contains("'; DROP TABLE"))
    }

    @Test("Impossible counts and numbers are refused, and none of them is stored")
    func malformed() throws {
        var (far, full, many) = (Self.well, Self.well, Self.well)
        far.clockOffset = .min
        full.diskFree = 101
        many.printers = Array(repeating: many.printers[0], count: 5)
        let bad = [
            status(events: (1...51).map { event($0) }), status(events: [event(2), event(2)]),
            status(events: [event(0)]), status(memory: ""), status(memory: "a b"),
            status(dropped: -1), status(papers: [PrintTally(day: day, printed: -1)]),
            status(papers: [PrintTally(day: day, printed: 43_201)]),
            status(papers: [PrintTally(day: day), PrintTally(day: day)]),
            status(papers: (0..<33).map { PrintTally(day: day.advanced(by: -$0)) }),
            status(acknowledged: Array(1...9)), status(far), status(full), status(many),
        ]
        for (index, status) in bad.enumerated() {
            #expect(try send(status).problem == .malformed, "\(index)")
        }
        #expect(try machine.call(.machineStatus, "{}").problem == .malformed)
        #expect(try backend.count("machine_status") == 0)
        #expect(try backend.count("machine_event") == 0)
    }
}
