import TestSupport

/// The kiosk's terminal: xterm with 80 x 24 cells on an X server of its own, touched and captured as a customer would see
/// it.
final class XTerminal: Sendable {
    /// The clock of a machine in this terminal.
    let clock = KioskClock()
    private let screen: VirtualScreen
    private let terminal: RunningProgram
    private let folder: TemporaryFolder
    private let window: String

    private init(command: String) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        screen = try await VirtualScreen(width: 1_280, height: 800)
        terminal = try Tool.start(
            "xterm",
            [
                "-tn", "xterm-256color", "-fa", "DejaVu Sans Mono", "-fs", "18", "-b", "0", "-bw",
                "0", "+sb", "-geometry", "80x24+0+0", "-e", command,
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
        command: String, body: (XTerminal) async throws -> Value
    ) async throws -> Value {
        try await ending(
            XTerminal(command: command),
            by: {
                await $0.terminal.stop()
                await $0.screen.stop()
                $0.clock.end()
            }, after: body)
    }

    /// Presses and releases a finger in the middle of a cell, counted from 0.
    func touch(row: Int, column: Int) async throws {
        let geometry = try await tool("xdotool", ["getwindowgeometry", "--shell", window])
        func value(_ name: String) throws -> Int {
            let line = geometry.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
            guard let text = line?.dropFirst(name.count + 1), let value = Int(text) else {
                throw TestSupportError("no \(name) in \(geometry)")
            }
            return value
        }
        let x = try value("WIDTH") * (2 * column + 1) / 160
        let y = try value("HEIGHT") * (2 * row + 1) / 48
        try await tool("xdotool", ["mousemove", "\(x)", "\(y)", "mousedown", "1", "mouseup", "1"])
    }

    /// Sets another keyboard layout, such as `it`.
    func setKeyboard(_ layout: String) async throws { try await tool("setxkbmap", [layout]) }

    /// Presses and releases keys by their numbers or names, such as `38`, `50+38` or `Escape` (xdotool(1)).
    func press(_ keys: [String]) async throws {
        try await tool("xdotool", ["key", "--delay", "4"] + keys)
    }

    /// The entry codes that zbar reads from the present screen.
    func entryCodes() async throws -> [String] {
        let picture = folder.file("screen.png")
        try await tool("import", ["-window", "root", picture])
        return try await Picture.entryCodes(inFile: picture)
    }

    @discardableResult
    private func tool(_ program: String, _ arguments: [String]) async throws -> String {
        try await Tool.succeed(program, arguments, environment: ["DISPLAY": screen.display])
    }
}
