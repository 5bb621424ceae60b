import Foundation
import Glibc
import TestSupport
import Testing

extension FaultWords {
    static let photograph = "Fotografa"
    static let noPaper = "non ha carta"
    static let jammed = "inceppata"
    static let open = "aperta"
    static let noAnswer = "non risponde"
    static let stopped = "ferma"
}

extension FaultyKiosk {
    /// Waits until the printer itself processes the ticket's job.
    func reachesThePrinter(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let queue = try await cups("lpstat", "-v")
        let uri = try #require(queue.firstMatch(of: /ipp:\/\/\S+/)).0
        let question = Tool.repository.appending(path: "Kiosk/demo-printer.d/state.ipptool").path
        let isBusy = try await eventually {
            let answer = try await Tool.run("ipptool", ["-tv", String(uri), question])
            return answer.output.contains("printer-state (enum) = processing")
        }
        #expect(isBusy, sourceLocation: sourceLocation)
    }

    /// Runs one of CUPS's commands against this product's server.
    @discardableResult
    func cups(_ program: String, _ arguments: String...) async throws -> String {
        try await Tool.succeed(
            program, arguments, environment: ["CUPS_SERVER": product.services.cups])
    }

    /// The process of this product's print server.
    func cupsd() throws -> pid_t {
        let folder = URL(filePath: product.services.paper).deletingLastPathComponent()
        let pids = try String(contentsOf: folder.appending(path: "pids"), encoding: .utf8)
        let line = pids.split(separator: "\n").first { $0.hasPrefix("cupsd ") }
        return try #require(line?.split(separator: " ").dropFirst().first.flatMap { pid_t($0) })
    }

    /// Starts this product's print server again, after it was killed; the caller ends it.
    func startCupsd() throws -> RunningProgram {
        let folder = URL(filePath: product.services.paper).deletingLastPathComponent()
            .appending(path: "cups")
        let files = folder.appending(path: "etc")
        return try Tool.start(
            "/usr/sbin/cupsd",
            [
                "-f", "-c", files.appending(path: "cupsd.conf").path,
                "-s", files.appending(path: "cups-files.conf").path,
            ], errors: folder.appending(path: "log/again").path)
    }

    /// Waits until these words about an event of the machine are in its log.
    func notices(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let log = "\(product.services.state)/kiosk.log"
        let isThere = try await eventually {
            try String(contentsOfFile: log, encoding: .utf8).contains(words)
        }
        #expect(isThere, "\(words)", sourceLocation: sourceLocation)
    }

    /// Expects that a screen has the code of the last ticket.
    func expectCode(
        in text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let typed = try await product.rows(
            "SELECT substr(typed_code, 1, 4) FROM reservation WHERE state IN ('planned', 'called') "
                + "ORDER BY number DESC LIMIT 1")
        #expect(
            text.contains("\(FaultWords.issued) \(try #require(typed.first))"),
            sourceLocation: sourceLocation)
    }

    /// Expects a ticket without paper: number, code and the trouble on the screen, one row, nothing printed.
    func expectShownOnly(
        on screen: TmuxTerminal, _ trouble: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let text = try await screen.shows(trouble, FaultWords.photograph, FaultWords.issued)
        try await expectCode(in: text, sourceLocation: sourceLocation)
    }

    /// Expects that no job waits in the queue, whatever the printer does later (rules: no-printout).
    func expectNoJob(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isEmpty = try await eventually {
            try await cups("lpstat", "-o").isEmpty
        }
        #expect(isEmpty, sourceLocation: sourceLocation)
    }

    /// The next customer has a ticket without paper, whose job is taken out of the queue.
    ///
    /// - Parameter breaking: breaks the printer while the job is in it; nil if it is broken.
    func confirmWithoutPaper(
        on screen: TmuxTerminal, _ trouble: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        breaking: (() async throws -> Void)? = nil
    ) async throws {
        try await confirm(on: screen)
        if let breaking {
            try await reachesThePrinter(sourceLocation: sourceLocation)
            try await breaking()
        }
        try await expectShownOnly(on: screen, trouble, sourceLocation: sourceLocation)
        try await expectNoJob(sourceLocation: sourceLocation)
    }

    /// The printer is put right, which the machine notices.
    func repair(on screen: TmuxTerminal) async throws {
        try await product.printer(.ok)
        try await notices("printer: ready")
        try await expectOnlyTheNext(on: screen)
    }

    /// The next customer, whose ticket is printed.
    func next(on screen: TmuxTerminal) async throws {
        try await finish(on: screen)
        try await takeTicket(on: screen)
    }

    /// Expects that the printer works again, that only the next customer's ticket is printed, and that all rules hold.
    func expectOnlyTheNext(
        on screen: TmuxTerminal, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await next(on: screen)
        let codes = try await product.codes()
        #expect(codes.count == 2, sourceLocation: sourceLocation)
        let papers = try await printedCodes()
        #expect(papers == [try #require(codes.last)], sourceLocation: sourceLocation)
        try await judge(sourceLocation: sourceLocation)
    }
}

@Suite("The printer's faults, as a customer sees them [faults 40-47]", .timeLimit(.minutes(10)))
struct PrinterTests {
    @Test(
        "Known before: the ticket is on the screen at once, and no old one is printed [40, 42, 46]",
        arguments: [
            (DemoPrinter.Mode.empty, "noPaper", FaultWords.noPaper),
            (.jam, "jam", FaultWords.jammed), (.cover, "coverOpen", FaultWords.open),
            (.gone, "offline", FaultWords.noAnswer),
        ])
    func before(mode: DemoPrinter.Mode, name: String, words: String) async throws {
        // A printer is unplugged while the machine runs; the other faults are there when it starts.
        let isUnplugged = mode == .gone
        try await FaultyKiosk.atHome(printer: isUnplugged ? nil : mode) { kiosk, screen in
            if isUnplugged { try await kiosk.product.printer(mode) }
            try await kiosk.notices("printer: \(name)")
            try await kiosk.confirmWithoutPaper(on: screen, words)
            try await kiosk.repair(on: screen)
        }
    }

