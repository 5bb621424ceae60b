import Foundation
import TestSupport
import Testing

/// Days that backends of the past have lived (Tests/PastDatabases), with today's program.
@Suite("Databases of the past")
struct PastDatabaseTests {
    private static let folder = Tool.repository.appending(path: "Tests/PastDatabases")
    /// A minute after the day was left.
    private static let time = Date(timeIntervalSince1970: 1_795_165_260)

    /// What a version of the past has left of a day, on an engine: `schema-VERSION-COMMIT/ENGINE`.
    private static let days: [String] = {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasPrefix("schema-") }.sorted()
            .flatMap { version in ["sqlite", "postgresql"].map { "\(version)/\($0)" } }
            .filter { files.fileExists(atPath: folder.appending(path: $0).path) }
    }()

    @Test("There are days of six versions, the first schema among them")
    func versions() {
        let versions = Set(Self.days.map { $0.split(separator: "-")[1] })
        #expect(versions.count >= 6 && versions.contains("01"))
    }

    /// Puts the database of a day and its keys into a folder; gives the database's place.
    private func restore(_ day: String, into folder: TemporaryFolder) async throws -> String {
        let kept = Self.folder.appending(path: day)
        for name in try FileManager.default.contentsOfDirectory(atPath: kept.path) {
            let copy = folder.file(name)
            try FileManager.default.copyItem(
                atPath: kept.appending(path: name).path, toPath: copy)
            // Git keeps no rights of files, and a key is its owner's alone.
            guard chmod(copy, 0o600) == 0 else { throw TestSupportError("chmod \(copy)") }
        }
        let dump = folder.file("database.sql")
        guard day.hasSuffix("sqlite") else {
            let address = try PostgresServer.shared().database()
            try await Tool.succeed(
                "psql", ["-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", dump, address])
            return address
        }
        let file = folder.file("backend.sqlite")
        try await Tool.succeed("sqlite3", ["-bail", file, ".read \(dump)"])
        return file
    }

    /// Asks today's program for all that the day has left, and goes on with the day.
    private func goOn(with database: String, _ folder: TemporaryFolder) async throws {
        try await WallClock.with { clock in
            try clock.set(to: Self.time)
            try await Tool.succeed(
                Self.folder.appending(path: "day.py").path,
                ["continue", ServingBackend.program, database, folder.path],
                environment: clock.environment)
        }
    }

    @Test(
        "Places, codes, orders and stored answers are as they were, and the day goes on",
        arguments: days)
    func goesOn(_ day: String) async throws {
        let folder = try TemporaryFolder()
        try await goOn(with: restore(day, into: folder), folder)
    }

    @Test(
        "So they are after the move of a file to PostgreSQL",
        arguments: days.filter { $0.hasSuffix("sqlite") })
    func moves(_ day: String) async throws {
        let folder = try TemporaryFolder()
        let file = try await restore(day, into: folder)
        let address = try PostgresServer.shared().database()
        try await Tool.succeed(
            ServingBackend.program, ["database", "copy", "--database", file, "--to", address])
        for part in ["key", "wrapping-key", "key.audits"] {
            let key = "\(file).\(part)"
            guard FileManager.default.fileExists(atPath: key) else { continue }
            try FileManager.default.moveItem(atPath: key, toPath: folder.file("backend.\(part)"))
        }
        try await goOn(with: address, folder)
    }
}
