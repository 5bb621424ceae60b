import Foundation
public import Glibc
import Synchronization

/// The real `clup-backend` with a database and one shop that is open and has room.
public final class ServingBackend: Sendable {
    public static let program = Tool.program("clup-backend")

    public let folder: TemporaryFolder
    /// `http://127.0.0.1:PORT`.
    public let address: String
    /// Where phones are answered, with `--phones` among the options; empty otherwise.
    public let phones: String
    /// The file, or the address of PostgreSQL.
    public let database: String

    /// The port of `address`, at which it is started again.
    private let port: ReservedPort
    private let process: Mutex<RunningProgram>
    private let shop: String
    private let options: [String]

    /// Starts a server at the port.
    private init(
        on database: String, in folder: TemporaryFolder, shop: String, options: [String],
        at port: ReservedPort
    ) async throws {
        self.folder = folder
        self.database = database
        self.shop = shop
        self.options = options
        self.port = port
        let (process, served) = try await Self.serve(database, folder, port.address, options)
        self.process = Mutex(process)
        address = served.listening
        phones = served.phones ?? ""
    }

    private convenience init(
        machines keys: [String], database place: String?, capacity: Int, languages: String,
        shop settings: [String], options: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let database = place ?? folder.file("backend.sqlite")
        struct Line: Decodable { let shop: String }
        let line = try await Tool.succeed(
            Self.program,
            [
                "shop", "add", "--database", database, "--name", "Città", "--tag", "TEST",
                "--time-zone", Self.byDay, "--capacity", "\(capacity)", "--stay", "10",
                "--languages", languages,
            ] + (settings.contains("--hours") ? [] : ["--hours", "Mon-Sun 00:00-24:00"])
                + settings)
        let shop = try JSONDecoder().decode(Line.self, from: Data(line.utf8)).shop
        for (index, key) in keys.enumerated() {
            try await Self.administer(
                "machine add", database, shop, ["--name", "machine-\(index)", "--key=\(key)"])
        }
        try await self.init(
            on: database, in: folder, shop: shop,
            options: options + (place == nil ? [] : ["--state", folder.path]), at: ReservedPort())
    }

    /// One more server on the database of another server.
    private convenience init(beside other: ServingBackend, options: [String]) async throws {
        try await self.init(
            on: other.database, in: other.folder, shop: other.shop,
            options: options + ["--state", other.folder.path], at: ReservedPort())
    }

    /// Runs a command of the administrator's for a shop; returns what it prints.
    @discardableResult
    private static func administer(
        _ command: String, _ database: String, _ shop: String, _ options: [String]
    ) async throws -> String {
        let words = command.split(separator: " ").map(String.init)
        return try await Tool.succeed(
            program, words + ["--database", database, "--shop", shop] + options)
    }

    /// The same for the shop of this server.
    @discardableResult
    func administer(_ command: String, _ options: String...) async throws -> String {
        try await Self.administer(command, database, shop, options)
    }

    /// Starts a backend that knows machines by their public keys, and ends it after the body.
    ///
    /// - Parameters:
    ///   - database: the address of an empty database of PostgreSQL; nil for a file.
    ///   - shop: more options of `shop add`.
    public static func with<Value>(
        machines keys: [String], database: String? = nil, capacity: Int = 5_000,
        languages: String = "en", shop: [String] = [], options: [String] = [],
        body: (ServingBackend) async throws -> Value
    ) async throws -> Value {
        let backend = try await ServingBackend(
            machines: keys, database: database, capacity: capacity, languages: languages,
            shop: shop, options: options)
        return try await backend.ended(after: body)
    }

    /// Starts one more server on the same PostgreSQL database, and ends it after the body.
    public func withAnother<Value>(
        options: [String] = [], body: (ServingBackend) async throws -> Value
    ) async throws -> Value {
        try await ServingBackend(beside: self, options: options).ended(after: body)
    }

    private func ended<Value>(
        after body: (ServingBackend) async throws -> Value
    ) async throws -> Value {
        try await ending(self, by: { await $0.running.stop() }, after: body)
    }

