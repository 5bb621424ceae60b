internal import FoundationEssentials
internal import Glibc
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import SQLiteStore
internal import Testing

@Suite("Only their owner may read a database's files: they contain codes", .stopsStores)
struct FileRightsTests {
    private func rights(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
    }

    @Test("Files that are new, beside a running server, backed up and restored")
    func made() async throws {
        let site = try Site(.sqlite)
        let copy = site.folder + "/copy"
        try await site.serve { store in
            _ = try await store.ticket()
            for suffix in ["-wal", ".serve"] {
                #expect(try files(site.folder).contains { $0.hasSuffix(suffix) })
            }
            for file in try files(site.folder) { #expect(rights(file) == 0o600, "\(file)") }
            try SQLiteBackup.backUp(site.path, to: copy, replaces: false)
        }
        for file in try files(site.folder) { #expect(rights(file) == 0o600, "\(file)") }
        // An older version made files with these rights.
        chmod(site.path, 0o644)
        chmod(copy, 0o644)
        let former = try site.afterServers {
            try SQLiteBackup.restore(site.path, from: copy, keepingAs: ".old")
        }
        #expect(former.flatMap(rights) == 0o600)
        #expect(rights(site.path) == 0o600)
        try SQLiteBackup.backUp(site.path, to: copy, replaces: true)
        #expect(rights(copy) == 0o600)
    }

    @Test("Files that an older version left readable for all are repaired when they are opened")
    func mended() throws {
        let site = try Site(.sqlite)
        let connection = try Connection(path: site.path)
        try connection.execute("CREATE TABLE more (x)")
        for file in try files(site.folder) { chmod(file, 0o644) }
        #expect(rights(site.path + "-wal") == 0o644)
        _ = try site.open(for: .administer)
        for part in ["", "-wal", "-shm"] { #expect(rights(site.path + part) == 0o600) }
        // A link leads to the file that is repaired.
        let link = site.folder + "/link"
        symlink(site.path, link)
        chmod(site.path, 0o640)
        _ = try Connection(path: link, opening: .existing)
        #expect(rights(site.path) == 0o600)
        withExtendedLifetime(connection) {}
    }

    @Test("No other user can open it between its creation and its first row, at any umask")
    func firstMoment() throws {
        let site = try Site(.sqlite)
        let path = site.folder + "/new.sqlite"
        let former = umask(0)
        defer { umask(former) }
        let connection = try Connection(path: path)
        #expect(rights(path) == 0o600)
        try connection.execute("CREATE TABLE codes (code TEXT)")
        for part in ["", "-wal", "-shm"] { #expect(rights(path + part) == 0o600, "\(part)") }
        withExtendedLifetime(connection) {}
    }
}
