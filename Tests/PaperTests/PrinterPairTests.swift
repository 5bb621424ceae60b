import KioskFlow
import KioskRuntime
import Synchronization
import TestSupport
import Testing

@testable import CupsPrinter

@Suite("Two printers", .timeLimit(.minutes(10))) struct PrinterPairTests {
    /// A printer that follows a script for each receipt, and records what it was asked.
    private final class Scripted: PrinterPort {
        let reported: PrinterCondition
        let way: [PrintProgress]
        let asked = Mutex<[PrintTimeoutPolicy]>([])

        init(_ trouble: PrinterTrouble? = nil, _ way: PrintProgress...) {
            reported = PrinterCondition(trouble: trouble)
            self.way = way
        }

        func condition() async -> PrinterCondition { reported }

        func print(
            _ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout
        ) -> AsyncStream<PrintProgress> {
            asked.withLock { $0.append(timeout()) }
            return AsyncStream { stream in
                for step in way { stream.yield(step) }
                stream.finish()
            }
        }
    }

    private func way(_ first: Scripted, _ standby: Scripted) async throws -> [PrintProgress] {
        let pair = PrinterPair([first, standby]) { _ in }
        _ = await pair.condition()
        return try await Way.of(pair).all
    }

    @Test("A trouble that the other printer makes up for is not shown to the customer")
    func takesOver() async throws {
        let first = Scripted(nil, .submitted(job: 1), .troubled(.jam), .failed(.jam))
        let standby = Scripted(nil, .submitted(job: 2), .printed)
        #expect(
            try await way(first, standby) == [.submitted(job: 1), .submitted(job: 2), .printed])
        #expect(first.asked.withLock { $0 } == [.untilTrouble])
        #expect(standby.asked.withLock { $0 } == [.full])
    }

    @Test("Without a printer nothing is called broken, and no receipt is awaited")
    func absent() async throws {
        let pair = PrinterPair([]) { _ in }
        #expect(await pair.condition() == PrinterCondition(trouble: .absent))
        #expect(try await Way.of(pair).all == [.failed(.absent)])
        #expect(pair.statuses.isEmpty)
    }

    @Test("The staff can put the second printer first and back again, receipt by receipt")
    func swapped() async throws {
        let first = Scripted(nil, .submitted(job: 1), .printed)
        let standby = Scripted(nil, .submitted(job: 2), .printed)
        let pair = PrinterPair([first, standby]) { _ in }
        pair.isSwapped = true
        _ = await pair.condition()
        #expect(try await Way.of(pair).all == [.submitted(job: 2), .printed])
        pair.isSwapped = false
        #expect(try await Way.of(pair).all == [.submitted(job: 1), .printed])
    }

    @Test("A receipt that the first may still print is not printed by the second [P]")
    func neverTwo() async throws {
        let lost = PrintProgress.failed(.offline, mayComeOut: true)
        let first = Scripted(nil, .submitted(job: 1), .troubled(.offline), lost)
        let standby = Scripted(nil, .printed)
        #expect(try await way(first, standby) == [.submitted(job: 1), lost])
        #expect(standby.asked.withLock { $0.isEmpty })
    }

    @Test("A first one in trouble is not asked; the second's trouble is reported")
    func known() async throws {
        let first = Scripted(.noPaper)
        let standby = Scripted(nil, .submitted(job: 2), .troubled(.jam), .failed(.jam))
        #expect(
            try await way(first, standby)
                == [.submitted(job: 2), .troubled(.jam), .failed(.jam)])
        #expect(first.asked.withLock { $0.isEmpty })
    }

    @Test("If the second is in trouble, the first has its full time, and its trouble is reported")
    func alone() async throws {
        let first = Scripted(nil, .submitted(job: 1), .troubled(.jam), .printed)
        let standby = Scripted(.offline)
        #expect(try await way(first, standby) == [.submitted(job: 1), .troubled(.jam), .printed])
        #expect(first.asked.withLock { $0 } == [.full])
    }

    @Test("Printing works while one of two does; of both in trouble the first one's is reported")
    func condition() {
        let jam = PrinterCondition(trouble: .jam)
        let empty = PrinterCondition(trouble: .noPaper)
        let low = PrinterCondition(paperLow: true)
        #expect(PrinterCondition(jam, standby: .ready) == .ready)
        #expect(PrinterCondition(.ready, standby: empty) == .ready)
        #expect(PrinterCondition(jam, standby: empty) == jam)
        #expect(PrinterCondition(jam, standby: low) == low)
    }

    // MARK: Virtual printers

    /// Two virtual printers, each with a queue on one server; each rig holds its own printer's receipts.
    private func withTwo(
        _ body: (_ first: DemoPrinter, _ second: DemoPrinter, PrinterPair) async throws -> Void
    ) async throws {
        try await DemoPrinter.with { first in
            try await DemoPrinter.with(roll: 58) { second in
                try await second.join(first.server, as: "Second")
                let pair = PrinterPair([
                    CupsPrinter(queue: first.queue, server: first.server),
                    CupsPrinter(queue: "Second", server: first.server),
                ]) { _ in }
                try await body(first, second, pair)
            }
        }
    }

    @Test(
        "If one is out of paper, the other prints on its own roll, and the first again once refilled"
    )
    func empty() async throws {
        try await withTwo { first, second, pair in
            try await first.set(.empty)
            #expect(await pair.condition() == .ready)
            #expect(try await Way.of(pair, seed: 1).end == .printed)
            #expect(try first.papers().isEmpty)
            let paper = try #require(try second.papers().first)
            #expect(try await Picture.qrCodes(onPage: paper) == [Sample.code(seed: 1).rawValue])
            let size = try await Tool.succeed("pdfinfo", [paper])
            // The width of 58 mm in points.
            #expect(size.contains("164.4"), "\(size)")

            try await second.set(.jam)
            #expect(await pair.condition().trouble == .noPaper)

            try await first.set(.ok)
            #expect(await eventually { await pair.condition() == .ready })
            #expect(try await Way.of(pair, seed: 2).end == .printed)
            #expect(try first.papers().count == 1)
            #expect(try second.papers().count == 1)
        }
    }

    @Test(
        "Trouble within a receipt, or an unplugged first: cancelled on the first, printed once on the second, nothing later",
        arguments: [DemoPrinter.Mode.jam, .cover, .fail, .gone])
    func inTheMiddle(mode: DemoPrinter.Mode) async throws {
        try await withTwo { first, second, pair in
            #expect(await pair.condition() == .ready)
            try await first.set(mode)
            let way = try await Way.of(pair)
            #expect(way.end == .printed, "\(way.all)")
            #expect(try await first.openJobs().isEmpty)
            try await first.set(.ok)
            #expect(await eventually { await pair.condition() == .ready })
            #expect(try await Way.of(pair, seed: 2).end == .printed)
            #expect(try await codes(first) == [Sample.code(seed: 2).rawValue])
            #expect(try await codes(second) == [Sample.code(seed: 1).rawValue])
        }
    }

    private func codes(_ rig: DemoPrinter) async throws -> [String] {
        var codes: [String] = []
        for paper in try rig.papers() { codes += try await Picture.qrCodes(onPage: paper) }
        return codes
    }
}
