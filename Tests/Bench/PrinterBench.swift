import FoundationEssentials
import Glibc
import TestSupport

/// The time until the kiosk notices a printer's trouble, with a real print server.
enum PrinterBench {
    private static let grid = Grid(columns: 80, rows: 24)
    private static let jammed = "Paper is stuck"

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let rounds = try workspace.options.number("troubles", standard: 5)
        guard let printer = try BenchPrinter(workspace) else {
            return Progress.say("printer: not measured, for which CUPS and its tools must be there")
        }
        let shop = try BenchShop(workspace, name: "printer")
        let machine = try KioskSetting(workspace, shop, printer: printer.arguments)
        let session = try machine.start(grid)
        try session.home()
        let question = ["-q", printer.address, "\(BenchPrinter.files)/state.ipptool"]
        let asked = try BenchSamples.of(20) { _ = try Tool.succeedBlocking("ipptool", question) }
        let floor = Floor("ipptool asks the printer itself once", asked.milliseconds(50))

        Progress.say("printer: \(rounds) troubles while idle ...")
        var idle = BenchSamples()
        for _ in 0..<rounds {
            // The trouble begins at a random moment between two of the machine's questions, which are 4 s apart.
            session.terminal.rest(milliseconds: Int64.random(in: 0..<4_000))
            let happened = try printer.begin(.jam)
            idle.add(try says("printer: jam", machine, session) - happened)
            try printer.show(.ok)
            _ = try says("printer: ready", machine, session)
        }
        report.figure(
            "printer.known-idle", idle.milliseconds(100), "ms", floor: floor,
            budget: .atMost(10_000), n: idle.count)

        Progress.say("printer: \(rounds) troubles while it prints ...")
        var printing = BenchSamples()
        for _ in 0..<rounds {
            try printer.show(.hang)
            try session.confirmTicket()
            // By then the job is in the printer.
            session.terminal.rest(milliseconds: 1_500)
            let happened = try printer.begin(.jam)
            let known = try session.terminal.wait("the trouble") { $0.shows(jammed) }
            printing.add(known - happened)
            try printer.show(.ok)
            try session.touchDone()
            try session.home()
            // Long enough for the end of the job and for the next question.
            session.terminal.rest(milliseconds: 10_000)
        }
        report.figure(
            "printer.known-printing", printing.milliseconds(100), "ms", floor: floor,
            budget: .atMost(5_000), n: printing.count)
    }

    /// Waits until the kiosk's log ends with this, and returns the time of that line.
    private static func says(
        _ words: String, _ machine: KioskSetting, _ session: KioskSession
    ) throws -> Int64 {
        let end = Clock.monotonic + 60_000_000_000
        while Clock.monotonic < end {
            let log = FileManager.default.contents(atPath: machine.log) ?? Data()
            let last = String(decoding: log, as: UTF8.self).split(separator: "\n").last
            if last?.hasSuffix(words) == true { return Clock.monotonic }
            session.terminal.rest(milliseconds: 5)
        }
        throw BenchError("the kiosk's log does not say \"\(words)\"")
    }
}
