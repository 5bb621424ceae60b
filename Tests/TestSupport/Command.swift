public import Foundation

import Glibc
import Synchronization

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
        // Files rather than pipes: a program that leaves daemons behind never closes a pipe.
        let folder = try TemporaryFolder()
        let output = folder.file("output")
        let errors = folder.file("errors")
        let process = try start(
            program, arguments, environment: environment, output: output, errors: errors)
        return CommandResult(
            status: await process.end(),
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8))
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

    /// Starts a program that stays, its output going to files; the caller ends it.
    ///
    /// posix_spawn(3) and not Foundation's `Process`: that one hands on the signals a pool's thread
    /// blocks (servers that SIGTERM cannot end), and waits for every descendant that inherited
    /// one of its descriptors.
    public static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        output: String = "/dev/null", errors: String = "/dev/null"
    ) throws -> RunningProgram {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let creating = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, creating, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, creating, 0o600)
        // A connection that a library opened without O_CLOEXEC would outlive its closing here.
        // Closing what is not open does no harm (glibc's posix_spawn_file_actions_addclose).
        for descriptor in Int32(3)..<512 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .map { "\($0.key)=\($0.value)" }
        var pid: pid_t = 0
        var status: Int32 = 0
        // A script that was written a moment ago is open for writing still in a program that another thread is
        // about to start (execve(2), ETXTBSY).
        for _ in 0..<1_000 {
            status = withPointers([program] + arguments) { words in
                withPointers(variables) { variables in
                    posix_spawnp(&pid, program, &actions, &attributes, words, variables)
                }
            }
            guard status == ETXTBSY else { break }
            usleep(10_000)
        }
        guard status == 0 else {
            throw TestSupportError("\(program): \(String(cString: strerror(status)))")
        }
        return RunningProgram(pid: pid)
    }

    /// The NULL-terminated array of C strings that exec(3) takes.
    private static func withPointers<Value>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = words.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

/// A program that was started.
public final class RunningProgram: Sendable {
    public let pid: pid_t
    private let status = Mutex<Int32?>(nil)

    fileprivate init(pid: pid_t) { self.pid = pid }

    /// Its exit status, or 128 and the signal that ended it; nil while it runs.
    public var endStatus: Int32? {
        status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            // waitpid(2): WIFEXITED, WEXITSTATUS, WTERMSIG.
            status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            return status
        }
    }

    public var isRunning: Bool { endStatus == nil }

    /// Sends a signal while it runs.
    public func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// Waits for its end and answers its status.
    @discardableResult
    public func end() async -> Int32 {
        while true {
            if let status = endStatus { return status }
            try? await ContinuousClock().sleep(for: .milliseconds(3))
        }
    }

    /// Asks it to end (SIGTERM) and waits; a program that does not is killed after the limit.
    public func stop(within limit: Duration = .seconds(20)) async {
        signal(SIGTERM)
        if await !eventually(within: limit, { !self.isRunning }) { signal(SIGKILL) }
        await end()
    }
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
