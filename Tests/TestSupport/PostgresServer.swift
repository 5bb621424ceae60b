import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A private PostgreSQL server of this process (`Kiosk/demo-postgresql`), gone with it.
public final class PostgresServer: Sendable {
    private static let script = Command.repository.appending(path: "Kiosk/demo-postgresql").path
    /// The one that tests share which do it no harm; each takes a database of its own.
    private static let common = Mutex<PostgresServer?>(nil)

    /// Removed by the script when this process has ended.
    private let folder = "/tmp/clup-postgresql-\(UUID().uuidString.prefix(13))"
    private let made = Atomic<Int>(0)

    /// Starts one that may be restarted and killed.
    public init() throws { try run("start", "\(getpid())") }

    deinit {
        // The rest comes with the end of this process; memory is free already.
        _ = try? run("stop", "immediate")
    }

    /// Whether a database is PostgreSQL's and no file.
    static func isAddress(_ database: String) -> Bool { database.hasPrefix("postgresql:") }

    public static func shared() throws -> PostgresServer {
        try common.withLock { common in
            if let common { return common }
            let new = try PostgresServer()
            common = new
            return new
        }
    }

    /// The address of a new, empty database.
    public func database() throws -> String {
        let name = "t\(made.add(1, ordering: .relaxed).newValue)"
        return try run("database", name)
    }

    /// Stops it, "immediate" as if it had crashed.
    public func stop(_ mode: String = "fast") throws { try run("stop", mode) }

    public func restart(_ mode: String = "fast") throws { try run("restart", mode) }

    /// Lets in only who knows the password from now on.
    public func ask(for password: String) throws { try run("password", password) }

    @discardableResult
    private func run(_ command: String, _ more: String) throws -> String {
        let said = try TemporaryFolder()
        let process = try Command.start(
            Self.script, [command, folder, more], output: said.file("output"),
            errors: said.file("errors"))
        while process.isRunning { usleep(2_000) }
        guard process.endStatus == 0 else {
            let errors = try? String(contentsOfFile: said.file("errors"), encoding: .utf8)
            throw TestSupportError("demo-postgresql \(command): \(errors ?? "")")
        }
        return try String(contentsOfFile: said.file("output"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
