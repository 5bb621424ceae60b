import Foundation
import Glibc
import Synchronization
import TestSupport

/// One `clup-backend serve` that can be killed, exposed to faults, and started again at its address.
final class ServerProcess: Sendable {
    static let program = Tool.program("clup-backend")

    var port: UInt16 { reserved.number }
    private let reserved: ReservedPort
    private let arguments: [String]
    private let folder: TemporaryFolder
    private let running: Mutex<RunningProgram>

    /// The conditions under which the system runs it.
    struct Surroundings: Sendable {
        var program = ServerProcess.program
        /// A command in front of the program, such as prlimit(1) with its options.
        var wrapper: [String] = []
        var environment: [String: String] = [:]
        /// The path of its log; a file of its own if nil.
        var log: String?
        var options: [String] = []
    }

    /// - Parameter port: The port at which it listens; another one if nil.
    init(
        _ arguments: [String], in folder: TemporaryFolder, _ how: Surroundings = .init(),
        port: ReservedPort? = nil
    ) async throws {
        self.arguments = arguments + ["--rate-limit", "0", "--code-limit", "0"] + how.options
        self.folder = folder
        reserved = try port ?? ReservedPort()
        running = Mutex(
            try await Self.start(self.arguments, listen: reserved.address, folder, how))
    }

    var pid: pid_t { running.withLock { $0.pid } }
    var isRunning: Bool { running.withLock { $0.isRunning } }

    func signal(_ number: Int32) { running.withLock { $0.signal(number) } }

    func kill() async {
        let process = running.withLock { $0 }
        process.signal(SIGKILL)
        await process.end()
    }

    func killAndRestart() async throws {
        await kill()
        try await start()
    }

    func stop() async { await running.withLock { $0 }.stop() }

    /// Starts it at its address; it must have ended before.
    func start(_ how: Surroundings = .init()) async throws {
        let process = try await Self.start(arguments, listen: reserved.address, folder, how)
        running.withLock { $0 = process }
    }

    private static func start(
        _ arguments: [String], listen: String, _ folder: TemporaryFolder, _ how: Surroundings
    ) async throws -> RunningProgram {
        let name = UUID().uuidString
        let output = folder.file("serve-\(name)")
        let errors = how.log ?? folder.file("log-\(name)")
        let words = how.wrapper + [how.program, "serve", "--listen", listen] + arguments
        let process = try Tool.start(
            words[0], Array(words.dropFirst()), environment: how.environment, output: output,
            errors: errors)
        try await process.waits("clup-backend", log: errors) {
            FileManager.default.contents(atPath: output)?.contains(UInt8(ascii: "\n")) == true
        }
        return process
    }

    // MARK: The system's facts about it

    /// Kilobytes of resident memory (proc(5), status).
    var residentKilobytes: Int { running.withLock { $0.residentKilobytes } }

    /// What its open descriptors are, each with the link of proc(5) to it.
    var openFiles: [String] {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map {
            $0 + " "
                + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                    ?? "")
        }
    }

    /// Open descriptors.
    var descriptors: Int { openFiles.count }
}
