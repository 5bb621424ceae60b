import Foundation
public import Glibc
import UnixSocket

/// The clock of a running machine, which a test moves instead of waiting.
///
/// The program as it is shipped cannot be moved: with it the same time passes in reality.
public struct KioskClock: Sendable {
    /// Names the unix socket to the machine.
    public static let variable = "CLUP_CLOCK"

    public let path: String

    /// A clock of a machine that is to be started with `variable` as `path`.
    public init() { path = "/tmp/clup-clock-\(UUID().uuidString.prefix(13))" }

    /// Lets time pass in the machine, while all that it asks is answered.
    public func pass(_ time: Duration) async throws { try await move("pass", time) }

    /// Lets time pass in the machine, while no answer comes to what it has asked.
    public func passInSilence(_ time: Duration) async throws { try await move("silence", time) }

    /// Has the machine stand still during the body, and go on as after a time.
    ///
    /// - Parameter process: the machine's, which is stopped if its clock cannot be moved.
    public func standsStill(
        for time: Duration, _ process: pid_t, body: () async throws -> Void
    ) async throws {
        if try await asked("stand\n") {
            try await body()
            _ = try await asked("go \(time / .seconds(1))\n")
        } else {
            kill(process, SIGSTOP)
            try await body()
            try await ContinuousClock().sleep(for: time)
            kill(process, SIGCONT)
        }
    }

    private func move(_ command: String, _ time: Duration) async throws {
        if try await !asked("\(command) \(time / .seconds(1))\n") {
            try await ContinuousClock().sleep(for: time)
        }
    }

    /// How much time has passed in the machine since it began; nil if there is no machine whose clock can be moved.
    public func now() async -> Duration? {
        await answer(to: "now\n").flatMap { Double($0.dropLast()) }.map { .seconds($0) }
    }

    private func answer(to line: String) async -> String? {
        try? await onThread { ask(line) }
    }

    /// Gives a command to the machine; false if none listens.
    private func asked(_ line: String) async throws -> Bool {
        switch await answer(to: line) {
        case "ok\n": return true
        case nil: return false
        case let other?: throw TestSupportError("the machine's clock: \(other)")
        }
    }

    /// The answer to a command; nil if no machine listens.
    private func ask(_ line: String) -> String? {
        guard let connection = UnixSocketAddress(path: path)?.connect() else { return nil }
        var wire = LoopbackWire(connection)
        defer { wire.end() }
        // A machine that was stopped does not answer.
        wire.giveUp(afterMilliseconds: 120_000)
        guard wire.send(line.utf8) else { return nil }
        var answer: [UInt8] = []
        while answer.last != UInt8(ascii: "\n"), let byte = wire.bytes(1) { answer += byte }
        return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self)
    }

    /// Removes what a machine that was killed has left.
    public func end() { unlink(path) }
}
