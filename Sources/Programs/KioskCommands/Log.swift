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

    private struct Content {
        var path = ""
        /// The open file; negative until then.
        var file: Int32 = -1
        var bytes = 0
        var hasStandardError = false
        /// The lines from before the file was opened, which happens after all other parts are known to work.
        var kept: [String] = []
    }

    private let content = Mutex(Content())

    /// Appends to a file for its owner and group, the kept lines first; fails with the system's reason.
    func open(_ path: String) throws {
        let file = Self.opened(path)
        guard file >= 0 else {
            throw CommandError.system(errno) {
                "The log \(path) cannot be written: \($0). Make its directory, or name another "
                    + "with --log."
            }
        }
        var status = stat()
        content.withLock { content in
            content.path = path
            content.file = file
            content.bytes = fstat(file, &status) == 0 ? Int(status.st_size) : 0
            for line in content.kept { Self.write(line, to: &content) }
            content.kept = []
        }
    }

    private static func opened(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
    }

    /// Output of libraries to standard error must not reach the customer's screen.
    func takeStandardError() {
        content.withLock { content in
            content.hasStandardError = true
            dup2(content.file, STDERR_FILENO)
        }
    }

    @Sendable func write(_ message: String) {
        content.withLock { content in
            if content.file >= 0 {
                Self.write(message, to: &content)
            } else {
                content.kept.append(message)
            }
        }
    }

    private static func write(_ message: String, to content: inout Content) {
        let stamp = Moment(milliseconds: Int64(time(nil)) * 1_000).utcText
        let text = stamp + " " + PlainText.clean(message, limit: maxLineBytes) + "\n"
        // A full disk loses log lines, not customers (faults 39).
        let file = content.file
        content.bytes += max(0, text.withCString { Glibc.write(file, $0, strlen($0)) })
        if content.bytes >= maxFileBytes { putAside(&content) }
    }

    /// Continues in a new file under the same descriptor or, if there can be none, in the old one.
    private static func putAside(_ content: inout Content) {
        content.bytes = 0
        let path = content.path
        guard rename(path, path + ".1") == 0, case let new = opened(path), new >= 0 else { return }
        dup2(new, content.file)
        _ = fcntl(content.file, F_SETFD, FD_CLOEXEC)
        close(new)
        if content.hasStandardError { dup2(content.file, STDERR_FILENO) }
    }
}
