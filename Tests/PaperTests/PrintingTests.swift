import CupsPrinter
import Dispatch
import Foundation
import KioskFlow
import KioskRuntime
import KioskScreens
import TestSupport
import Testing
import TicketPaper

#if canImport(Glibc)
    import Glibc
#endif

/// A door that blocks a thread until it is opened.
final class DispatchGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

/// One paper's way as it was seen, with the time of each step since it was sent off.
struct Way {
    var steps: [(progress: PrintProgress, after: Duration)] = []

    var all: [PrintProgress] { steps.map(\.progress) }
    var end: PrintProgress? { all.last }
    var tookToEnd: Duration { steps.last?.after ?? .zero }

    /// When a trouble was first told.
    func told(_ trouble: PrinterTrouble) -> Duration? {
        steps.first { $0.progress == .troubled(trouble) }?.after
    }

    static func of(
        _ port: PrinterPort, seed: UInt8 = 1,
        at step: (PrintProgress) async throws -> Void = { _ in }
    ) async throws -> Way {
        let page = try TicketPaper.page(try Sample.paper(seed: seed), on: .roll80)
        let clock = ContinuousClock()
        let start = clock.now
        var way = Way()
        for await progress in port.print(page, "Ticket 042") {
            way.steps.append((progress, clock.now - start))
            try await step(progress)
        }
        return way
    }
}

