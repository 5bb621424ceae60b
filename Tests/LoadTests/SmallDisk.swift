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
        try await ending(
            SmallDisk(megabytes: megabytes),
            by: { _ = try? await Tool.run("umount", ["-l", $0.path]) }, after: body)
    }

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
        await eventually(within: limit) { ledger.answered(503, "", since: since) > 0 }
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
