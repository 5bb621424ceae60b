import Cryptography
import FoundationEssentials
import Glibc
import TestSupport

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
    func add(_ name: String, key: String, role: String? = nil, to shop: String) throws {
        try Tool.succeedBlocking(
            program,
            [
                role == nil ? "machine" : "device", "add", "--database", path, "--shop", shop,
                "--name", name, "--key=\(key)",
            ] + (role.map { ["--role", $0] } ?? []))
    }

    /// The days of a shop as the backend reports them, as comma-separated values.
    func report(of shop: String, from first: String, to last: String) throws -> String {
        try Tool.succeedBlocking(
            program,
            [
                "report", "days", "--database", path, "--shop", shop, "--from", first, "--to", last,
            ])
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
