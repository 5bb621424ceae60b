import Foundation
public import Glibc
import Synchronization

/// The whole product as `Kiosk/try --services-only` starts it: backend, shop, printer, a machine.
public final class Product: Sendable {
    /// The line of JSON that says where everything is.
    public struct Services: Decodable, Sendable {
        public let backend: String
        /// The address at which phones are answered.
        public let phones: String
        public let database: String
        public let shop: String
        public let state: String
        public let printer: String
        public let cups: String
        public let paper: String
        /// The command line that starts the kiosk.
        public let kiosk: String
    }

    public let services: Services
    public let folder: TemporaryFolder

    private let process: RunningProgram
    /// Options for the backend, beyond its database and its address.
    private let serving: [String]
    /// The backend that was started after the first one was killed.
    private let backend = Mutex<RunningProgram?>(nil)

    private static let script = Tool.repository.appending(path: "Kiosk/try").path

    private init(_ options: [String]) async throws {
        let folder = try TemporaryFolder()
        let output = folder.file("services.json")
        let errors = folder.file("errors")
        let process = try Tool.start(
            Self.script,
            [
                "--services-only", "--programs", Tool.programs, "--directory",
                folder.file("product"),
            ] + options,
            output: output, errors: errors)
        func line() -> Data? {
            FileManager.default.contents(atPath: output).flatMap { $0.last == 0x0A ? $0 : nil }
        }
        try await process.waits("Kiosk/try", log: errors, within: .seconds(180)) { line() != nil }
        services = try JSONDecoder().decode(Services.self, from: line() ?? Data())
        self.folder = folder
        self.process = process
        let clock = options.firstIndex(of: "--clock").map { options[$0 + 1] }
        serving = clock.map { ["--clock", "control:\($0)"] } ?? []
    }

    /// Starts the product, and ends all of it after the body.
    @discardableResult
    public static func with<Value>(
        _ options: String..., body: (Product) async throws -> Value
    ) async throws -> Value {
        try await with(options, body: body)
    }

    @discardableResult
    public static func with<Value>(
        _ options: [String], body: (Product) async throws -> Value
    ) async throws -> Value {
        try await ending(Product(options), by: { await $0.end() }, after: body)
    }

    private func end() async {
        await backend.withLock { $0 }?.stop()
        await process.stop()
    }

    /// The process that serves this product's database.
    public func backendProcess() async throws -> pid_t {
        try await Tool.process("-f", "clup-backend serve --database \(services.database)")
    }

    /// Ends the backend at once (SIGKILL), and waits until the kernel has taken back its address and its locks.
    public func killBackend() async throws {
        let pid = try await backendProcess()
        kill(pid, SIGKILL)
        // The last thread of a program that its parent has not asked about yet stays as a zombie without files.
        let isGone = await eventually {
            guard
                let threads = try? FileManager.default.contentsOfDirectory(
                    atPath: "/proc/\(pid)/task"),
                let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            else { return true }
            return threads.count <= 1 && status.contains("State:\tZ")
        }
        guard isGone else { throw TestSupportError("the backend does not end") }
    }

    /// Starts the backend again at its address, after it was killed.
    public func restartBackend() async throws {
        let old = backend.withLock { $0 }
        await old?.end()
        let new = try Tool.start(
            ServingBackend.program,
            [
                "serve", "--database", services.database, "--listen",
                String(services.backend.dropFirst("http://".count)),
            ] + serving, errors: folder.file("backend.log"))
        backend.withLock { $0 = new }
    }

    /// Pins the backend's key for the machine of another state directory too.
    public func pinBackend(for state: String) throws {
        try FileManager.default.copyItem(
            atPath: "\(services.state)/\(Self.pin)", toPath: "\(state)/\(Self.pin)")
    }

    /// Removes the pinned key, for tests that change the backend's answers.
    public func unpinBackend() throws {
        try FileManager.default.removeItem(atPath: "\(services.state)/\(Self.pin)")
    }

    private static let pin = "backend.conf"

    /// Rows of the shop's database, columns separated by `|` (sqlite3(1)).
    public func rows(_ query: String) async throws -> [String] {
        try await Tool.succeed("sqlite3", ["-readonly", services.database, query])
            .split(separator: "\n").map(String.init)
    }

    /// Entry codes of the reservations that are still valid, in the order of their numbers.
    public func codes() async throws -> [String] {
        try await rows(
            "SELECT code FROM reservation WHERE number IS NOT NULL AND state IN ('planned', 'called') "
                + "ORDER BY number")
    }

    /// The receipts that were printed, oldest first.
    public func papers() throws -> [String] { try DemoPrinter.papers(in: services.paper) }

    /// A command of the kiosk's program as words, for a start without a shell.
    public func kioskWords(_ command: String, _ settings: [String: String] = [:]) -> [String] {
        kiosk(settings).filter { !"\\'".contains($0) }.split(separator: " ").map {
            $0 == "run" ? command : String($0)
        }
    }

    /// The kiosk's command with other values for these settings.
    public func kiosk(_ settings: [String: String] = [:]) -> String {
        services.kiosk + settings.map { " --\($0.key) '\($0.value)'" }.sorted().joined()
    }

    /// Sets what the virtual printer does.
    public func printer(_ mode: DemoPrinter.Mode) async throws {
        let directory = URL(filePath: services.paper).deletingLastPathComponent().path
        try await Tool.succeed(DemoPrinter.script, ["mode", directory, mode.rawValue])
    }
}
