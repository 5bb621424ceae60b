import Glibc
import TestSupport

/// The settings of a kiosk in this bench.
struct KioskSetting {
    let program: String
    let arguments: [String]
    /// The kiosk's own log.
    let log: String

    /// Enrols a machine at the shop and builds the command line that starts it.
    init(_ workspace: Workspace, _ shop: BenchShop, printer: [String] = []) throws {
        program = try workspace.program("clup-kiosk")
        let state = "\(workspace.directory)/kiosk"
        log = "\(state)/kiosk.log"
        let enrolled = try Tool.succeedBlocking(program, ["enrol", "--state", state])
        try shop.addMachine(key: enrolled.split(whereSeparator: \.isWhitespace).joined())
        arguments =
            [
                "run", "--backend", shop.url, "--state", state, "--languages", "en,it", "--assets",
                workspace.assets,
            ] + printer
    }

    func start(_ grid: Grid) throws -> KioskSession {
        KioskSession(
            try PseudoTerminal(program, arguments, columns: grid.columns, rows: grid.rows))
    }
}

struct Grid {
    let columns: Int
    let rows: Int
    var name: String { "\(columns)x\(rows)" }
}

/// A running kiosk and its customers; the buttons are found by the texts on the screen.
final class KioskSession {
    /// Touches sooner after a new screen are taken for double taps (EN 301 549 5.9): 400 ms, and a margin.
    private static let quietTimeoutMs: Int64 = 450

    let terminal: PseudoTerminal
    /// The ten digits of the last ticket.
    private var code = ""

    init(_ terminal: PseudoTerminal) { self.terminal = terminal }

    /// Waits until the first frame is whole: its foot line is painted last.
    func firstFrame() throws -> Int64 {
        try terminal.wait("the first frame", quiet: 1) {
            $0.shows("Language") && ($0.shows("is starting") || $0.shows(Self.home))
        } - terminal.started
    }

    private static let home = "how long you still have to wait"

    /// Waits until Home shows the state of the queue.
    @discardableResult
    func home() throws -> Int64 {
        try terminal.wait("Home") { $0.shows(Self.home) } - terminal.started
    }

    func rest() { terminal.rest(milliseconds: Self.quietTimeoutMs) }

    /// Presses a button of Home and releases the finger beside it, which causes only two repaints.
    ///
    /// Returns the duration of the first repaint, and its CPU time in the kiosk.
    func press() throws -> (wall: Int64, cpu: Int64) {
        let button = try place(of: "for today, for one person")
        let used = terminal.process.cpuNanoseconds
        let touched = try terminal.finger(down: true, row: button.row, column: button.column)
        let painted = try terminal.waitForOutput("the pressed button")
        let cpu = terminal.process.cpuNanoseconds - used
        terminal.rest(milliseconds: 10)
        try terminal.finger(down: false, row: 0, column: 0)
        _ = try terminal.waitForOutput("the released button")
        terminal.rest(milliseconds: 20)
        return (painted - touched, cpu)
    }

    /// Opens the languages and returns to Home; returns both durations.
    func visitLanguages() throws -> [Int64] {
        let foot = (row: terminal.screen.rows - 2, column: 5)
        var times: [Int64] = []
        for text in ["Choose your language", Self.home] {
            rest()
            let touched = try lift(foot)
            times.append(try terminal.wait(text) { $0.shows(text) } - touched)
        }
        return times
    }

    /// Plays one customer from Home to a ticket and back; returns the times to the offer and to the number.
    func takeTicket() throws -> (offer: Int64, number: Int64) {
        let times = try confirmTicket()
        try touchDone()
        try home()
        return times
    }

    /// Takes a ticket from Home to the number.
    @discardableResult
    func confirmTicket() throws -> (offer: Int64, number: Int64) {
        let asked = try askForTicket()
        let offered = try terminal.wait("the offer") {
            $0.shows("print my ticket") || $0.shows("show my code")
        }
        let confirm = try terminal.screen.place(of: "print my ticket") ?? place(of: "show my code")
        rest()
        let confirmed = try lift(confirm)
        let numbered = try terminal.wait("the number") { $0.shows(Self.code) }
        code = String(
            terminal.screen.lines.joined(separator: "\n").split(separator: Self.code).dropFirst()
                .joined().filter(\.isNumber).prefix(10))
        return (offered - asked, numbered - confirmed)
    }

    /// The word in front of the ten digits of a ticket.
    private static let code = "Code "

    /// Touches *Get a ticket* and returns the time of the touch.
    func askForTicket() throws -> Int64 {
        let button = try place(of: "for today, for one person")
        rest()
        return try lift(button)
    }

    /// Touches *Done*, found by its countdown or, if there is none, in the lower right corner.
    func touchDone() throws {
        rest()
        let corner = (row: terminal.screen.rows - 3, column: terminal.screen.columns - 12)
        _ = try lift(terminal.screen.place(of: "closes in") ?? corner)
    }

    /// Takes a ticket and deletes it by its code; returns the time from *Confirm* to the answer.
    func deleteTicket() throws -> Int64 {
        _ = try takeTicket()
        rest()
        // The code comes all at once, as from a reader.
        try terminal.type(code + "\r")
        _ = try terminal.wait("the reservation") { $0.shows("cancel this reservation") }
        // The labels of the two answers may be in large letters: the right one is above the foot line.
        let giveUp = (row: terminal.screen.rows - 7, column: terminal.screen.columns * 3 / 4)
        rest()
        let confirmed = try lift(giveUp)
        let deleted = try terminal.wait("the answer") { $0.shows("somebody else can have") }
        try touchDone()
        try home()
        return deleted - confirmed
    }

    /// Presses, waits until the pressed button is shown, and releases: the release counts as the touch.
    private func lift(_ place: (row: Int, column: Int)) throws -> Int64 {
        try terminal.finger(down: true, row: place.row, column: place.column)
        _ = try terminal.waitForOutput("the pressed button")
        terminal.rest(milliseconds: 60)
        return try terminal.finger(down: false, row: place.row, column: place.column)
    }

    private func place(of text: String) throws -> (row: Int, column: Int) {
        guard let place = terminal.screen.place(of: text) else {
            throw BenchError(
                "\"\(text)\" is not on the screen:\n"
                    + terminal.screen.lines.joined(separator: "\n"))
        }
        return place
    }
}
