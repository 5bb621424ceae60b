public import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// What a finished program left.
public struct CommandResult: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String
}

/// A program that could not be started, or a helper of a test that failed.
public struct TestSupportError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

public enum Command {
    /// The repository's top level.
    public static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a program found by PATH to its end without blocking a thread; input is empty.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        // Files rather than pipes: a program that leaves daemons behind never closes a pipe.
        let folder = try TemporaryFolder()
        let output = try folder.newFile("output")
        let errors = try folder.newFile("errors")
        process.standardOutput = output
        process.standardError = errors
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try withSignalsOpen { try process.run() } } catch { ended.resume(throwing: error) }
        }
        return CommandResult(
            status: process.terminationStatus,
            output: try String(contentsOf: folder.url.appending(path: "output"), encoding: .utf8),
            errors: try String(contentsOf: folder.url.appending(path: "errors"), encoding: .utf8))
    }

    /// As `run`, but anything else than success is an error with what the program said.
    @discardableResult
    public static func succeed(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> String {
        let result = try await run(program, arguments, environment: environment)
        guard result.status == 0 else {
            throw TestSupportError(
                "\(program) \(arguments.joined(separator: " ")): status \(result.status)\n"
                    + result.errors + result.output)
        }
        return result.output
    }
}

/// Threads of a pool block all signals, and what they start would inherit it: servers that nobody
/// can end with SIGTERM, and whose own children cannot either.
private func withSignalsOpen(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
}

/// A new folder under the system's temporary one, removed with this object.
public final class TemporaryFolder: Sendable {
    public let url: URL
    public var path: String { url.path }

    public init() throws {
        url = URL(filePath: "/tmp/clup-test-\(UUID().uuidString.prefix(13))")
        // Others may pass through: a private cupsd's helpers run as another user.
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o711])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    public func file(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file in it and returns its path.
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return file(name)
    }

    fileprivate func newFile(_ name: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: file(name), contents: nil)
        return try FileHandle(forWritingTo: url.appending(path: name))
    }
}
