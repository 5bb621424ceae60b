import Foundation
public import Glibc

/// A process that stops after each of some system calls, so that a test can end it exactly there.
///
/// strace(1) counts by thread, and the programs write from several threads: so each such call
/// of any thread causes a SIGSTOP, and the test counts.
public final class SteppedProcess {
    /// The calls of SQLite, libcurl and libcups that reach the disk or other programs.
    public static let lasting = [
        "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "sendto", "sendmsg",
    ]
    /// The calls among them that reach the disk.
    public static let disk = ["pwrite64", "fsync", "fdatasync", "ftruncate", "unlink"]

    public let pid: pid_t
    private let folder: TemporaryFolder
    private let tracer: RunningProgram
    private var seen = 0

    private init(_ pid: pid_t, calls: [String]) async throws {
        self.pid = pid
        let folder = try TemporaryFolder()
        self.folder = folder
        let set = calls.joined(separator: ",")
        let errors = folder.file("errors")
        tracer = try Tool.start(
            "strace",
            [
                "-f", "-o", folder.file("trace"), "-e", "trace=\(set)", "-e",
                "inject=\(set):signal=STOP", "-p", "\(pid)",
            ], errors: errors)
        // strace prints "Process 1 attached with 5 threads" once it follows all of them.
        try await tracer.waits("strace of \(pid)", log: errors, within: timeout) {
            try String(contentsOfFile: errors, encoding: .utf8).contains("attached")
        }
    }

    /// Follows a process, and lets it go after the body.
    public static func with<Value>(
        _ pid: pid_t, calls: [String], body: (SteppedProcess) async throws -> Value
    ) async throws -> Value {
        try await ending(
            SteppedProcess(pid, calls: calls), by: { await $0.letGo() }, after: body)
    }

    private func letGo() async {
        await tracer.stop()
        kill(pid, SIGCONT)
    }

    /// Lets it run until it has made this many calls, counted from 1 since it is followed; then it is
    /// stopped. False if `isOver` came first, and the process runs.
    public func stands(
        afterCall wanted: Int, unless isOver: () async throws -> Bool
    ) async throws -> Bool {
        var asked = ContinuousClock.now
        while true {
            let count = stops
            if count >= wanted {
                seen = count
                return true
            }
            if count > seen {
                seen = count
                kill(pid, SIGCONT)
            } else if ContinuousClock.now - asked > .milliseconds(100) {
                // This also continues a process that stopped just when it was continued.
                kill(pid, SIGCONT)
                if try await isOver() { return false }
                asked = .now
            }
            try await ContinuousClock().sleep(for: .milliseconds(2))
        }
    }

    /// The stops so far: strace reports each signal once.
    private var stops: Int {
        guard let trace = FileManager.default.contents(atPath: folder.file("trace")) else {
            return 0
        }
        return String(decoding: trace, as: UTF8.self)
            .split(separator: "\n").count { $0.contains("--- SIGSTOP {") }
    }

    /// All calls so far in their order, as strace writes them, with strings cut after 32 characters.
    public var trace: [String] {
        let trace = FileManager.default.contents(atPath: folder.file("trace")) ?? Data()
        return String(decoding: trace, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.contains("(") && !$0.contains("---") }
    }
}