/// Each test has a print server and a printer of its own and spends most of its time waiting for
/// them, so they run side by side.
@Suite("Printing", .timeLimit(.minutes(2))) struct PrintingTests {
    @Test("A paper comes out as sent, and the queue tells its roll", arguments: [80, 58])
    func prints(roll: Int) async throws {
        try await DemoPrinter.with(roll: roll) { rig in
            let printer = CupsPrinter(queue: rig.queue, server: rig.server)
            try await printer.selfCheck()
            let media = try #require(await printer.port.media())
            #expect(media == (roll == 80 ? .roll80 : .roll58))
            #expect(await printer.port.condition() == .ready)

            let page = try TicketPaper.page(try Sample.paper(), on: media)
            var steps: [PrintProgress] = []
            for await step in printer.port.print(page, "Ticket 042") { steps.append(step) }
            guard case .submitted = steps.first else {
                Issue.record("\(steps)")
                return
            }
            #expect(steps.dropFirst() == [.printed])
            let papers = try rig.papers()
            #expect(papers.count == 1)
            let paper = try #require(papers.first)
            #expect(try Data(contentsOf: URL(filePath: paper)) == Data(page.pdf))
            #expect(try await Picture.qrCodes(onPage: paper) == [Sample.code(seed: 1).rawValue])
        }
    }

    @Test("A server at a unix socket, and a title of any kind")
    func socket() async throws {
        try await DemoPrinter.with { rig in
            let printer = CupsPrinter(queue: rig.queue, server: rig.description.socket)
            try await printer.selfCheck()
            let page = try TicketPaper.page(try Sample.paper(), on: .roll80)
            let title = String(repeating: "Città \u{1B}[31m; rm -rf", count: 100)
            var end: PrintProgress?
            for await step in printer.port.print(page, title) { end = step }
            #expect(end == .printed)
            try await rig.set(.low)
            #expect(await printer.port.condition() == PrinterCondition(paperLow: true))
            #expect(try await Way.of(printer.port).end == .printed)
        }
    }

    @Test(
        "Trouble is known before, told at once, and nothing old prints after it",
        arguments: [
            (DemoPrinter.Mode.empty, PrinterTrouble.noPaper), (.jam, .jam), (.cover, .coverOpen),
        ])
    func trouble(mode: DemoPrinter.Mode, expected: PrinterTrouble) async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(mode)
            #expect(await port.condition().trouble == expected)
            let way = try await Way.of(port)
            #expect(try #require(way.told(expected)) < .seconds(5))
            #expect(way.end == .failed(expected))
            #expect(way.tookToEnd < .seconds(10.5))
            #expect(try await rig.openJobs().isEmpty)

            try await rig.set(.ok)
            #expect(await port.condition() == .ready)
            #expect(try await Way.of(port, seed: 2).end == .printed)
            let papers = try rig.papers()
            #expect(papers.count == 1)
            #expect(
                try await Picture.qrCodes(onPage: try #require(papers.first))
                    == [Sample.code(seed: 2).rawValue])
        }
    }

    @Test("Paper that runs out while a job waits and is put in again lets the same job out")
    func refilled() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(.cover)
            let way = try await Way.of(port) { step in
                if case .troubled(.coverOpen) = step { try await rig.set(.ok) }
            }
            #expect(way.end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A slow printer prints; one that fails ends the job as failed")
    func slowAndFailing() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(.slow)
            #expect(try await Way.of(port).end == .printed)
            try await rig.set(.fail)
            // Several times: how CUPS takes an aborted job is a matter of luck.
            for _ in 0..<6 {
                let failed = try await Way.of(port)
                #expect(failed.end == .failed(.other), "\(failed.all)")
            }
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A printer that takes the job and says nothing is silent after 5 s")
    func silent() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(.hang)
            let way = try await Way.of(port)
            let told = try #require(way.told(.silent))
            #expect(told > .seconds(4.5) && told < .seconds(7.5))
            #expect(way.end == .failed(.silent))
            #expect(way.tookToEnd < .seconds(10.5))
            try await rig.set(.ok)
            #expect(try await Way.of(port, seed: 2).end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A printer that hangs, or is unplugged, is offline", arguments: [SIGSTOP, SIGKILL])
    func gone(signal: Int32) async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            #expect(await port.condition() == .ready)
            rig.signal(.printer, signal)
            let clock = ContinuousClock()
            let asked = await clock.measure {
                #expect(await port.condition().trouble == .offline)
            }
            #expect(asked < .seconds(3))
            let way = try await Way.of(port)
            #expect(try #require(way.told(.offline)) < .seconds(5))
            #expect(way.end == .failed(.offline))
            #expect(way.tookToEnd < .seconds(10.5))
            #expect(try await rig.openJobs().isEmpty)
            guard signal == SIGSTOP else { return }
            rig.signal(.printer, SIGCONT)
            #expect(await eventually(within: .seconds(5)) { await port.condition() == .ready })
            #expect(try await Way.of(port, seed: 2).end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A disabled queue is stopped: the paper does not print when it is enabled again")
    func disabled() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.administer("cupsdisable", rig.queue)
            #expect(await port.condition().trouble == .stopped)
            let way = try await Way.of(port)
            #expect(try #require(way.told(.stopped)) < .seconds(5))
            #expect(way.end == .failed(.stopped))
            try await rig.administer("cupsenable", rig.queue)
            #expect(try await Way.of(port, seed: 2).end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A queue that rejects jobs fails at once and is named by the self check")
    func rejecting() async throws {
        try await DemoPrinter.with { rig in
            let printer = CupsPrinter(queue: rig.queue, server: rig.server)
            try await rig.administer("cupsreject", rig.queue)
            #expect(await printer.port.condition().trouble == .stopped)
            let way = try await Way.of(printer.port)
            #expect(way.all == [.failed(.stopped)])
            #expect(way.tookToEnd < .seconds(3))
            let error = await #expect(throws: CupsPrinterError.self) {
                try await printer.selfCheck()
            }
            #expect(error?.code == .queueRefuses)
        }
    }

    @Test("A hung cupsd holds nobody up for more than 3 s, and a paper taken before never prints")
    func hungServer() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(.cover)
            #expect(await port.condition().trouble == .coverOpen)
            let clock = ContinuousClock()
            // Hung while a job waits: it cannot be cancelled in time, but is as soon as it can.
            let way = try await Way.of(port) { step in
                if case .submitted = step { rig.signal(.cupsd, SIGSTOP) }
            }
            guard case .failed = way.end else {
                Issue.record("\(way.all)")
                return
            }
            #expect(way.tookToEnd < .seconds(10))
            for _ in 0..<3 {
                let asked = await clock.measure {
                    #expect(await port.condition().trouble == .offline)
                }
                #expect(asked < .seconds(3))
            }
            let refused = try await Way.of(port)
            #expect(refused.all == [.failed(.offline)])
            #expect(refused.tookToEnd < .seconds(6))
            rig.signal(.cupsd, SIGCONT)
            #expect(
                await eventually(within: .seconds(5)) {
                    await port.condition().trouble == .coverOpen
                })
            #expect(
                try await eventually(within: .seconds(5)) { try await rig.openJobs().isEmpty })
            try await rig.set(.ok)
            #expect(try await Way.of(port, seed: 2).end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("A customer's leaving cancels the job")
    func left() async throws {
        try await DemoPrinter.with { rig in
            let port = CupsPrinter(queue: rig.queue, server: rig.server).port
            try await rig.set(.cover)
            let page = try TicketPaper.page(try Sample.paper(), on: .roll80)
            for await step in port.print(page, "Ticket 042") {
                if case .troubled = step { break }
            }
            #expect(
                try await eventually(within: .seconds(3)) { try await rig.openJobs().isEmpty })
            try await rig.set(.ok)
            #expect(try await Way.of(port, seed: 2).end == .printed)
            #expect(try rig.papers().count == 1)
        }
    }

    @Test("No cupsd at all is offline, at once, and the self check names the server")
    func noServer() async throws {
        let server = "127.0.0.1:\(try Loopback.freePort())"
        let printer = CupsPrinter(queue: "Receipt", server: server)
        #expect(await printer.port.condition().trouble == .offline)
        #expect(await printer.port.media() == nil)
        let way = try await Way.of(printer.port)
        #expect(way.all == [.failed(.offline)])
        #expect(way.tookToEnd < .seconds(3))
        let error = await #expect(throws: CupsPrinterError.self) { try await printer.selfCheck() }
        #expect(error?.code == .serverUnreachable)
        #expect(error?.description.contains(server) == true)
        #expect(error?.description.contains("Receipt") == true)
    }

    @Test("A queue that does not exist is named with its server, and with those that do")
    func unknownQueue() async throws {
        try await DemoPrinter.with { rig in
            for name in ["Recept", "a b/c?d#e", "Ricevuta è"] {
                let printer = CupsPrinter(queue: name, server: rig.server)
                #expect(await printer.port.condition().trouble == .offline)
                let way = try await Way.of(printer.port)
                #expect(way.all == [.failed(.offline)])
                let error = await #expect(throws: CupsPrinterError.self) {
                    try await printer.selfCheck()
                }
                #expect(error?.code == .queueUnknown)
                for word in [name, rig.server, "Receipt"] {
                    #expect(error?.description.contains(word) == true, "\(word)")
                }
            }
        }
    }
}
