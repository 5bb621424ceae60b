import Foundation
import Synchronization

#if canImport(Glibc)
    public import Glibc
#endif

/// A private PostgreSQL server of this process (`Kiosk/demo-postgresql`), which ends with the process.
public final class PostgresServer: Sendable {
    private static let script = Tool.repository.appending(path: "Kiosk/demo-postgresql").path
    /// The server that harmless tests share; each of them uses a database of its own.
    private static let common = Mutex<PostgresServer?>(nil)

    /// Removed by the script when this process has ended.
    public let folder: String
    private let made = Atomic<Int>(0)

    private static var newFolder: String { "/tmp/clup-postgresql-\(UUID().uuidString.prefix(13))" }

    /// Starts one that may be restarted and killed.
    ///
    /// - Parameter folder: the folder for it; a folder of its own under /tmp if nil.
    public init(in folder: String? = nil) throws {
        self.folder = folder ?? Self.newFolder
        try run("start", "\(getpid())")
    }

    /// Starts a standby of another one, which then acknowledges nothing that this one does not have on its disk.
    public init(standbyOf primary: PostgresServer) throws {
        folder = Self.newFolder
        try run("standby", "\(getpid())", primary.folder)
    }

    deinit {
        // The rest is removed at the end of this process; the memory is free already.
        _ = try? run("stop", "immediate")
    }

    /// Whether a database is PostgreSQL's, and not a file.
    static func isAddress(_ database: String) -> Bool { database.hasPrefix("postgresql:") }

    public static func shared() throws -> PostgresServer {
        try common.withLock { common in
            if let common { return common }
            let new = try PostgresServer()
            common = new
            return new
        }
    }

    /// The address of a new, empty database whose files are in a folder that the administrator chooses.
    public func database(in place: String) async throws -> String {
        let name = "t\(made.add(1, ordering: .relaxed).newValue)"
        try await Tool.succeed("chown", ["postgres:", place])
        try await administer("CREATE TABLESPACE \(name) LOCATION '\(place)'")
        try await administer("CREATE DATABASE \(name) TABLESPACE \(name)")
        return "postgresql:///\(name)?host=\(folder)&user=clup"
    }

    /// The address of a new, empty database.
    public func database() throws -> String {
        let name = "t\(made.add(1, ordering: .relaxed).newValue)"
        return try run("database", name)
    }

    /// Stops it, "immediate" as if it had crashed.
    public func stop(_ mode: String = "fast") throws { try run("stop", mode) }

    public func restart(_ mode: String = "fast") throws { try run("restart", mode) }

    /// Ends all its processes at once (SIGKILL), as a power cut does, and starts it again.
    public func killServer() throws { try run("kill") }

    /// Makes a standby the primary.
    public func promote() throws { try run("promote") }

    /// Ends all its processes at once, as a power cut does.
    public func end() throws { try run("end") }

    /// Starts a server that has ended as a standby without a primary.
    public func fence() throws { try run("fence") }

    /// Ends the process behind one of its connections (SIGKILL); the server then restarts itself.
    public func killOneBackend() async throws {
        let pids = try await backends()
        guard let pid = pids.randomElement() else { return }
        kill(pid, SIGKILL)
    }

    /// The processes behind its connections.
    public func backends() async throws -> [pid_t] {
        let query = """
            SELECT pid FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        let said = try await Tool.run("psql", ["-XAtd", administration, "-c", query])
        return said.output.split(separator: "\n").compactMap { pid_t($0) }
    }

    /// The address of a database of this server or, if this one is no primary, of the standby.
    public static func address(_ database: String, or standby: PostgresServer) -> String {
        database.replacing("&user=", with: ",\(standby.folder)&user=")
            + "&target_session_attrs=read-write"
    }

    /// All of its processes.
    public func processes() async throws -> [pid_t] {
        let pids = try await Tool.succeed(
            "bash",
            ["-c", "read -r main <'\(folder)/data/postmaster.pid'; echo $main; pgrep -P $main"])
        return pids.split(separator: "\n").compactMap { pid_t($0) }
    }

    /// Makes a database read-only, or writable again, and ends its connections, as happens if
    /// another server becomes the primary.
    public func makeReadOnly(_ address: String, _ isReadOnly: Bool) async throws {
        let name = address.dropFirst("postgresql:///".count).prefix { $0 != "?" }
        try await administer(
            "ALTER DATABASE \(name) SET default_transaction_read_only = \(isReadOnly ? "on" : "off")"
        )
        try await administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    /// Statements of its administrator's.
    public func administer(_ statements: String) async throws {
        try await Tool.succeed(
            "psql", ["-XAtqd", administration, "-v", "ON_ERROR_STOP=1", "-c", statements])
    }

    private var administration: String { "postgresql:///postgres?host=\(folder)&user=clup" }

    /// From now on accepts only clients with the password.
    public func ask(for password: String) throws { try run("password", password) }

    @discardableResult
    private func run(_ command: String, _ more: String...) throws -> String {
        try Tool.succeedBlocking(Self.script, [command, folder] + more.filter { !$0.isEmpty })
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
