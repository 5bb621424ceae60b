import Cryptography
import Foundation
import Testing

@Suite("The commands of clup-backend for its database, its key and its audit")
struct ProgramDatabaseTests {
    private let backend: BackendCommand

    init() throws { backend = try BackendCommand.withShop() }

    private func changeCapacity() throws {
        #expect(try backend.command("shop change --shop ROM1 --capacity 12").status == 0)
    }

    @Test("A database is backed up, damaged, checked, restored and pruned")
    func database() throws {
        let copy = backend.directory.path + "/socket"
        let backup = try backend.command("database backup --to \(copy)")
        #expect(backup.status == 0 && backup.output.contains("\"bytes\":"))
        #expect(try backend.command("database backup --to \(copy)").status == 1)
        #expect(try backend.command("database backup --to \(copy) --force").status == 0)
        let honest = try backend.command("database check")
        #expect(honest.status == 0 && honest.output == "{\"checked\":1}\n")
        do {
            let (connection, shop) = try backend.database()
            try connection.execute(
                "INSERT INTO day_counter (shop_id, day, last_number) "
                    + "VALUES ('\(shop)', '2026-11-20', 7)")
        }
        let damaged = try backend.command("database check")
        #expect(damaged.status == 1 && damaged.errors.contains("1 faults"))
        #expect(try BackendCommand.field("shop", of: damaged.output) == "ROM1")
        #expect(damaged.output.contains("the counter of 2026-11-20 stands at 7"))
        let restored = try backend.command("database restore --from \(copy)")
        #expect(restored.status == 0)
        let former = try #require(try BackendCommand.field("former", of: restored.output))
        #expect(former.hasPrefix(backend.path + ".before-restore-"))
        #expect(try backend.command("database check").status == 0)
        #expect(try backend.run("database", "check", "--database", former).status == 1)
        let pruned = try backend.run("database", "prune", "--database", former)
        #expect(pruned.status == 0 && pruned.output.contains("\"reservations\":0"))
    }

    @Test("A backend with a lost or replaced key does not start; a new key is made on request")
    func lostKey() throws {
        let path = backend.path
        let first = try backend.command("key")
        #expect(first.status == 0)
        // No machine knows the key yet, so another one is made.
        try FileManager.default.removeItem(atPath: "\(path).key")
        let second = try backend.command("key")
        #expect(second.status == 0 && second.output != first.output)
        try Cryptography.start()
        #expect(try backend.addMachine("north", SigningKey.generate().publicKey).status == 0)
        try FileManager.default.moveItem(atPath: "\(path).key", toPath: "\(path).kept")
        for command in ["serve", "key"] {
            let ended = try backend.command(command)
            #expect(ended.status == 78 && ended.errors.contains("clup-backend key --new"))
        }
        #expect(!FileManager.default.fileExists(atPath: "\(path).key"))
        try FileManager.default.copyItem(atPath: "\(path).kept", toPath: "\(path).key")
        #expect(try backend.command("key").output == second.output)
        let new = try backend.command("key --new")
        #expect(new.status == 0 && new.output != second.output)
        #expect(try backend.command("key").output == new.output)
        #expect(try backend.command("audit list").output.contains("backend-key-made"))
        // The copy of the old key is no longer valid.
        try FileManager.default.removeItem(atPath: "\(path).key")
        try FileManager.default.moveItem(atPath: "\(path).kept", toPath: "\(path).key")
        let other = try backend.command("serve --listen 127.0.0.1:0")
        #expect(other.status == 78 && other.errors.contains("is another key than"))
    }

    @Test("The audit names the administrator of each command; verified, a changed one is status 1")
    func audit() throws {
        try changeCapacity()
        let list = try backend.command("audit list --shop ROM1")
        let lines = list.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        let user = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
        #expect(try BackendCommand.field("actor", of: lines[1])?.hasPrefix(user) == true)
        #expect(try BackendCommand.field("detail", of: lines[1]) == "capacity 9 -> 12")
        let verified = try backend.command("audit verify")
        #expect(verified.status == 0)
        let head = try #require(try BackendCommand.field("head", of: verified.output))
        let kept = "audit verify --shop ROM1 --kept"
        #expect(try backend.command(kept, head).status == 0)
        #expect(try backend.command(kept, String(head.reversed())).status == 64)
        try backend.database().connection.execute(
            "UPDATE audit SET detail = 'capacity 9 -> 10' WHERE sequence = 2")
        let broken = try backend.command("audit verify")
        #expect(broken.status == 1)
        #expect(broken.output.contains("\"sequence\":2") && broken.output.contains("was changed"))
    }

    @Test("The backend's signature reveals an audit whose end was cut off together with its head")
    func signedAudit() throws {
        try changeCapacity()
        #expect(try backend.command("audit verify").status == 0, "there is no key yet")
        let key = try #require(try BackendCommand.field("key", of: backend.command("key").output))
        let whole = try backend.command("audit verify")
        #expect(whole.status == 0 && whole.output.contains("\"signed\":2"))
        let (connection, _) = try backend.database()
        try connection.execute(
            """
            DELETE FROM audit WHERE sequence = 2;
            UPDATE audit_head SET sequence = 1, hash = (SELECT hash FROM audit);
            """)
        let cut = try backend.command("audit verify")
        #expect(cut.status == 1 && cut.output.contains("cut off"))
        // No key has signed it, and without its signature the audit is not valid either.
        try connection.execute("DELETE FROM audit_seal")
        let signed = try backend.command("key")
        #expect(signed.status == 0 && signed.errors.contains("not as it was signed"))
        #expect(try backend.command("audit verify").output.contains("no row is signed"))
        #expect(try backend.command("audit verify --backend-key", key).status == 1)
        #expect(try backend.command("audit verify --backend-key x").status == 64)
        #expect(try backend.command("audit list").status == 0)
    }
}
