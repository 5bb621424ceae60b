import Glibc
import Synchronization
import TerminalSurface

/// The machine's log: a line each with its time; never a code, a key or a customer's word.
final class Log: Sendable {
    /// More than any sentence of ours with a path in it.
    private static let longestLine = 2_000

    private let file: Int32

    /// Appends to a file for its owner and group; fails with the system's reason.
    init(path: String) throws {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        guard file >= 0 else {
            throw Configuration.Malformed(
                description: "The log \(path) cannot be written: "
                    + "\(String(cString: strerror(errno))). Make its directory, or name another "
                    + "with --log.")
        }
    }

    /// What libraries write to standard error must not reach the customer's screen.
    func takeStandardError() { dup2(file, STDERR_FILENO) }

    func write(_ message: String) {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let stamp = String(unsafeUninitializedCapacity: 32) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return 0 }
                return strftime(start, characters.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
            }
        }
        let text = stamp + " " + PlainText.clean(message, limit: Self.longestLine) + "\n"
        // A full disk loses log lines, not customers (faults 39).
        _ = text.withCString { Glibc.write(file, $0, strlen($0)) }
    }
}

/// Keeps what is said before the log is made, which is done once everything else is known to be right.
final class FirstLines: Sendable {
    private struct Content {
        var log: Log?
        var kept: [String] = []
    }

    private let content = Mutex(Content())

    /// Goes into this log from now on, what was kept first.
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
