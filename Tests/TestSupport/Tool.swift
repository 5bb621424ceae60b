public import Foundation

import CSpawn
import Glibc

/// The status and the output of a finished program.
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

public enum Tool {
    /// The repository's top level.
    public static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the product's programs: those that were built with the tests, or those of `CLUP_PROGRAMS`, such as
    /// the programs as they are shipped.
    public static let programs =
        ProcessInfo.processInfo.environment["CLUP_PROGRAMS"]
        ?? repository.appending(path: ".build/debug").path

    /// The path of one of the product's programs.
    public static func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// Runs a program found by PATH to its end without blocking a thread; input is empty.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let command = try StartedCommand(program, arguments, environment)
        return try command.result(status: await command.process.end())
    }

    /// As `run`, but any status except success is an error with the program's output.
    @discardableResult
    public static func succeed(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> String {
        let command = try StartedCommand(program, arguments, environment)
        return try command.output(command.result(status: await command.process.end()))
    }

    /// As `succeed`, but the calling thread waits.
    @discardableResult
    public static func succeedBlocking(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> String {
        let command = try StartedCommand(program, arguments, environment)
        return try command.output(command.result(status: command.process.waitBlocking()))
    }

    /// The oldest of the processes that pgrep(1) finds.
    public static func process(_ found: String...) async throws -> pid_t {
        let pids = try await succeed("pgrep", found)
        guard let pid = pids.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw TestSupportError("no process \(found): \(pids)")
        }
        return pid
    }

    /// What a script of Python prints, with the packages of the tests.
    static func python<Printed: Decodable>(
        _ script: String, _ arguments: String...
    ) async throws -> Printed {
        let printed = try await succeed(
            repository.appending(path: ".build/schemathesis/bin/python").path,
            [repository.appending(path: script).path] + arguments)
        return try JSONDecoder().decode(Printed.self, from: Data(printed.utf8))
    }

    /// A program that runs to its end, its output going to files instead of pipes: a program that leaves daemons behind
    /// never closes a pipe.
    private struct StartedCommand {
        let process: RunningProgram
        private let folder: TemporaryFolder
        private let words: String

        init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
            folder = try TemporaryFolder()
            words = "\(program) \(arguments.joined(separator: " "))"
            process = try start(
                program, arguments, environment: environment, output: folder.file("output"),
                errors: folder.file("errors"))
        }

        func result(status: Int32) throws -> CommandResult {
            CommandResult(
                status: status,
                output: try String(contentsOfFile: folder.file("output"), encoding: .utf8),
                errors: try String(contentsOfFile: folder.file("errors"), encoding: .utf8))
        }

        /// The output of a command that succeeded; otherwise an error with what it has written.
        func output(_ result: CommandResult) throws -> String {
            guard result.status == 0 else {
                throw TestSupportError(
                    "\(words): status \(result.status)\n" + result.errors + result.output)
            }
            return result.output
        }
    }

    /// The standard streams of a program; it never reads from ours.
    public enum Streams {
        /// No input; output and errors to new files.
        case files(output: String, errors: String)
        /// No input; output to a descriptor, errors to the end of a file, or to our errors if there is none.
        case output(Int32, errors: String?)
        /// No input, no output; errors to ours.
        case quiet
        /// Input from a descriptor, no output, in a session of its own, so that a terminal's Ctrl-C does not reach it.
        case input(Int32)
        /// Input and output are a descriptor, as a socket; errors to a new file.
        case dialogue(Int32, errors: String)
        /// All three are a terminal, which becomes the program's own.
        case terminal(String)
    }

    /// Starts a program that stays, its output going to files; the caller ends it.
    public static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        output: String = "/dev/null", errors: String = "/dev/null"
    ) throws -> RunningProgram {
        try start(
            program, arguments, environment: environment,
            streams: .files(output: output, errors: errors))
    }

    /// POSIX_SPAWN_SETSID, which glibc shows to _GNU_SOURCE only (spawn.h).
    private static let setSession: Int32 = 0x80

    /// Sets up the streams, and adds the flags that they need.
    private static func redirect(
        _ streams: Streams, in actions: inout posix_spawn_file_actions_t
    ) -> Int32 {
        let creating = O_WRONLY | O_CREAT | O_TRUNC
        switch streams {
        case .files(let output, let errors):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, creating, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors, creating, 0o600)
            return 0
        case .output(let descriptor, let errors):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
            if let errors {
                posix_spawn_file_actions_addopen(
                    &actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            }
            return 0
        case .quiet:
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            return 0
        case .input(let descriptor):
            posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            return setSession
        case .dialogue(let descriptor, let errors):
            posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
            posix_spawn_file_actions_addopen(&actions, 2, errors, creating, 0o600)
            return 0
        case .terminal(let path):
            // The first terminal that the leader of a new session opens is its own (tty(4)).
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            return setSession
        }
    }

    /// Starts a program that stays; the caller ends it.
    ///
    /// This uses posix_spawn(3), since Foundation's `Process` passes on the signals that a pool's thread
    /// blocks (servers that SIGTERM cannot end), and waits for every descendant that inherited
    /// one of its descriptors.
    public static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        streams: Streams
    ) throws -> RunningProgram {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = redirect(streams, in: &actions)
        // A connection that a library opened without O_CLOEXEC would stay open in the program.
        clup_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .map { "\($0.key)=\($0.value)" }
        var pid: pid_t = 0
        var status: Int32 = 0
        // A script that was written just now may still be open for writing in a program that another thread is
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
