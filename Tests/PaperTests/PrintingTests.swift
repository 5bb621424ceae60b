import CupsPrinter
import Foundation
import Glibc
import KioskFlow
import KioskRuntime
import Synchronization
import MachineClock
import TestSupport
import Testing
import TicketPaper

/// The steps of one print job as they were reported, each with the time since it was sent.
struct Way {
    var steps: [(progress: PrintProgress, after: Duration)] = []

    var all: [PrintProgress] { steps.map(\.progress) }
    var end: PrintProgress? { all.last }
    var tookToEnd: Duration { steps.last?.after ?? .zero }

    /// Why the job failed, whether or not it is certain that no receipt comes.
    var failure: PrinterTrouble? {
        if case .failed(let trouble, _) = end { trouble } else { nil }
    }

    /// When a trouble was first reported.
    func reported(_ trouble: PrinterTrouble) -> Duration? {
        steps.first { $0.progress == .troubled(trouble) }?.after
    }

    /// - Parameter customerLeaves: whether the customer leaves at the first trouble.
    static func of(
        _ port: any PrinterPort, seed: UInt8 = 1, customerLeaves: Bool = false,
        by time: MachineClock = .system,
        at step: (PrintProgress) async throws -> Void = { _ in }
    ) async throws -> Way {
        let paper = try Sample.paper(seed: seed)
        let start = time.now
        var way = Way()
        let timeout = Mutex(PrintTimeoutPolicy.full)
        let steps = port.print(
            { try? TicketPaper.page(paper, on: $0) }, "Ticket 042",
            { timeout.withLock { $0 } })
        for await progress in steps {
            way.steps.append((progress, start.duration(to: time.now)))
            if customerLeaves, case .troubled = progress {
                timeout.withLock { $0 = .untilTrouble }
            }
            try await step(progress)
        }
        return way
    }
}

/// Far above every limit of the product, and far below the time of a hanging job; how fast trouble is known is
/// measured by clup-bench.
private let bounded: Duration = .seconds(25)

/// What a printer that is there reports. A busy computer may need longer than a question's time limit, and that is the
/// trouble `offline`; then it is asked again.
private func report(of printer: CupsPrinter) async -> PrinterCondition {
    var condition = await printer.condition()
    _ = await eventually {
        if condition.trouble == .offline { condition = await printer.condition() }
        return condition.trouble != .offline
    }
    return condition
}

