import Glibc
import TestSupport

/// A program in a terminal of its own, whose screen is read as a person in front of it sees it (pty(7)).
final class PseudoTerminal {
    private let master: Int32
    let process: RunningProgram
    private(set) var screen: ScreenReader
    /// The time of the last bytes that came.
    private(set) var lastOutput: Int64 = 0
    /// The time at which the program was started.
    let started: Int64
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Bytes that came and are not yet on `screen`: parsing them at once would delay the clock.
    private var unread: [UInt8] = []

    /// - Parameter isRaw: bytes pass unchanged, as `cat` needs it to be an echo.
    init(
        _ program: String, _ arguments: [String], columns: Int, rows: Int, isRaw: Bool = false
    ) throws {
        let device = try PseudoTerminalDevice()
        let path = device.path
        master = device.master
        // The descriptor stays open until the program has opened the terminal, so that its settings are kept.
        let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw BenchError.system(path) }
        defer { close(slave) }
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        guard ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw BenchError.system(path) }
        if isRaw {
            var settings = termios()
            tcgetattr(slave, &settings)
            cfmakeraw(&settings)
            tcsetattr(slave, TCSANOW, &settings)
        }
        screen = ScreenReader(rows: rows, columns: columns)
        started = Clock.monotonic
        process = try Tool.start(program, arguments, streams: .terminal(path))
    }

    deinit {
        end()
        close(master)
    }

    /// Ends the program as its unit would, and reads its last output.
    func end() {
        guard process.isRunning else { return }
        process.signal(SIGTERM)
        let limit = Clock.monotonic + 3_000_000_000
        while process.isRunning, Clock.monotonic < limit { _ = pump(milliseconds: 20) }
        process.stopBlocking(SIGKILL)
    }

    /// Reads what comes within this time; false if nothing came.
    private func pump(milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return false }
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else {
            // The last process has closed the terminal (EIO).
            usleep(1_000)
            return false
        }
        lastOutput = Clock.monotonic
        unread += buffer[..<count]
        return true
    }

    private func show() {
        screen.take(unread[...])
        unread.removeAll(keepingCapacity: true)
    }

    /// Waits until the screen meets the condition and nothing has come for the given time after that; returns the time
    /// at which the last bytes of it came.
    func wait(
        _ what: String, quiet: Int32 = 2, seconds: Int64 = 10, until holds: (ScreenReader) -> Bool
    ) throws -> Int64 {
        let limit = Clock.monotonic + seconds * 1_000_000_000
        show()
        while !holds(screen) {
            // The last output of a program that has ended must still be read.
            let isOver = !process.isRunning || Clock.monotonic > limit
            guard pump(milliseconds: 100) || !isOver else {
                throw BenchError(
                    "\(what) did not come; the screen is\n" + screen.lines.joined(separator: "\n"))
            }
            while pump(milliseconds: 0) {}
            show()
        }
        return waitUntilQuiet(quiet: quiet)
    }

    /// Waits for any output after now and then until no more comes.
    func waitForOutput(_ what: String, quiet: Int32 = 2) throws -> Int64 {
        let before = lastOutput
        return try wait(what, quiet: quiet) { [self] _ in lastOutput != before }
    }

    /// Reads output until no more comes; returns the time of the last bytes.
    @discardableResult
    func waitUntilQuiet(quiet: Int32) -> Int64 {
        while pump(milliseconds: quiet) {}
        show()
        return lastOutput
    }

    /// Lets time pass without input to the terminal.
    func rest(milliseconds: Int64) {
        let end = Clock.monotonic + milliseconds * 1_000_000
        while case let left = end - Clock.monotonic, left > 0 {
            _ = pump(milliseconds: Int32(min(left / 1_000_000 + 1, 100)))
        }
        show()
    }

    /// Sends bytes as if typed; returns the time of that.
    @discardableResult
    func type(_ text: String) throws -> Int64 {
        let bytes = Array(text.utf8)
        let now = Clock.monotonic
        guard write(master, bytes, bytes.count) == bytes.count else {
            throw BenchError.system("a touch")
        }
        return now
    }

    /// Sends a finger that goes down or up, as xterm reports it in its mode 1006; row and column from 0.
    @discardableResult
    func finger(down: Bool, row: Int, column: Int) throws -> Int64 {
        try type("\u{1B}[<0;\(column + 1);\(row + 1)\(down ? "M" : "m")")
    }
}
