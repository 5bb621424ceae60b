internal import FoundationEssentials
internal import Glibc
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import SQLiteStore
internal import TestSupport
internal import Testing

@Suite("Backups of an SQLite database", .stopsStores)
struct BackupTests {
    private func ids(_ path: String) throws -> Set<String> {
        let connection = try Connection(path: path, opening: .existing)
        return Set(
            try connection.rows("SELECT id FROM reservation WHERE number IS NOT NULL") {
                $0.text(0)
            })
    }

    private func files(_ site: Site) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: site.folder)
    }

    private func restore(_ site: Site, _ copy: String) throws -> String? {
        try SQLiteBackup.restore(site.path, from: copy, keepingAs: ".old")
    }

    private func remove(_ path: String) {
        for part in ["", "-wal", "-shm", ".serve"] { unlink(path + part) }
    }

    @Test("A backup under load is consistent and has everything that was answered before it began")
    func load() async throws {
        let site = try Site(.sqlite, capacity: 20_000)
        let copy = site.folder + "/copy"
        let restored = site.folder + "/restored"
        let store = try site.store()
        // The answers that customers got, and whether more of them come.
        let (acknowledged, isOver) = (Locked<Set<String>>([]), Flag())
        let before = try await withThrowingTaskGroup(of: Void.self) { group in
            for machine in 0..<8 {
                group.addTask {
                    while !isOver.isSet {
                        let id = try await store.ticket("door-\(machine)").id
                        acknowledged.change { $0.insert(id.rawValue) }
                    }
                }
            }
            func reach(_ count: Int) async throws {
                try #require(await eventually { acknowledged.value.count >= count })
            }
            try await reach(50)
            let before = acknowledged.value
            try SQLiteBackup.backUp(site.path, to: copy, replaces: false)
            // The load continued, so the copy was made during it.
            try await reach(before.count + 50)
            isOver.set()
            try await group.waitForAll()
            return before
        }
        store.stop()
        let former = try SQLiteBackup.restore(restored, from: copy, keepingAs: ".former")
        #expect(former == nil)
        #expect(try ids(restored).isSuperset(of: before))
        #expect(try ids(restored).isSubset(of: acknowledged.value.union(ids(site.path))))
        let database = try SQLiteDatabase.open(path: restored, for: .serve)
        #expect(try database.integrity() == [])
        #expect(
            try DatabaseCheck.findings(
                of: Site.shopID, firstDay: { LocalMoment($0, offsetMinutes: 60).day }, in: database)
                == [])
        let again = try site.store(on: database)
        let number = try await again.ticket("door-1").number
        again.stop()
        #expect(number == (try ids(restored).count))
    }

    @Test(
        "A file is overwritten only with the option for it, and no half-written file remains"
    )
    func overwriting() async throws {
        let site = try Site(.sqlite)
        let copy = site.folder + "/copy"
        try SQLiteBackup.backUp(site.path, to: copy, replaces: false)
        let store = try site.store()
        let ticket = try await store.ticket()
        func refused(_ source: String, to copy: String, replaces: Bool = true) -> StoreError? {
            refusal { try SQLiteBackup.backUp(source, to: copy, replaces: replaces) }
        }
        #expect(refused(site.path, to: copy, replaces: false)?.code == .refused)
        #expect(try ids(copy) == [])
        try SQLiteBackup.backUp(site.path, to: copy, replaces: true)
        #expect(try ids(copy) == [ticket.id.rawValue])
        store.stop()
        #expect(refused(site.folder + "/none", to: copy)?.code == .missing)
        #expect(refused(site.path, to: site.folder + "/no/copy") != nil)
        #expect(try !files(site).contains { $0.contains(".part-") })
    }

    @Test("A restore needs all servers stopped, and the former database is kept whole")
    func restoring() async throws {
        let site = try Site(.sqlite)
        let copy = site.folder + "/copy"
        let store = try site.store(on: try site.open(for: .administer))
        let first = try await store.ticket()
        try SQLiteBackup.backUp(site.path, to: copy, replaces: false)
        let second = try await store.ticket()
        store.stop()
        do {
            let server = try site.open(for: .serve)
            #expect(refusal { _ = try restore(site, copy) }?.code == .served)
            withExtendedLifetime(server) {}
        }
        let former = try #require(try restore(site, copy))
        #expect(try ids(site.path) == [first.id.rawValue])
        #expect(try ids(former) == [first.id.rawValue, second.id.rawValue])
        #expect(
            refusal { _ = try restore(site, copy) }?.code == .refused,
            "the former one of an earlier time stays too")
    }

    @Test(
        "A copy that is damaged, foreign, newer or in use is refused, and nothing is changed")
    func damagedCopies() async throws {
        let site = try Site(.sqlite)
        let copy = site.folder + "/copy"
        let store = try site.store(on: try site.open(for: .administer))
        for _ in 0..<200 { _ = try await store.ticket() }
        store.stop()
        let kept = try ids(site.path)
        func attempt(_ spoil: () throws -> Void) throws -> StoreError.Code? {
            remove(copy)
            try SQLiteBackup.backUp(site.path, to: copy, replaces: true)
            try spoil()
            return refusal { _ = try restore(site, copy) }?.code
        }
        func overwrite(at offset: Int, _ bytes: [UInt8]) {
            let descriptor = open(copy, O_WRONLY)
            _ = pwrite(descriptor, bytes, bytes.count, offset)
            close(descriptor)
        }
        let junk = [UInt8](repeating: 0x5A, count: 3_000)
        #expect(try attempt { overwrite(at: 5 * 4_096, junk) } == .corrupt)
        #expect(try attempt { truncate(copy, 8_192) } == .corrupt)
        func execute(_ sql: String) throws {
            try Connection(path: copy, opening: .existing).execute(sql)
        }
        #expect(
            try attempt {
                try execute(
                    "PRAGMA foreign_keys = OFF; DELETE FROM shop; "
                        + "INSERT INTO machine_key (shop_id, key_id, machine, public_key, "
                        + "role, created_ms) VALUES ('s1','k','m',x'00','r',1)")
            } == .corrupt)
        #expect(try attempt { overwrite(at: 0, junk) } == .notOurs)
        #expect(try attempt { overwrite(at: 68, [1, 2, 3, 4]) } == .notOurs)
        #expect(try attempt { try execute("UPDATE schema_version SET version = 999") } == .newer)
        #expect(
            try attempt {
                let descriptor = open(copy + "-wal", O_WRONLY | O_CREAT, 0o600)
                _ = write(descriptor, "x", 1)
                close(descriptor)
            } == .refused)
        #expect(try attempt { unlink(copy) } == .missing)
        #expect(try ids(site.path) == kept)
        #expect(try !files(site).contains { $0.contains(".part-") || $0.contains(".old") })
    }
}
