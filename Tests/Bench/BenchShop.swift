import Cryptography
import FoundationEssentials
import Glibc

/// A backend of our own with the declared bench shop, on a database of its own.
///
/// The shop: 5,000 people at once, a usual stay of a minute, open all day, in a zone where it is
/// morning now. So 300,000 tickets an hour are there, waits are real, and closing is hours away.
final class BenchShop {
    let url: String
    let database: String
    private(set) var process: ChildProcess
    private let log: String
    private let program: String
    private let more: [String]
    /// The first shop's identifier.
    let shop: String

    private struct Added: Decodable { let shop: String }
    private struct Ready: Decodable { let listening: String }

    /// - Parameters:
    ///   - place: an empty database of PostgreSQL; nil for a file.
    ///   - more: further options of `serve`.
    init(
        _ workspace: Workspace, name: String, database place: String? = nil, more: [String] = []
    ) throws {
        program = try workspace.program("clup-backend")
        self.more = more
        database = place ?? "\(workspace.directory)/\(name).sqlite"
        shop = try Self.addShop(program, database, tag: "BNCH")
        log = "\(workspace.directory)/\(name).log"
        (process, url) = try Self.serve(
            program, database, listen: "127.0.0.1:0", log: log, more: more)
    }

    /// Adds one more shop like the first; answers its identifier.
    func addShop(tag: String) throws -> String {
        try Self.addShop(program, database, tag: tag)
    }

    private static func addShop(
        _ program: String, _ database: String, tag: String
    ) throws -> String {
        let added = try ChildProcess.output(
            program,
            [
                "shop", "add", "--database", database, "--name", "Bench", "--tag", tag,
                "--time-zone", morningZone, "--hours", "Mon-Sun 00:00-24:00",
                "--capacity", "5000", "--stay", "1", "--languages", "en,it",
            ])
        return try JSONDecoder().decode(Added.self, from: Data(added.utf8)).shop
    }

    /// Starts `serve`; it listens on return.
    static func serve(
        _ program: String, _ database: String, listen: String, log: String, more: [String] = []
    ) throws -> (ChildProcess, url: String) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = try ChildProcess(
            program,
            [
                "serve", "--database", database, "--listen", listen, "--rate-limit", "0",
                "--code-limit", "0",
            ]
                + more,
            .output(ends[1], errors: log))
        close(ends[1])
        var line = [UInt8](repeating: 0, count: 1_024)
        let count = read(ends[0], &line, line.count)
        guard count > 0 else {
            let text = FileManager.default.contents(atPath: log) ?? Data()
            throw BenchError("the backend did not start: \(String(decoding: text, as: UTF8.self))")
        }
        return (process, try JSONDecoder().decode(Ready.self, from: Data(line[..<count])).listening)
    }

    /// Starts the server again at its address, after it was killed; it listens on return.
    func restart() throws {
        (process, _) = try Self.serve(program, database, listen: authority, log: log, more: more)
    }

    /// Ends the server.
    func end() { process.end() }

    /// Host and port as signatures cover them.
    var authority: String { String(url.dropFirst("http://".count)) }

    var port: UInt16 { url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    /// Lets a machine in, of the first shop unless another one is given.
    func add(machine: String, key: String, of other: String? = nil) throws {
        _ = try ChildProcess.output(
            program,
            [
                "machine", "add", "--database", database, "--shop", other ?? shop, "--name",
                machine,
                "--key=\(key)",
            ])
    }

    /// Lets a display in.
    func add(display: String, key: String) throws {
        _ = try ChildProcess.output(
            program,
            [
                "device", "add", "--database", database, "--shop", shop, "--role", "display",
                "--name", display, "--key=\(key)",
            ])
    }

    /// Of zones without summer time, the one where it is nearest to six in the morning.
    private static var morningZone: String {
        let zones: [(name: String, hours: Int)] = [
            ("Pacific/Honolulu", -10), ("America/Phoenix", -7), ("America/Bogota", -5),
            ("America/Sao_Paulo", -3), ("UTC", 0), ("Africa/Lagos", 1), ("Africa/Nairobi", 3),
            ("Asia/Dubai", 4), ("Asia/Bangkok", 7), ("Asia/Tokyo", 9), ("Pacific/Guadalcanal", 11),
        ]
        let hour = Int(Clock.real / 3_600_000_000_000)
        let best = zones.min { left, right in
            func distance(_ zone: (name: String, hours: Int)) -> Int {
                abs(((hour + zone.hours) % 24 + 24) % 24 - 6)
            }
            return distance(left) < distance(right)
        }
        return best?.name ?? "UTC"
    }
}
