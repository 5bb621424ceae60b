import BackendClient
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
    ///   - server: of PostgreSQL; nil for a file.
    ///   - settings: further options of `shop add`.
    ///   - more: further options of `serve`.
    init(
        _ workspace: Workspace, name: String, server: PostgresServer? = nil,
        settings: [String] = [], more: [String] = []
    ) throws {
        self.more = (server == nil ? [] : ["--state", workspace.directory]) + more
        administration = try ShopDatabase(
            workspace, server?.database() ?? "\(workspace.directory)/\(name).sqlite")
        shop = try administration.addShop(
            "Bench", tag: "BNCH", timeZone: Self.morningZone, capacity: 5_000, stay: 1,
            languages: "en,it", settings: settings)
        log = "\(workspace.directory)/\(name).log"
        backend = try administration.serve(log: log, more: self.more)
        workspace.atEnd { self.end() }
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
        try administration.addShop(
            "Bench", tag: tag, timeZone: Self.morningZone, capacity: capacity, stay: stay,
            languages: "en,it", settings: settings)
    }

    /// Starts the server again at its address, after it was killed; it listens on return.
    func restart() throws {
        backend = try administration.serve(listen: authority, log: log, more: more)
    }

    /// Ends the server.
    func end() { backend.end() }

    /// The rows of a query with one column, as text.
    func rows(_ query: String) throws -> [String] { try BenchDatabase.rows(query, in: database) }

    /// The machine's own client, with this key.
    func client(_ key: SigningKey) throws -> BackendClient {
        let signer = RequestSigner(key: key)
        return BackendClient(servers: try BackendServers(url)) { request in
            signer.sign(
                request, created: Clock.real / 1_000_000_000, nonce: RequestSigner.makeNonce())
        }
    }

    /// Enrols a machine or a device in the first shop, unless another shop is given.
    func add(
        _ name: String, _ key: SigningKey, role: KeyRole = .ticketMachine, of other: String? = nil
    ) throws {
        try administration.add(
            name, key: key.publicKey.text, role: role, to: other ?? shop)
    }

    /// Enrols a machine by the public key that it printed; the backend knows it on return.
    func addMachine(key: String) throws {
        try administration.add("kiosk", key: key, to: shop)
        awaitAllowList()
    }

    /// Enrols this many machines or devices, named `NAME-0` and so on, and returns their keys.
    func add(
        _ count: Int, _ name: String, role: KeyRole = .ticketMachine
    ) throws -> [SigningKey] {
        try (0..<count).map { index in
            let key = try SigningKey.generate()
            try add("\(name)-\(index)", key, role: role)
            return key
        }
    }

    /// Adds this many shops, each with a machine that the backend knows on return.
    func addShops(
        _ count: Int, tag: (Int) -> String, capacity: Int = 5_000, stay: Int = 1,
        settings: [String]
    ) throws -> [DeviceConnection] {
        let machines = try (0..<count).map { index in
            let machine = try DeviceConnection("machine", port: port)
            let other = try addShop(
                tag: tag(index), capacity: capacity, stay: stay, settings: settings)
            try add("machine", machine.key, of: other)
            return machine
        }
        awaitAllowList()
        return machines
    }

    /// Enrols this many machines, and returns their keys; the backend knows them on return.
    func addMachines(_ count: Int) throws -> [SigningKey] {
        let keys = try add(count, "machine")
        awaitAllowList()
        return keys
    }

    /// Enrols machines by their keys; the backend knows them on return.
    func addMachines(_ keys: [SigningKey]) throws {
        for (index, key) in keys.enumerated() { try add("machine-\(index)", key) }
        awaitAllowList()
    }

    /// Returns when the backend knows the keys that were added: it reads them at least once a second (rules: one-server).
    func awaitAllowList() { usleep(1_500_000) }

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
