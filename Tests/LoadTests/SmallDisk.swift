import Foundation
import Glibc
import TestSupport
import Testing

/// A small file system of its own, in memory; mounting needs root.
final class SmallDisk: Sendable {
    /// Whether this process may mount one.
    static var isPossible: Bool { geteuid() == 0 }

    private let folder: TemporaryFolder
    var path: String { folder.file("disk") }
    private var ballast: String { folder.file("disk/ballast") }

    init(megabytes: Int) async throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("disk"), withIntermediateDirectories: false)
        try await Tool.succeed(
            "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.file("disk")])
    }

    static func with<Value>(
        megabytes: Int, body: (SmallDisk) async throws -> Value
    ) async throws -> Value {
        let disk = try await SmallDisk(megabytes: megabytes)
        do {
            let value = try await body(disk)
            await disk.end()
            return value
        } catch {
            await disk.end()
            throw error
        }
    }

    private func end() async { _ = try? await Tool.run("umount", ["-l", path]) }

    /// Fills all room that is left, even while other processes write.
    func fill() async throws {
        // The command ends when there is no room.
        _ = try await Tool.run("dd", ["if=/dev/zero", "of=\(ballast)", "bs=16k", "status=none"])
    }

    func makeRoom() { unlink(ballast) }

    func makeReadOnly() async throws {
        try await Tool.succeed("mount", ["-o", "remount,ro", path])
    }
}

/// System calls of running processes that fail while the body runs (strace(1), inject).
enum FailingCalls {
    /// - Parameters:
    ///   - how: for example `error=EIO` or `error=EIO:when=1`.
    ///   - isInherited: whether processes that they start fail too.
    static func with<Value>(
        _ calls: String, _ how: String, of pids: [pid_t], isInherited: Bool = true,
        body: () async throws -> Value
    ) async throws -> (value: Value, failures: Int) {
        let folder = try TemporaryFolder()
        let tracer = try Tool.start(
            "strace",
            (isInherited ? ["-f"] : []) + [
                "-o", folder.file("trace"), "-e", "trace=\(calls)", "-e", "inject=\(calls):\(how)",
            ] + pids.flatMap { ["-p", "\($0)"] }, errors: folder.file("errors"))
        let isAttached = await eventually(within: .seconds(10)) {
            let said = try? String(contentsOfFile: folder.file("errors"), encoding: .utf8)
            return said?.contains("attached") == true || !tracer.isRunning
        }
        guard isAttached else {
            await tracer.stop()
            throw TestSupportError("strace follows nobody")
        }
        func failures() -> Int {
            let trace = FileManager.default.contents(atPath: folder.file("trace")) ?? Data()
            return String(decoding: trace, as: UTF8.self).split(separator: "\n")
                .count { $0.contains("(INJECTED)") }
        }
        do {
            let value = try await body()
            await tracer.stop()
            return (value, failures())
        } catch {
            await tracer.stop()
            throw error
        }
    }
}

extension Exchange.Outcome {
    /// Whether a try had no answer, or one that asks the machine to come again.
    var isTrouble: Bool {
        switch self {
        case .answered(let status, _): status == 503
        case .unknown, .failed: true
        case .open: false
        }
    }
}

extension LoadChain {
    /// The status of `GET /readyz`; 0 if there is no answer.
    func readiness(_ server: Int = 0) -> Int { Self.status(of: "/readyz", at: ports[server]) }

    static func status(of path: String, at port: UInt16) -> Int {
        guard var wire = LoopbackWire.connected(to: port) else { return 0 }
        defer { wire.end() }
        wire.giveUp(afterMilliseconds: 5_000)
        let request = "GET \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
        return wire.send(request.utf8) ? wire.read()?.status ?? 0 : 0
    }

    /// Waits until a request that was sent after a moment is answered with 503.
    func refuses(since: ContinuousClock.Instant, within limit: Duration) async -> Bool {
        await eventually(within: limit) {
            ledger.exchanges.contains {
                if case .answered(503, _) = $0.outcome { $0.asked > since } else { false }
            }
        }
    }

    /// The number of confirmations that were sent and granted after a moment.
    func granted(since: ContinuousClock.Instant) -> Int {
        ledger.answered(201, "/confirmation", since: since)
    }

    /// Expects that more tickets than this are given again, and that every server reports that it is ready.
    func expectService(
        tickets: Int = 5, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let begin = ContinuousClock.now
        let isServed = await eventually(within: longTimeout) {
            granted(since: begin) > tickets && servers.indices.allSatisfy { readiness($0) == 200 }
        }
        #expect(isServed, "without a restart", sourceLocation: sourceLocation)
    }
}
