import Glibc
import TestSupport
import Testing

/// The texts of the demo shop's machine in its own language.
enum FaultWords {
    static let home = "quanto devi ancora aspettare"
    static let confirm = "Conferma"
    static let cancel = "Annulla"
    /// The button that keeps a reservation that was found.
    static let keep = "Mantieni il posto"
    static let unresolved = "Forse hai già un posto"
    static let issued = "Codice"
    static let printed = "Prendi il biglietto qui sotto"
    static let outOfService = "Questa macchina ora non può dare biglietti"
    static let noTicket = "Non è cambiato nulla"
}

/// A real kiosk in a terminal, a fault proxy, and the whole product behind it.
///
/// Unless it is pinned, the machine knows no key of the backend, so that false answers reach the code that interprets
/// them.
struct FaultyKiosk {
    let product: Product
    let proxy: FaultProxy

    static func with(
        isPinned: Bool = false, body: (FaultyKiosk) async throws -> Void
    ) async throws {
        try await Product.with { product in
            if !isPinned { try product.unpinBackend() }
            try await FaultProxy.with(to: product.services.backend) { proxy in
                try await body(FaultyKiosk(product: product, proxy: proxy))
            }
        }
    }

    /// A machine at Home in a terminal.
    static func atHome(
        isPinned: Bool = false, printer mode: DemoPrinter.Mode? = nil,
        body: (FaultyKiosk, TmuxTerminal) async throws -> Void
    ) async throws {
        try await with(isPinned: isPinned) { kiosk in
            if let mode { try await kiosk.product.printer(mode) }
            try await kiosk.atHome { try await body(kiosk, $0) }
        }
    }

    /// Starts the machine in a terminal and waits for Home.
    func atHome(
        _ settings: [String: String] = [:], body: (TmuxTerminal) async throws -> Void
    ) async throws {
        try await started(settings) { screen in
            try await screen.shows(FaultWords.home)
            try await body(screen)
        }
    }

    func started(
        _ settings: [String: String] = [:], body: (TmuxTerminal) async throws -> Void
    ) async throws {
        let settings = settings.merging(["backend": proxy.address]) { $1 }
        try await TmuxTerminal.with(
            columns: 80, rows: 24, command: product.kiosk(settings), body: body)
    }

    /// Goes from Home to a confirmation that is under way.
    func confirm(on screen: TmuxTerminal) async throws {
        try await screen.press("Enter")
        try await screen.shows(FaultWords.confirm)
        try await screen.press("Enter")
    }

    /// Kills the machine while its paper is printed.
    func killWhilePrinting(on screen: TmuxTerminal) async throws {
        try await confirm(on: screen)
        try await screen.shows(FaultWords.issued)
        try await screen.kill()
    }

    /// Goes from Home to a ticket that is printed.
    func takeTicket(on screen: TmuxTerminal) async throws {
        try await confirm(on: screen)
        try await screen.shows(FaultWords.printed)
    }

    /// Goes Home from a screen that the marked button ends.
    func finish(on screen: TmuxTerminal) async throws {
        try await screen.press("Enter")
        try await screen.shows(FaultWords.home)
    }

    /// Reservations with a number.
    func numbered() async throws -> [Checker.Row] {
        try await Checker.rows(database: product.services.database).filter { $0.number != nil }
    }

    /// Expects one row, on one paper, confirmed with one key, and that all rules hold.
    func expectOneTicket(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isPrinted = try await eventually {
            try !product.papers().isEmpty
        }
        #expect(isPrinted, sourceLocation: sourceLocation)
        #expect(try await numbered().count == 1, sourceLocation: sourceLocation)
        #expect(
            Set(proxy.asked("POST", "/confirmation").map(\.key)).count == 1,
            sourceLocation: sourceLocation)
        #expect(try product.papers().count == 1, sourceLocation: sourceLocation)
        try await judge(sourceLocation: sourceLocation)
    }

    /// Expects that the papers of all jobs come out, that each reservation is on one at most, and that all rules hold.
    func judgeTickets(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var jobs = ""
        // The printer needs a second for one paper, and there may be many.
        let isPrinted = try await eventually(within: longTimeout) {
            jobs = try await Tool.run(
                "lpstat", ["-l", "-o"], environment: ["CUPS_SERVER": product.services.cups]
            ).output
            let lines = jobs.split(separator: "\n")
            // A job whose page was never sent, since the machine was killed, stays without one.
            return lines.count { !($0.first?.isWhitespace ?? true) }
                == lines.count { $0.contains("job-incoming") }
        }
        #expect(isPrinted, "\(jobs)", sourceLocation: sourceLocation)
        try await judge(sourceLocation: sourceLocation)
    }

    /// Whether the machine's journal has no open entry and shows these places as shown or printed, so that the machine
    /// knows of every place (rules: start-up).
    func isResolved(_ places: [String]) async throws -> Bool {
        let journal = "\(product.services.state)/journal.sqlite"
        let rows = try await Tool.succeed(
            "sqlite3",
            [
                "-readonly", "-cmd", ".timeout 2000", journal,
                """
                SELECT hold, coalesce(shown_ms, printing_ms, 0) > 0 FROM confirmation
                WHERE settled_ms IS NULL
                """,
            ]
        ).split(separator: "\n")
        return rows.allSatisfy { $0.hasSuffix("|1") }
            && places.allSatisfy { place in rows.contains { $0 == "\(place)|1" } }
    }

    /// The entry codes on papers: on all that came out unless some are given.
    func printedCodes(_ papers: [String]? = nil) async throws -> [String] {
        var codes: [String] = []
        for paper in try papers ?? product.papers() {
            codes += try await Picture.entryCodes(onPage: paper)
        }
        return codes
    }

    func judge(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let papers = try await printedCodes()
        let rows = try await Checker.rows(database: product.services.database)
        let violations = Checker(proxy.log, rows: rows, papers: papers).violations()
        #expect(violations.isEmpty, "\(violations)", sourceLocation: sourceLocation)
    }
}

extension TmuxTerminal {
    /// Ends the machine at once.
    func kill() async throws {
        Glibc.kill(try await process(), SIGKILL)
        try await shows("status 137")
    }
}
