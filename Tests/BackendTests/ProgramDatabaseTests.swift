import Cryptography
import Foundation
import SQLite
import Testing

@Suite("The commands of clup-backend for its database and its key")
struct ProgramDatabaseTests {
    @Test("A database is backed up, damaged, checked, restored and pruned")
    func database() throws {
        let backend = try BackendCommand()
        let path = backend.path
        let copy = backend.directory.path + "/socket"
        #expect(try backend.addShop().status == 0)
        let backup = try backend.run("database", "backup", "--database", path, "--to", copy)
        #expect(backup.status == 0 && backup.output.contains("\"bytes\":"))
        #expect(try backend.run("database", "backup", "--database", path, "--to", copy).status == 1)
        #expect(
            try backend.run("database", "backup", "--database", path, "--to", copy, "--force")
                .status == 0)
        let honest = try backend.run("database", "check", "--database", path)
        #expect(honest.status == 0 && honest.output == "{\"checked\":1}\n")
        do {
            try Connection(path: path, opening: .existing).execute(
                "INSERT INTO day_counter (shop_id, day, last_number) "
                    + "SELECT shop_id, '2026-11-20', 7 FROM shop")
        }
        let damaged = try backend.run("database", "check", "--database", path)
        #expect(damaged.status == 1 && damaged.errors.contains("1 faults"))
        #expect(try BackendCommand.field("shop", of: damaged.output) == "ROM1")
        #expect(damaged.output.contains("the counter of 2026-11-20 stands at 7"))
        let restored = try backend.run("database", "restore", "--database", path, "--from", copy)
        #expect(restored.status == 0)
        let former = try #require(try BackendCommand.field("former", of: restored.output))
        #expect(former.hasPrefix(path + ".before-restore-"))
        #expect(try backend.run("database", "check", "--database", path).status == 0)
        #expect(try backend.run("database", "check", "--database", former).status == 1)
        let pruned = try backend.run("database", "prune", "--database", former)
        #expect(pruned.status == 0 && pruned.output.contains("\"reservations\":0"))
    }

    @Test(
        "A backend whose key is lost or replaced does not start; a new key is made on request"
    )
    func lostKey() throws {
        let backend = try BackendCommand()
        let path = backend.path
        _ = try backend.addShop()
        let first = try backend.run("key", "--database", path)
        #expect(first.status == 0)
        // No machine knows the key yet, so another one is made.
        try FileManager.default.removeItem(atPath: "\(path).key")
        let second = try backend.run("key", "--database", path)
        #expect(second.status == 0 && second.output != first.output)
        try Cryptography.start()
        let added = try backend.run(
            "machine", "add", "--database", path, "--shop", "ROM1", "--name", "north",
            "--key=\(SigningKey.generate().publicKey.text)")
        #expect(added.status == 0)
        try FileManager.default.moveItem(atPath: "\(path).key", toPath: "\(path).kept")
        for command in [["serve"], ["key"]] {
            let ended = try backend.run(command + ["--database", path])
            #expect(ended.status == 78 && ended.errors.contains("clup-backend key --new"))
        }
        #expect(!FileManager.default.fileExists(atPath: "\(path).key"))
        try FileManager.default.copyItem(atPath: "\(path).kept", toPath: "\(path).key")
        #expect(try backend.run("key", "--database", path).output == second.output)
        let new = try backend.run("key", "--database", path, "--new")
        #expect(new.status == 0 && new.output != second.output)
        #expect(try backend.run("key", "--database", path).output == new.output)
        #expect(
            try backend.run("audit", "list", "--database", path).output.contains("backend-key-made")
        )
        // The copy of the old key is no longer valid.
        try FileManager.default.removeItem(atPath: "\(path).key")
        try FileManager.default.moveItem(atPath: "\(path).kept", toPath: "\(path).key")
        let other = try backend.run("serve", "--database", path, "--listen", "127.0.0.1:0")
        #expect(other.status == 78 && other.errors.contains("is another key than"))
    }
}