    @Test(
        "During the job: the code on the screen, the job cancelled, the ticket kept [41-43, 46]",
        arguments: [
            (DemoPrinter.Mode.empty, FaultWords.noPaper), (.jam, FaultWords.jammed),
            (.cover, FaultWords.open), (.gone, FaultWords.noAnswer),
            // The queue is stopped, not the printer.
            (nil, FaultWords.stopped),
        ])
    func inTheMiddle(mode: DemoPrinter.Mode?, words: String) async throws {
        // A paper takes three seconds, in which the fault begins.
        try await FaultyKiosk.atHome(printer: .slow) { kiosk, screen in
            let queue = kiosk.product.services.printer
            try await kiosk.confirmWithoutPaper(on: screen, words) {
                if let mode {
                    try await kiosk.product.printer(mode)
                } else {
                    try await kiosk.cups("cupsdisable", queue)
                }
            }
            #expect(try kiosk.product.papers().isEmpty)
            if mode == nil {
                try await kiosk.notices("printer: stopped")
                try await kiosk.cups("cupsenable", queue)
            }
            try await kiosk.repair(on: screen)
        }
    }

    @Test("A lost paper that is reported as printed: number and code are on the screen [44]")
    func swallowed() async throws {
        try await FaultyKiosk.atHome(printer: .swallow) { kiosk, screen in
            try await kiosk.confirm(on: screen)
            let text = try await screen.shows(FaultWords.printed, FaultWords.issued)
            try await kiosk.expectCode(in: text)
            #expect(try kiosk.product.papers().isEmpty)
            try await kiosk.judge()
        }
    }

    @Test("A print server that ends: the code, at once; started again, paper again [45, 46]")
    func serverRestarted() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            // The server saves a new queue half a minute later, or at its end.
            let ended = try kiosk.cupsd()
            kill(ended, SIGTERM)
            #expect(await eventually { !RunningProgram.isRunning(ended) })
            try await kiosk.confirm(on: screen)
            try await kiosk.expectShownOnly(on: screen, FaultWords.noAnswer)
            try await kiosk.notices("printer: offline")
            let cupsd = try kiosk.startCupsd()
            do {
                try await kiosk.notices("printer: ready")
                try await kiosk.expectOnlyTheNext(on: screen)
                await cupsd.stop()
            } catch {
                await cupsd.stop()
                throw error
            }
        }
    }

    @Test("500 jobs of other users before ours: the code, our job cancelled, theirs untouched [45]")
    func longQueue() async throws {
        try await FaultyKiosk.with { kiosk in
            try await kiosk.product.printer(.hang)
            let page = try kiosk.product.folder.write("%PDF-1.4\n%%EOF\n".utf8, to: "page.pdf")
            let send =
                "lp -d \(kiosk.product.services.printer) "
                + "-o document-format=application/vnd.cups-pdf \(page) >/dev/null"
            try await kiosk.cups("bash", "-ec", "for job in {1..500}; do \(send); done")
            try await kiosk.atHome { screen in
                try await kiosk.confirm(on: screen)
                try await screen.shows(
                    FaultWords.photograph, FaultWords.issued)
                let areOthers = try await eventually {
                    let jobs = try await kiosk.cups("lpstat", "-o").split(separator: "\n")
                    return jobs.count == 500
                }
                #expect(areOthers)
                try await kiosk.cups("cancel", "-a")
                try await kiosk.expectNoJob()
                try await kiosk.product.printer(.ok)
                try await kiosk.expectOnlyTheNext(on: screen)
            }
        }
    }

    @Test("Paper that ends soon: the ticket is printed, the log has a warning for the staff [47]")
    func low() async throws {
        try await FaultyKiosk.atHome(printer: .low) { kiosk, screen in
            try await kiosk.notices("printer: the paper is nearly out")
            try await kiosk.takeTicket(on: screen)
            try await kiosk.expectOneTicket()
        }
    }

    @Test("A second printer takes over silently, and the first is used again [40, 41, 43]")
    func second() async throws {
        try await FaultyKiosk.with { kiosk in
            try await DemoPrinter.with { other in
                try await other.join(kiosk.product.services.cups, as: "Second")
                // The fault is not visible beforehand, and the printer aborts without a reason.
                try await kiosk.product.printer(.fail)
                try await kiosk.atHome(["printer2": "Second"]) { screen in
                    try await kiosk.takeTicket(on: screen)
                    try await kiosk.notices("not printed by the first printer")
                    try await kiosk.product.printer(.empty)
                    try await kiosk.notices("first printer: noPaper")
                    try await kiosk.next(on: screen)
                    let words = kiosk.product.kioskWords("doctor", ["printer2": "Second"])
                    let doctor = try await Tool.run(words[0], Array(words.dropFirst())).output
                    #expect(doctor.contains("printer: Receipt: there is no paper"), "\(doctor)")
                    #expect(doctor.contains("printer2: Second"), "\(doctor)")
                    try await kiosk.product.printer(.ok)
                    try await kiosk.notices("first printer: ready")
                    try await kiosk.next(on: screen)
                }
                let codes = try await kiosk.product.codes()
                let papers = try await kiosk.printedCodes(other.papers() + kiosk.product.papers())
                #expect(papers == codes)
                #expect(try other.papers().count == 2)
                try await kiosk.judge()
            }
        }
    }
}
