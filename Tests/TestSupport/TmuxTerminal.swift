import Foundation
public import Glibc

/// A tmux terminal with one program in it: a test sends keys and touches, and reads the text.
public final class TmuxTerminal: Sendable {
    private let server: String
    /// The clock of a machine in this terminal.
    public let clock = KioskClock()

    /// The longest pause between two looks at the screen, each of which starts a program.
    private static let maxPause: Duration = .milliseconds(100)

    private init(columns: Int, rows: Int, command: String, environment: [String: String])
        async throws
    {
        server = "clup-test-\(UUID().uuidString.prefix(13))"
        let settings = environment.merging([KioskClock.variable: clock.path]) { $1 }
            .map { "\($0.key)='\($0.value)' " }.sorted().joined()
        // The shell outlives the program, so that the state of the terminal can be read afterwards.
        try await Tool.succeed(
            "tmux",
            [
                "-L", server, "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y",
                "\(rows + 1)",
                "env \(settings)\(command); printf '\\r\\nstatus %s\\r\\n' $?; stty -a; cat",
            ], environment: ["LC_ALL": "C.UTF-8"])
        try await tmux("set-option", "-g", "status", "off")
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Runs a command in a terminal of this size, and ends it after the body.
    @discardableResult
    public static func with<Value>(
        columns: Int, rows: Int, command: String, environment: [String: String] = [:],
        file: String = #fileID, function: String = #function,
        body: (TmuxTerminal) async throws -> Value
    ) async throws -> Value {
        let terminal = try await TmuxTerminal(
            columns: columns, rows: rows, command: command, environment: environment)
        return try await ending(
            terminal,
            by: { terminal in
                if let trace = Traces.path("screen.txt", of: file, function) {
                    try? await terminal.text().write(
                        toFile: trace, atomically: false, encoding: .utf8)
                }
                Traces.keepEvents(ofMachine: command, of: file, function)
                await terminal.end()
            }, after: body)
    }

    /// Ends the terminal and waits until its program has ended too, so that another one can have what it held.
    private func end() async {
        let program = try? await process()
        _ = try? await tmux("kill-server")
        if let program { _ = await eventually { !RunningProgram.isRunning(program) } }
        clock.end()
    }

    @discardableResult
    private func tmux(_ arguments: String...) async throws -> String {
        try await Tool.succeed("tmux", ["-L", server] + arguments)
    }

    public func text() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Waits longer than the time in which the machine takes a touch as meant for the previous screen (EN 301 549
    /// 5.9): a customer looks before touching.
    private func look() async throws { try await clock.pass(.milliseconds(500)) }

    /// Types as a code reader that acts as a keyboard: all characters at once, and then its end.
    public func types(_ code: String, end: String = "\r") async throws {
        try await look()
        try await tmux("send-keys", "-l", code + end)
    }

    /// Whether the program has rung the terminal's bell (tmux(1), window_bell_flag).
    public func hasBeeped() async throws -> Bool {
        try await tmux("display-message", "-p", "#{window_bell_flag}").hasPrefix("1")
    }

    /// The title that the program has given its terminal, if any.
    public func title() async throws -> String {
        try await tmux("display-message", "-p", "#{pane_title}")
    }

    /// Keys by tmux's names: Enter, Tab, Escape.
    public func press(_ keys: String...) async throws {
        try await look()
        try await pressBlindly(keys)
    }

    /// Presses keys without looking first, as at a machine that stands still.
    public func pressBlindly(_ keys: [String]) async throws {
        for key in keys { try await tmux("send-keys", key) }
    }

    /// Types a PIN at the keypad, and Enter when its digits are shown: keys that a busy computer delivers together come
    /// from a code reader, as far as the machine can see.
    public func typePIN(_ pin: String) async throws {
        try await press(pin)
        try await shows(String(repeating: "*", count: pin.count))
        try await press("Enter")
    }

    /// A finger down and up in a cell, as xterm reports it (mode 1006); counted from 0.
    public func touch(row: Int, column: Int) async throws {
        try await look()
        try await tap(row: row, column: column)
    }

    /// Touches the middle of a button by its words.
    public func touch(words: String) async throws {
        let text = try await shows(words)
        let spaced = words.map { String($0) }.joined(separator: " ")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.enumerated().reversed() {
            guard let range = line.range(of: words) ?? line.range(of: spaced) else { continue }
            let column = line.distance(from: line.startIndex, to: range.lowerBound) + 1
            return try await touch(row: row, column: column)
        }
        throw TestSupportError("no \(words) in\n\(text)")
    }

    /// Touches without the pause of a person who looks first.
    public func tap(row: Int, column: Int) async throws {
        for end in ["M", "m"] {
            try await tmux("send-keys", "-l", "\u{1B}[<0;\(column + 1);\(row + 1)\(end)")
        }
    }

    /// The process of the program in the terminal.
    public func process() async throws -> pid_t {
        let shell = try await tmux("display-message", "-p", "#{pane_pid}")
        return try await Tool.process("-P", shell.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Waits until the screen has all of these words; otherwise fails with the screen's text.
    ///
    /// - Parameter limit: how much time may pass in the machine, whose clock may be slower than the real one.
    @discardableResult
    public func shows(_ words: String..., within limit: Duration = timeout) async throws -> String {
        var last = ""
        var isShown = false
        let real = ContinuousClock.now
        let begin = await clock.now() ?? .zero
        _ = try await eventually(within: limit * 4, maxPause: Self.maxPause) {
            last = try await text()
            isShown = words.allSatisfy { last.contains($0) || last.contains(Self.spaced($0)) }
            guard !isShown, ContinuousClock.now - real > limit else { return isShown }
            // Another program than a machine has no clock of its own.
            return await clock.now().map { $0 - begin > limit } ?? true
        }
        guard isShown else {
            throw TestSupportError("the screen does not show \(words):\n\(last)")
        }
        return last
    }

    /// Lets time pass in the machine until the screen has all of these words; otherwise fails with the screen's text.
    ///
    /// - Parameters:
    ///   - inSilence: whether no answer comes to what the machine has asked.
    ///   - limit: how much time may pass in the machine; without it as much as passes while a test waits.
    @discardableResult
    public func passes(
        until words: String..., inSilence: Bool = false, within limit: Duration? = nil
    ) async throws -> String {
        func has() async throws -> String? {
            let text = try await text()
            let isThere = words.allSatisfy { text.contains($0) || text.contains(Self.spaced($0)) }
            return isThere ? text : nil
        }
        let end = ContinuousClock.now + timeout
        var passed: Duration = .zero
        while limit.map({ passed < $0 }) ?? (ContinuousClock.now < end) {
            if let text = try await has() { return text }
            let step = min(.milliseconds(500), limit.map { $0 - passed } ?? .seconds(1))
            try await inSilence ? clock.passInSilence(step) : clock.pass(step)
            passed += step
        }
        // What the machine has drawn last may be on its way to the terminal.
        _ = try await eventually(within: .seconds(5), maxPause: Self.maxPause) {
            try await has() != nil
        }
        guard let text = try await has() else {
            throw TestSupportError(
                "after \(passed) the screen does not show \(words):\n\(try await text())")
        }
        return text
    }

    /// A word as it is written on a button that has room for it.
    private static func spaced(_ word: String) -> String {
        word.split(separator: " ").map { $0.map { String($0) }.joined(separator: " ") }
            .joined(separator: "   ")
    }
}
