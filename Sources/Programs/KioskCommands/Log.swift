import CommandSyntax
import Glibc
import Reservations
import Synchronization
import TerminalSurface

/// The machine's log: one line for each entry, with its time; never a code, a key or a customer's input.
final class Log: Sendable {
    /// More than any of the program's sentences with a path in it.
    private static let maxLineBytes = 2_000

    /// A log of this length is renamed to `.1`, over the one before: a machine runs for years, and the lines of some
    /// days are enough to find a fault.
    static let maxFileBytes = 4 << 20

    private struct Length {
        var bytes: Int
        var hasStandardError = false
    }

    private let path: String
    private let file: Int32
    private let length: Mutex<Length>

    /// Appends to a file for its owner and group; fails with the system's reason.
    init(path: String) throws {
        self.path = path
        file = Self.opened(path)
        var status = stat()
        length = Mutex(Length(bytes: fstat(file, &status) == 0 ? Int(status.st_size) : 0))
        guard file >= 0 else {
            throw CommandError.system(errno) {
                "The log \(path) cannot be written: "
                    + "\($0). Make its directory, or name another "
                    + "with --log."
            }
        }
    }

    private static func opened(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
    }

    /// Output of libraries to standard error must not reach the customer's screen.
    func takeStandardError() {
        length.withLock { length in
            length.hasStandardError = true
            dup2(file, STDERR_FILENO)
        }
    }

    func write(_ message: String) {
        let stamp = Moment(milliseconds: Int64(time(nil)) * 1_000).utcText
        let text = stamp + " " + PlainText.clean(message, limit: Self.maxLineBytes) + "\n"
        // A full disk loses log lines, not customers (faults 39).
        length.withLock { length in
            length.bytes += max(0, text.withCString { Glibc.write(file, $0, strlen($0)) })
            if length.bytes >= Self.maxFileBytes { putAside(&length) }
        }
    }

    /// Continues in a new file under the same descriptor or, if there can be none, in the old one.
    private func putAside(_ length: inout Length) {
        length.bytes = 0
        guard rename(path, path + ".1") == 0, case let new = Self.opened(path), new >= 0 else {
            return
        }
        dup2(new, file)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        close(new)
        if length.hasStandardError { dup2(file, STDERR_FILENO) }
    }
}

/// Keeps the lines from before the log is opened, which happens after all other parts are known to work.
final class FirstLines: Sendable {
    private struct Content {
        var log: Log?
        var kept: [String] = []
    }

    private let content = Mutex(Content())

    /// Writes into this log from now on, the kept lines first.
    func follow(_ log: Log) {
        content.withLock { content in
            for line in content.kept { log.write(line) }
            content = Content(log: log)
        }
    }

    func write(_ message: String) {
        content.withLock { content in
            if let log = content.log { log.write(message) } else { content.kept.append(message) }
        }
    }
}
