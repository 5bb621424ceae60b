import Cryptography
import Glibc
import Reservations
import TestSupport

/// A backend with the declared bench shop, on a database of its own.
///
/// The shop lets in 5,000 people at once for a usual stay of a minute, and is open all day in a time zone in which it
/// is morning now. So 300,000 tickets an hour are available, waits are real, and closing is hours away.
final class BenchShop {
    private let administration: ShopDatabase
    /// The first shop's identifier.
    let shop: String
    private var backend: ServedBackend
    private let log: String
    private let more: [String]

    /// - Parameters:
    ///   - place: an empty database of PostgreSQL; nil for a file.
    ///   - settings: further options of `shop add`.
    ///   - more: further options of `serve`.
    init(
        _ workspace: Workspace, name: String, database place: String? = nil,
        settings: [String] = [],
        more: [String] = []
    ) throws {
        self.more = more
        administration = try ShopDatabase(
            workspace, place ?? "\(workspace.directory)/\(name).sqlite")
        shop = try Self.addShop(to: administration, tag: "BNCH", settings: settings)
        log = "\(workspace.directory)/\(name).log"
        backend = try administration.serve(log: log, more: more)
    }

    /// A file, or an address of PostgreSQL.
    var database: String { administration.path }
    var process: RunningProgram { backend.process }
    var url: String { backend.url }
    var authority: String { backend.authority }
    var port: UInt16 { backend.port }

    /// Adds one more shop like the first and returns its identifier.
    func addShop(
        tag: String, capacity: Int = 5_000, stay: Int = 1, settings: [String] = []
    ) throws -> String {
        try Self.addShop(
            to: administration, tag: tag, capacity: capacity, stay: stay, settings: settings)
    }

    private static func addShop(
        to database: ShopDatabase, tag: String, capacity: Int = 5_000, stay: Int = 1,
        settings: [String] = []
    ) throws -> String {
        try database.addShop(
            "Bench", tag: tag, timeZone: morningZone, capacity: capacity, stay: stay,
            languages: "en,it", settings: settings)
    }

    /// Starts the server again at its address, after it was killed; it listens on return.
    func restart() throws {
        backend = try administration.serve(listen: authority, log: log, more: more)
    }

    /// Ends the server.
    func end() { backend.end() }

    /// Enrols a machine in the first shop, unless another shop is given.
    func add(machine: String, key: String, of other: String? = nil) throws {
        try administration.add(machine, key: key, to: other ?? shop)
    }

    /// Enrols this many machines, named `machine-0` and so on, and returns their keys.
    func addMachines(_ count: Int) throws -> [SigningKey] {
        let keys = try (0..<count).map { _ in try SigningKey.generate() }
        try addMachines(keys)
        return keys
    }

    /// Enrols machines by their keys; the backend knows them on return.
    func addMachines(_ keys: [SigningKey]) throws {
        for (index, key) in keys.enumerated() {
            try add(machine: "machine-\(index)", key: key.publicKey.text)
        }
        awaitAllowList()
    }

    /// Returns when the backend knows the keys that were added: it reads them at least once a second (rules 27).
    func awaitAllowList() { usleep(1_500_000) }

    /// Enrols a display.
    func add(display: String, key: String) throws {
        try administration.add(display, key: key, role: "display", to: shop)
    }

    /// Enrols a page of staff members or of a desk.
    func add(page: String, key: String, role: KeyRole) throws {
        try administration.add(page, key: key, role: role.rawValue, to: shop)
    }

    /// Of the zones without summer time, the one in which it is nearest to six in the morning.
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