/// Each test has a print server and a printer of its own and spends most of its time waiting for
/// them, so they run side by side.
@Suite("Printing", .timeLimit(.minutes(10))) struct PrintingTests {
    private func withPrinter(
        roll: Int = 80, time: MachineClock = .system,
        _ body: (DemoPrinter, CupsPrinter) async throws -> Void
    ) async throws {
        try await DemoPrinter.with(roll: roll) { rig in
            try await body(rig, CupsPrinter(queue: rig.queue, server: rig.server, time: time))
        }
    }

    /// The printer is offline, which is known in a bounded time.
    private func expectOffline(_ port: CupsPrinter) async {
        let asked = await MachineClock.system.measure {
            #expect(await port.condition().trouble == .offline)
        }
        #expect(asked < bounded)
    }

    /// The next receipt is printed, and no other one.
    private func expectOnlyNext(_ rig: DemoPrinter, _ port: CupsPrinter) async throws {
        #expect(try await Way.of(port, seed: 2).end == .printed)
        let papers = try rig.papers()
        #expect(papers.count == 1)
        let codes = try await Picture.qrCodes(onPage: try #require(papers.last))
        #expect(codes == [Sample.code(seed: 2).rawValue])
    }

    @Test("A receipt is printed as sent, and the queue reports its roll", arguments: [80, 58])
    func prints(roll: Int) async throws {
        try await withPrinter(roll: roll) { rig, printer in
            try await printer.selfCheck()
            let media = try #require(await printer.media())
            #expect(media == (roll == 80 ? .roll80 : .roll58))
            #expect(await report(of: printer) == .ready)

            let page = try TicketPaper.page(try Sample.paper(), on: media)
            var steps: [PrintProgress] = []
            for await step in printer.print({ _ in page }, "Ticket 042", { .full }) {
                steps.append(step)
            }
            try requireCase(of: steps.first) { if case .submitted = $0 { true } else { nil } }
            #expect(steps.dropFirst() == [.printed])
            let papers = try rig.papers()
            #expect(papers.count == 1)
            let paper = try #require(papers.first)
            #expect(try Data(contentsOf: URL(filePath: paper)) == Data(page.pdf))
            #expect(try await Picture.qrCodes(onPage: paper) == [Sample.code(seed: 1).rawValue])
        }
    }

    @Test("A server at a unix socket, a title of any kind, and paper that ends soon [fault 47]")
    func socket() async throws {
        try await DemoPrinter.with { rig in
            let printer = CupsPrinter(queue: rig.queue, server: rig.description.socket)
            try await printer.selfCheck()
            let page = try TicketPaper.page(try Sample.paper(), on: .roll80)
            let title = String(repeating: "Città \u{1B}[31m; rm -rf", count: 100)
            var end: PrintProgress?
            for await step in printer.print({ _ in page }, title, { .full }) { end = step }
            #expect(end == .printed)
            try await rig.set(.low)
            #expect(await report(of: printer) == PrinterCondition(paperLow: true))
            #expect(try await Way.of(printer).end == .printed)
        }
    }

    @Test(
        "Known trouble is reported at once, and nothing old prints after it [faults 40, 41, 46]",
        arguments: [
            (DemoPrinter.Mode.empty, PrinterTrouble.noPaper), (.jam, .jam), (.cover, .coverOpen),
        ])
    func trouble(mode: DemoPrinter.Mode, expected: PrinterTrouble) async throws {
        try await withPrinter { rig, port in
            try await rig.set(mode)
            let condition = await report(of: port)
            #expect(condition.trouble == expected)
            let way = try await Way.of(port)
            #expect(way.reported(expected) != nil)
            #expect(way.failure == expected)
            #expect(try await rig.openJobs().isEmpty)

            try await rig.set(.ok)
            #expect(await report(of: port) == .ready)
            try await expectOnlyNext(rig, port)
        }
    }

    @Test("If paper runs out while a job waits, the same job prints once paper is in again")
    func refilled() async throws {
        try await withPrinter { rig, port in
            try await rig.set(.cover)
            let way = try await Way.of(port) { step in
                if case .troubled(.coverOpen) = step { try await rig.set(.ok) }
            }
            #expect(way.end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test(
        "A job in trouble is cancelled when its customer leaves, and a new roll prints nothing old [46]",
        arguments: [DemoPrinter.Mode.empty, .jam, .cover])
    func left(mode: DemoPrinter.Mode) async throws {
        let time = MachineClock.slow()
        try await withPrinter(time: time) { rig, port in
            try await rig.set(mode)
            let way = try await Way.of(port, customerLeaves: true, by: time)
            #expect(way.failure != nil)
            // While the customer stays, the staff has eight seconds to put in paper.
            #expect(way.tookToEnd < .seconds(8))
            #expect(try await rig.openJobs().isEmpty)
            try await rig.set(.ok)
            try await expectOnlyNext(rig, port)
        }
    }

    @Test("A slow printer prints; one that aborts the job ends it as failed [fault 43]")
    func slowAndFailing() async throws {
        try await withPrinter { rig, port in
            try await rig.set(.slow)
            #expect(try await Way.of(port).end == .printed)
            try await rig.set(.fail)
            // Repeated, because CUPS handles an aborted job in different ways by chance.
            for _ in 0..<6 {
                let failed = try await Way.of(port)
                #expect(failed.failure == .other, "\(failed.all)")
            }
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A printer that takes the job and reports nothing is silent after 5 s [faults 42, 44]")
    func silent() async throws {
        // On a busy computer an answer that takes longer than its limit would make the printer offline.
        let time = MachineClock.slow()
        try await withPrinter(time: time) { rig, port in
            try await rig.set(.hang)
            let way = try await Way.of(port, by: time) { step in
                switch step {
                case .submitted: time.move(by: .seconds(5))
                case .troubled(.silent): time.move(by: .seconds(3))
                default: break
                }
            }
            let reported = try #require(way.reported(.silent))
            #expect(reported > .seconds(4.5))
            #expect(way.failure == .silent)
            try await rig.set(.ok)
            try await expectOnlyNext(rig, port)
        }
    }

    @Test("A hanging or unplugged printer is offline [fault 42]", arguments: [SIGSTOP, SIGKILL])
    func gone(signal: Int32) async throws {
        try await withPrinter { rig, port in
            #expect(await report(of: port) == .ready)
            rig.signal(.printer, signal)
            await expectOffline(port)
            let way = try await Way.of(port)
            #expect(way.reported(.offline) != nil)
            #expect(way.failure == .offline)
            #expect(try await rig.openJobs().isEmpty)
            guard signal == SIGSTOP else { return }
            rig.signal(.printer, SIGCONT)
            #expect(await eventually { await port.condition() == .ready })
            try await expectOnlyNext(rig, port)
        }
    }

    @Test(
        "A stopped queue is reported, and prints nothing old once it is enabled [faults 43, 46]; one that rejects jobs fails at once and is named by the self check"
    )
    func disabled() async throws {
        try await withPrinter { rig, port in
            try await rig.administer("cupsdisable", rig.queue)
            #expect(await port.condition().trouble == .stopped)
            let way = try await Way.of(port)
            #expect(way.reported(.stopped) != nil)
            #expect(way.failure == .stopped)
            try await rig.administer("cupsenable", rig.queue)
            try await expectOnlyNext(rig, port)

            try await rig.administer("cupsreject", rig.queue)
            #expect(await port.condition().trouble == .stopped)
            let refused = try await Way.of(port)
            #expect(refused.all == [.failed(.stopped)])
            #expect(refused.tookToEnd < bounded)
            let error = await #expect(throws: CupsPrinterError.self) {
                try await port.selfCheck()
            }
            #expect(error?.code == .queueRefuses)
        }
    }

    @Test(
        "A queue that its driver has stopped is started again without its old papers; one that a person has stopped or closed is not [faults 43, 46]"
    )
    func stoppedByDriver() async throws {
        try await withPrinter { rig, port in
            let settings = try rig.folder.write(
                "cups = \(rig.description.socket)\nprinter = \(rig.queue)\n".utf8, to: "kiosk.conf")
            func restartQueues() async throws -> String {
                try await Tool.succeed(
                    Tool.repository.appending(path: "Kiosk/debian/lib/restart-queues").path,
                    [settings])
            }
            // CUPS's own driver orders the stop if nothing is at the printer's address, whatever the error policy is.
            let moved = rig.description.printer.replacing("/ipp/print", with: "/nowhere")
            try await rig.administer(
                "lpadmin", "-p", rig.queue, "-v", moved, "-o", "printer-error-policy=abort-job")
            #expect(try await Way.of(port).failure != nil)
            #expect(await eventually { await port.condition().trouble == .stopped })
            // A paper that no program cancels, as a test page of the print server.
            let page = try rig.folder.write("%PDF-1.4\n%%EOF\n".utf8, to: "page.pdf")
            try await rig.administer(
                "lp", "-d", rig.queue, "-o", "document-format=application/vnd.cups-pdf", page)
            #expect(try await !rig.openJobs().isEmpty)
            try await rig.administer("lpadmin", "-p", rig.queue, "-v", rig.description.printer)
            #expect(await port.condition().trouble == .stopped)
            #expect(try await restartQueues().contains("is started again"))
            #expect(try await rig.openJobs().isEmpty)
            try await expectOnlyNext(rig, port)

            #expect(try await restartQueues().isEmpty)
            try await rig.administer("cupsdisable", rig.queue)
            #expect(try await restartQueues().isEmpty)
            try await rig.administer("cupsdisable", "-r", "the shop moves", rig.queue)
            try await rig.administer("cupsreject", rig.queue)
            #expect(try await restartQueues().isEmpty)
            #expect(await port.condition().trouble == .stopped)
        }
    }

    @Test("A hanging cupsd blocks nothing, and its old receipt never prints [faults 45, 46]")
    func hungServer() async throws {
        try await withPrinter { rig, port in
            try await rig.set(.cover)
            #expect(await report(of: port).trouble == .coverOpen)
            // It hangs while a job waits: the job cannot be cancelled in time, but is as soon as possible.
            let way = try await Way.of(port) { step in
                if case .submitted = step { rig.signal(.cupsd, SIGSTOP) }
            }
            #expect(way.failure != nil, "\(way.all)")
            for _ in 0..<3 { await expectOffline(port) }
            let refused = try await Way.of(port)
            #expect(refused.all.count == 1 && refused.failure == .offline)
            #expect(refused.tookToEnd < bounded)
            rig.signal(.cupsd, SIGCONT)
            #expect(await eventually { await port.condition().trouble == .coverOpen })
            #expect(try await eventually { try await rig.openJobs().isEmpty })
            try await rig.set(.ok)
            try await expectOnlyNext(rig, port)
        }
    }

    @Test("If the customer leaves, the job is cancelled")
    func left() async throws {
        try await withPrinter { rig, port in
            try await rig.set(.cover)
            let page = try TicketPaper.page(try Sample.paper(), on: .roll80)
            for await step in port.print({ _ in page }, "Ticket 042", { .full }) {
                if case .troubled = step { break }
            }
            #expect(try await eventually { try await rig.openJobs().isEmpty })
            try await rig.set(.ok)
            try await expectOnlyNext(rig, port)
        }
    }

    /// Nothing can be printed, which is known in a bounded time; the self check names the fault with these words.
    private func expectUnusable(
        _ printer: CupsPrinter, _ code: CupsPrinterError.Code, naming words: [String]
    ) async throws {
        #expect(await printer.condition().trouble == .offline)
        let way = try await Way.of(printer)
        #expect(way.all == [.failed(.offline)] && way.tookToEnd < bounded)
        let error = await #expect(throws: CupsPrinterError.self) { try await printer.selfCheck() }
        #expect(error?.code == code)
        for word in words { #expect(error?.description.contains(word) == true, "\(word)") }
    }

    @Test("Without a cupsd it is offline at once, and the self check names the server [fault 45]")
    func noServer() async throws {
        let refusing = try ReservedPort()
        let server = refusing.address
        let printer = CupsPrinter(queue: "Receipt", server: server)
        #expect(await printer.media() == nil)
        try await expectUnusable(printer, .serverUnreachable, naming: [server, "Receipt"])
    }

    @Test("A queue that does not exist is named with its server and the queues that do")
    func unknownQueue() async throws {
        try await DemoPrinter.with { rig in
            for name in ["Recept", "a b/c?d#e", "Ricevuta è"] {
                try await expectUnusable(
                    CupsPrinter(queue: name, server: rig.server), .queueUnknown,
                    naming: [name, rig.server, "Receipt"])
            }
        }
    }
}