    /// Ends the server at once (SIGKILL) and starts another one at the same address.
    public func killAndRestart() async throws {
        running.signal(SIGKILL)
        await running.end()
        try await start()
    }

    /// What the server has written into its log.
    public func log() throws -> String {
        try String(contentsOfFile: folder.file("backend.log"), encoding: .utf8)
    }

    /// Asks the server to end (SIGTERM); it has ended when this returns.
    public func drain() async { await running.stop() }

    /// Starts the server again at its address, after it has ended.
    public func start() async throws {
        let (new, _) = try await Self.serve(database, folder, port.address, options)
        process.withLock { $0 = new }
    }

    /// Adds a device by the public key that its page shows; returns what the program printed.
    public func addDevice(role: String, name: String, key: String) async throws -> String {
        try await administer("device add", "--role", role, "--name", name, "--key=\(key)")
    }

    /// Adds a machine by the public key that it prints.
    public func addMachine(key: String, name: String = "door") async throws {
        try await administer("machine add", "--name", name, "--key", key)
    }

    /// Adds a machine by the code that it shows.
    public func pairMachine(code: String, name: String = "door") async throws {
        try await administer("machine pair", "--name", name, "--code", code)
    }

    /// Renames the shop while the server runs.
    public func rename(_ name: String) async throws { try await change("--name", name) }

    /// Changes the shop by options of `shop change`, while the server runs.
    public func change(_ options: String...) async throws {
        try await Self.administer("shop change", database, shop, options)
    }

    /// The key that machines pin.
    public func publicKey() async throws -> String {
        struct Line: Decodable { let key: String }
        let state = PostgresServer.isAddress(database) ? ["--state", folder.path] : []
        let line = try await Tool.succeed(
            Self.program, ["key", "--database", database] + state)
        return try JSONDecoder().decode(Line.self, from: Data(line.utf8)).key
    }

    /// Gives the pages of the shop's staff a new PIN.
    public func makeStaffPIN() async throws -> String {
        struct Line: Decodable { let pin: String }
        let line = try await administer("shop staff-pin")
        return try JSONDecoder().decode(Line.self, from: Data(line.utf8)).pin
    }

    /// Revokes the key of a device.
    public func revokeDevice(_ name: String) async throws {
        try await Tool.succeed(
            Self.program, ["device", "revoke", "--database", database, "--device", name])
    }

    /// Sends the server a signal, for example SIGSTOP so that it hangs.
    public func signal(_ number: Int32) { running.signal(number) }

    public func rows() async throws -> [Checker.Row] {
        try await Checker.rows(database: database)
    }

    /// The server's process now.
    public var pid: pid_t { running.pid }

    private var running: RunningProgram { process.withLock { $0 } }

    /// What the program prints when it is ready.
    private struct Ready: Decodable {
        let listening: String
        let phones: String?
    }

    private static func serve(
        _ database: String, _ folder: TemporaryFolder, _ listen: String, _ options: [String]
    ) async throws -> (RunningProgram, Ready) {
        let output = folder.file("serve-\(UUID().uuidString)")
        let process = try Tool.start(
            program,
            [
                "serve", "--database", database, "--listen", listen,
                "--rate-limit", "0",
            ] + options, output: output, errors: folder.file("backend.log"))
        var line: Ready?
        try await process.waits("clup-backend", log: folder.file("backend.log")) {
            line = FileManager.default.contents(atPath: output)
                .flatMap { try? JSONDecoder().decode(Ready.self, from: $0) }
            return line != nil
        }
        return (process, line ?? Ready(listening: "", phones: nil))
    }

    /// A time zone in which it is day, since near the end of a day there is no ticket left.
    public static var byDay: String {
        switch Int(Date().timeIntervalSince1970) / 3_600 % 24 {
        case 5..<19: "Europe/Rome"
        case 19...: "Pacific/Honolulu"
        default: "Asia/Tokyo"
        }
    }
}
