public import Foundation

/// A wrong wall clock for programs that a test starts; the test may set it while they run.
///
/// Timers and clocks that count from the computer's start stay correct, so a program with such
/// a clock behaves as on a computer whose clock was set wrongly.
public final class WallClock: Sendable {
    private let folder: TemporaryFolder
    private let library: String
    private let file: String

    /// Compiles the library that programs load, with Swift's own C compiler.
    private init(offset: Duration) async throws {
        folder = try TemporaryFolder()
        library = folder.file("wall-clock.so")
        file = try folder.write(Self.bytes(offset), to: "offset")
        try await Tool.succeed(
            "clang",
            ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, Self.source])
    }

    /// Makes such a clock, which exists until the body ends.
    public static func with<Value>(
        offset: Duration = .zero, body: (WallClock) async throws -> Value
    ) async throws -> Value {
        let clock = try await WallClock(offset: offset)
        defer { withExtendedLifetime(clock) {} }
        return try await body(clock)
    }

    private static let source = Tool.repository
        .appending(path: "Tests/TestSupport/wall-clock.c").path

    /// The environment that a program must be started with.
    public var environment: [String: String] { ["LD_PRELOAD": library, "WALL_CLOCK": file] }

    /// Sets the clock of all programs that were started with it: this much ahead of the true time, or behind it.
    public func set(offset: Duration) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        // Written in place: the programs have mapped this file.
        try handle.write(contentsOf: Self.bytes(offset))
        try handle.close()
    }

    /// Sets the clock to a time, from which it continues.
    public func set(to time: Date) throws {
        try set(offset: .seconds(Int64(time.timeIntervalSinceNow.rounded())))
    }

    private static func bytes(_ offset: Duration) -> Data {
        withUnsafeBytes(of: own + offset.components.seconds) { Data($0) }
    }

    /// How far the tests' own clock is wrong: `Tests/at-time` may have started them with such a clock too.
    private static var own: Int64 {
        guard let file = ProcessInfo.processInfo.environment["WALL_CLOCK"],
            let data = FileManager.default.contents(atPath: file), data.count == 8
        else { return 0 }
        return data.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    }
}
