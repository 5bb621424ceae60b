import Cryptography
import FoundationEssentials
import Glibc
import Reservations
import SQLite
import TestSupport

/// A file of SQLite, or a database of PostgreSQL by its address.
enum BenchDatabase {
    static func isPostgres(_ path: String) -> Bool { path.hasPrefix("postgresql:") }

    /// The rows of a query with one column, as text.
    static func rows(_ query: String, in path: String) throws -> [String] {
        guard isPostgres(path) else {
            return try Connection(path: path, opening: .existing).rows(query) { $0.text(0) }
        }
        return try Tool.succeedBlocking("psql", ["-XAtd", path, "-c", query])
            .split(separator: "\n").map(String.init)
    }

    /// Runs statements that write many rows, and leaves the database as one that has had them for long.
    static func run(_ texts: [String], in path: String) throws {
        if isPostgres(path) {
            for text in texts + ["VACUUM ANALYZE"] { _ = try rows(text, in: path) }
        } else {
            let connection = try Connection(path: path, opening: .existing)
            for text in texts { try connection.execute(text) }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

/// A database with shops, as its administrator and its backend use it.
struct ShopDatabase {
    private let program: String
    /// A file, or the address of a database of PostgreSQL.
    let path: String

    private struct Added: Decodable { let shop: String }
    private struct Ready: Decodable { let listening: String }

    init(_ workspace: Workspace, _ path: String) throws {
        program = try workspace.program("clup-backend")
        self.path = path
    }

    /// Adds a shop and returns its identifier.
    func addShop(
        _ name: String, tag: String, timeZone: String, hours: String = "00:00-24:00", capacity: Int,
        stay: Int, languages: String = "it,en", settings: [String] = [],
        isDemonstration: Bool = false
    ) throws -> String {
        let added = try Tool.succeedBlocking(
            program,
            [
                "shop", "add", "--database", path, "--name", name, "--tag", tag, "--time-zone",
                timeZone, "--hours", "Mon-Sun \(hours)", "--capacity", "\(capacity)", "--stay",
                "\(stay)", "--languages", languages,
            ] + settings + (isDemonstration ? ["--demo"] : []))
        return try JSONDecoder().decode(Added.self, from: Data(added.utf8)).shop
    }

    /// Enrols a machine, or a device with a role.
    func add(_ name: String, key: String, role: KeyRole = .ticketMachine, to shop: String) throws {
        let isMachine = role == .ticketMachine
        try Tool.succeedBlocking(
            program,
            [
                isMachine ? "machine" : "device", "add", "--database", path, "--shop", shop,
                "--name", name, "--key=\(key)",
            ] + (isMachine ? [] : ["--role", role.rawValue]))
    }

    /// The days of a shop as the backend reports them, as comma-separated values.
    func report(of shop: String, from first: String, to last: String) throws -> String {
        try Tool.succeedBlocking(
            program,
            [
                "report", "days", "--database", path, "--shop", shop, "--from", first, "--to", last,
            ])
    }

    /// Starts `serve` on a clock that is moved, which stands; it listens on return.
    func serveControlled(
        _ workspace: Workspace, more: [String] = []
    ) throws -> (ServedBackend, ClockControl) {
        let socket = "\(workspace.directory)/clock"
        let backend = try serve(
            log: "\(workspace.directory)/backend.log",
            more: ["--clock", "control:\(socket)"] + more)
        workspace.atEnd(backend.end)
        let clock = try ClockControl(socket)
        try clock.carryOut("rate 0")
        return (backend, clock)
    }

    /// Starts `serve`; it listens on return.
    func serve(
        listen: String = "127.0.0.1:0", log: String, more: [String] = []
    ) throws -> ServedBackend {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = try Tool.start(
            program,
            [
                "serve", "--database", path, "--listen", listen, "--rate-limit", "0",
                "--code-limit", "0",
            ] + more, streams: .output(ends[1], errors: log))
        close(ends[1])
        var line = [UInt8](repeating: 0, count: 1_024)
        let count = read(ends[0], &line, line.count)
        guard count > 0 else {
            let text = FileManager.default.contents(atPath: log) ?? Data()
            throw BenchError("the backend did not start: \(String(decoding: text, as: UTF8.self))")
        }
        let ready = try JSONDecoder().decode(Ready.self, from: Data(line[..<count]))
        return ServedBackend(process: process, url: ready.listening)
    }
}

/// A running backend of the shipped program.
struct ServedBackend {
    let process: RunningProgram
    let url: String

    /// Host and port, as signatures cover them.
    var authority: String { String(url.dropFirst("http://".count)) }
    var port: UInt16 { url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    func end() { process.stopBlocking() }
}
