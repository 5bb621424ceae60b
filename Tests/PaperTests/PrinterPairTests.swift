import Glibc
import KioskFlow
import KioskRuntime
import KioskScreens
import Synchronization
import TestSupport
import Testing

@testable import CupsPrinter

@Suite("Two printers", .timeLimit(.minutes(5))) struct PrinterPairTests {
    /// A printer that does with each paper what it is told, and remembers being asked to.
    private final class Scripted: Sendable {
        let condition: PrinterCondition
        let way: [PrintProgress]
        let asked = Mutex<[PrintTimeoutPolicy]>([])

        init(_ trouble: PrinterTrouble? = nil, _ way: PrintProgress...) {
            condition = PrinterCondition(trouble: trouble)
            self.way = way
        }

        var port: PrinterPort {
            PrinterPort(
                condition: { self.condition },
                print: { _, _, patience in
                    self.asked.withLock { $0.append(patience()) }
                    return AsyncStream { stream in
                        for step in self.way { stream.yield(step) }
                        stream.finish()
                    }
                })
        }
    }

    private func way(_ first: Scripted, _ standby: Scripted) async throws -> [PrintProgress] {
        let pair = PrinterPort.pair(first.port, standby: standby.port) { _ in }
        _ = await pair.condition()
        return try await Way.of(pair).all
    }

    @Test("The customer hears nothing of a trouble that the other printer takes away")
    func takesOver() async throws {
        let first = Scripted(nil, .submitted(job: 1), .troubled(.jam), .failed(.jam))
        let standby = Scripted(nil, .submitted(job: 2), .printed)
        #expect(
            try await way(first, standby)
                == [.submitted(job: 1), .submitted(job: 2), .printed])
        #expect(first.asked.withLock { $0 } == [.untilTrouble])
        #expect(standby.asked.withLock { $0 } == [.full])
    }

    @Test("The staff may have the second print first, and back again, paper by paper")
    func swapped() async throws {
        let first = Scripted(nil, .submitted(job: 1), .printed)
        let standby = Scripted(nil, .submitted(job: 2), .printed)
        let isSwapped = Mutex(true)
        let pair = PrinterPort.pair(
            first.port, standby: standby.port, isSwapped: { isSwapped.withLock { $0 } }
        ) { _ in }
        _ = await pair.condition()
        #expect(try await Way.of(pair).all == [.submitted(job: 2), .printed])
        isSwapped.withLock { $0 = false }
        #expect(try await Way.of(pair).all == [.submitted(job: 1), .printed])
    }

    @Test("A paper that may still come out of the first is not printed on the second [P]")
    func neverTwo() async throws {
        let lost = PrintProgress.failed(.offline, mayComeOut: true)
        let first = Scripted(nil, .submitted(job: 1), .troubled(.offline), lost)
        let standby = Scripted(nil, .printed)
        #expect(try await way(first, standby) == [.submitted(job: 1), lost])
        #expect(standby.asked.withLock { $0.isEmpty })
    }

    @Test("In trouble beforehand, the first is not asked; the second's trouble is told")
    func known() async throws {
        let first = Scripted(.noPaper)
        let standby = Scripted(nil, .submitted(job: 2), .troubled(.jam), .failed(.jam))
        #expect(
            try await way(first, standby)
                == [.submitted(job: 2), .troubled(.jam), .failed(.jam)])
        #expect(first.asked.withLock { $0.isEmpty })
    }

    @Test("With the second in trouble the first has its full time, and says what it has")
    func alone() async throws {
        let first = Scripted(nil, .submitted(job: 1), .troubled(.jam), .printed)
        let standby = Scripted(.offline)
        #expect(
            try await way(first, standby)
                == [.submitted(job: 1), .troubled(.jam), .printed])
        #expect(first.asked.withLock { $0 } == [.full])
    }

    @Test("Papers come while one is well; the first one's trouble is what is told of both")
    func condition() {
        let jam = PrinterCondition(trouble: .jam)
        let empty = PrinterCondition(trouble: .noPaper)
        let low = PrinterCondition(paperLow: true)
        #expect(PrinterCondition(jam, standby: .ready) == .ready)
        #expect(PrinterCondition(.ready, standby: empty) == .ready)
        #expect(PrinterCondition(jam, standby: empty) == jam)
        #expect(PrinterCondition(jam, standby: low) == low)
    }

    // MARK: Real ones

    /// Two virtual printers, each with a queue of one server; the papers of each are its rig's.
    private func withTwo(
        _ body: (_ first: DemoPrinter, _ second: DemoPrinter, PrinterPort) async throws -> Void
    ) async throws {
        try await DemoPrinter.with { first in
            try await DemoPrinter.with(roll: 58) { second in
                try await second.join(first.server, as: "Second")
                let pair = PrinterPort.pair(
                    CupsPrinter(queue: first.queue, server: first.server).port,
                    standby: CupsPrinter(queue: "Second", server: first.server).port
                ) { _ in }
                try await body(first, second, pair)
            }
        }
    }

    @Test(
        "One out of paper: the other prints on its own roll; the first again once it is refilled")
    func empty() async throws {
        try await withTwo { first, second, pair in
            try await first.set(.empty)
            #expect(await pair.condition() == .ready)
            #expect(try await Way.of(pair, seed: 1).end == .printed)
            #expect(try first.papers().isEmpty)
            let paper = try #require(try second.papers().first)
            #expect(try await Picture.qrCodes(onPage: paper) == [Sample.code(seed: 1).rawValue])
            let size = try await Command.succeed("pdfinfo", [paper])
            // 58 mm in points.
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
        "Trouble in the middle: cancelled on the first, one paper from the second, no ghost later",
        arguments: [DemoPrinter.Mode.jam, .cover, .fail])
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

    @Test("The first unplugged: the second prints")
    func unplugged() async throws {
        try await withTwo { first, second, pair in
            #expect(await pair.condition() == .ready)
            first.signal(.printer, SIGKILL)
            let way = try await Way.of(pair)
            #expect(way.end == .printed, "\(way.all)")
            #expect(try await codes(second) == [Sample.code(seed: 1).rawValue])
        }
    }

    private func codes(_ rig: DemoPrinter) async throws -> [String] {
        var codes: [String] = []
        for paper in try rig.papers() { codes += try await Picture.qrCodes(onPage: paper) }
        return codes
    }
}
