import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A private cupsd with a virtual receipt printer (Kiosk/demo-printer) for one test.
public final class DemoPrinter: Sendable {
    /// What the printer does with jobs, and whether it is there; the words of `demo-printer mode`.
    public enum Mode: String, Sendable, CaseIterable {
        case ok, slow, empty, jam, cover, low, fail, swallow, hang, offline, gone
    }

    /// What `demo-printer up` prints when it is ready.
    public struct Description: Decodable, Sendable {
        public let cups: String
        public let socket: String
        public let queue: String
        public let printer: String
        public let paper: String
        public let pids: Pids

        public struct Pids: Decodable, Sendable {
            public let cupsd: Int32
            public let printer: Int32
        }
    }

    public let description: Description
    /// `host:port` of the cupsd.
    public var server: String { description.cups }
    public var queue: String { description.queue }

    public let folder: TemporaryFolder
    public static let script = Tool.repository.appending(path: "Kiosk/demo-printer").path

    /// Starts a printer in a folder; the caller ends it.
    public init(
        in folder: TemporaryFolder, roll: Int = 80, options: [String] = []
    ) async throws {
        self.folder = folder
        let line = try await Tool.succeed(
            Self.script, ["up", folder.path, "--roll", "\(roll)"] + options)
        description = try JSONDecoder().decode(Description.self, from: Data(line.utf8))
    }

    /// Starts a printer with a roll 80 or 58 mm wide, with more options of `demo-printer up`, and
    /// ends it after the body.
    public static func with<Value>(
        roll: Int = 80, options: [String] = [], _ body: (DemoPrinter) async throws -> Value
    ) async throws -> Value {
        try await ending(
            DemoPrinter(in: TemporaryFolder(), roll: roll, options: options),
            by: { try await $0.end() }, after: body)
    }

    public func end() async throws {
        try await Tool.succeed(Self.script, ["down", folder.path])
    }

    /// Sets the mode and returns at once, as when a person opens the cover.
    public func begin(_ mode: Mode) throws {
        try Data("\(mode.rawValue)\n".utf8).write(to: folder.url.appending(path: "printer-mode"))
    }

    /// Sets the mode and waits until the printer itself shows it.
    public func set(_ mode: Mode) async throws {
        try await Tool.succeed(Self.script, ["mode", folder.path, mode.rawValue])
    }

    /// Paths of the PDFs that were printed, in order.
    public func papers() throws -> [String] { try Self.papers(in: description.paper) }

    static func papers(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".pdf") && !$0.hasPrefix(".") }.sorted()
            .map { folder + "/" + $0 }
    }

    /// Runs one of CUPS's commands against this server, as `cupsdisable Receipt`.
    public func administer(_ program: String, _ arguments: String...) async throws {
        try await Tool.succeed(
            program, arguments, environment: ["CUPS_SERVER": description.cups])
    }

    /// Adds a queue for this printer to another server too, and waits until its roll is known there.
    public func join(_ server: String, as queue: String) async throws {
        try await Tool.succeed(
            "lpadmin",
            ["-h", server, "-p", queue, "-E", "-v", description.printer, "-m", "everywhere"])
        let isKnown = try await eventually {
            let options = try await Tool.run(
                "lpoptions", ["-h", server, "-p", queue, "-l"])
            return options.output.contains("PageSize")
        }
        guard isKnown else { throw TestSupportError("the queue \(queue) knows no paper") }
    }

    /// The program for `--backend` of `demo-printer up`, needed for queues of ESC/POS printers.
    public static let escposBackend = Tool.program("escpos-backend")

    /// Adds a queue for an ESC/POS printer to this server, with a driver of `Kiosk/escpos-drivers`.
    public func add(escpos uri: String, driver: String, as queue: String) async throws {
        try await Tool.succeed(
            Tool.repository.appending(path: "Kiosk/escpos-drivers").path, [folder.path])
        try await Tool.succeed(
            "lpadmin",
            [
                "-h", server, "-p", queue, "-E", "-v", uri, "-P", folder.file("\(driver).ppd"),
                "-o", "printer-error-policy=abort-job",
            ])
    }

    public enum Part: Sendable { case cupsd, printer }

    /// Sends a signal to a part: SIGSTOP hangs it, SIGKILL unplugs it.
    public func signal(_ part: Part, _ number: Int32) {
        _ = kill(part == .cupsd ? description.pids.cupsd : description.pids.printer, number)
    }

    /// The jobs the queue has not finished, as lpstat(1) prints them.
    public func openJobs() async throws -> String {
        try await Tool.succeed("lpstat", ["-h", description.cups, "-o"])
    }
}
