import TestSupport

/// The kiosk's terminal: xterm on an X server of its own, touched and captured as a customer would see it.
final class XTerminal: Sendable {
    /// Cells across and down.
    let columns: Int
    let rows: Int

    /// The clock of a machine in this terminal.
    let clock = KioskClock()
    private let screen: VirtualScreen
    private let terminal: RunningProgram
    private let folder: TemporaryFolder
    private let window: String

    private init(columns: Int, rows: Int, command: String) async throws {
        self.columns = columns
        self.rows = rows
        let folder = try TemporaryFolder()
        self.folder = folder
        screen = try await VirtualScreen(width: 1_280, height: 800)
        terminal = try Tool.start(
            "xterm",
            [
                "-tn", "xterm-256color", "-fa", "DejaVu Sans Mono", "-fs", "18", "-b", "0", "-bw",
                "0", "+sb", "-geometry", "\(columns)x\(rows)+0+0", "-e", command,
            ],
            environment: [
                "DISPLAY": screen.display, "LC_ALL": "C.UTF-8", KioskClock.variable: clock.path,
            ])
        var found = ""
        let display = screen.display
        _ = try await eventually {
            let result = try await Tool.run(
                "xdotool", ["search", "--onlyvisible", "--class", "XTerm"],
                environment: ["DISPLAY": display])
            found = result.output.split(separator: "\n").last.map(String.init) ?? ""
            return !found.isEmpty
        }
        window = found
    }

    @discardableResult
    static func with<Value>(
        columns: Int, rows: Int, command: String, body: (XTerminal) async throws -> Value
    ) async throws -> Value {
        let terminal = try await XTerminal(columns: columns, rows: rows, command: command)
        return try await ending(terminal, by: { await $0.end() }, after: body)
    }

    private func end() async {
        await terminal.stop()
        await screen.stop()
        clock.end()
    }

    /// Presses and releases a finger in the middle of a cell, counted from 0.
    func touch(row: Int, column: Int) async throws {
        let geometry = try await tool("getwindowgeometry", "--shell", window)
        func value(_ name: String) throws -> Int {
            let line = geometry.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
            guard let text = line?.dropFirst(name.count + 1), let value = Int(text) else {
                throw TestSupportError("no \(name) in \(geometry)")
            }
            return value
        }
        let x = try value("WIDTH") * (2 * column + 1) / (2 * columns)
        let y = try value("HEIGHT") * (2 * row + 1) / (2 * rows)
        try await tool("mousemove", "\(x)", "\(y)", "mousedown", "1", "mouseup", "1")
    }

    /// Sets another keyboard layout, such as `it`.
    func setKeyboard(_ layout: String) async throws {
        try await Tool.succeed("setxkbmap", [layout], environment: ["DISPLAY": screen.display])
    }

    /// Presses and releases keys by their numbers or names, such as `38`, `50+38` or `Escape` (xdotool(1)).
    func press(_ keys: [String]) async throws {
        try await Tool.succeed(
            "xdotool", ["key", "--delay", "4"] + keys, environment: ["DISPLAY": screen.display])
    }

    /// The entry codes that zbar reads from the present screen.
    func entryCodes() async throws -> [String] {
        let picture = folder.file("screen.png")
        try await Tool.succeed(
            "import", ["-window", "root", picture], environment: ["DISPLAY": screen.display])
        return try await Picture.entryCodes(inFile: picture)
    }

    @discardableResult
    private func tool(_ arguments: String...) async throws -> String {
        try await Tool.succeed("xdotool", arguments, environment: ["DISPLAY": screen.display])
    }
}
