import Foundation
import SQLite
import Testing

@Suite("The audit as clup-backend lists and verifies it")
struct ProgramAuditTests {
    @Test(
        "The audit names the administrator of each command, and is verified; status 1 if it was changed"
    )
    func audit() throws {
        let backend = try BackendCommand()
        let path = backend.path
        _ = try backend.addShop()
        _ = try backend.run(
            "shop", "change", "--database", path, "--shop", "ROM1", "--capacity", "12")
        let list = try backend.run("audit", "list", "--database", path, "--shop", "ROM1")
        let lines = list.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        let user = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
        #expect(try BackendCommand.field("actor", of: lines[1])?.hasPrefix(user) == true)
        #expect(try BackendCommand.field("detail", of: lines[1]) == "capacity 9 -> 12")
        let verified = try backend.run("audit", "verify", "--database", path)
        #expect(verified.status == 0)
        let head = try #require(try BackendCommand.field("head", of: verified.output))
        let words = ["audit", "verify", "--database", path, "--shop", "ROM1", "--kept"]
        #expect(try backend.run(words + [head]).status == 0)
        #expect(try backend.run(words + [String(head.reversed())]).status == 64)
        try Connection(path: path, opening: .existing).execute(
            "UPDATE audit SET detail = 'capacity 9 -> 10' WHERE sequence = 2")
        let broken = try backend.run("audit", "verify", "--database", path)
        #expect(broken.status == 1)
        #expect(broken.output.contains("\"sequence\":2") && broken.output.contains("was changed"))
    }

    @Test("The backend's signature reveals an audit whose end was cut off together with its head")
    func signedAudit() throws {
        let backend = try BackendCommand()
        let path = backend.path
        _ = try backend.addShop()
        _ = try backend.run(
            "shop", "change", "--database", path, "--shop", "ROM1", "--capacity", "12")
        let verify = ["audit", "verify", "--database", path]
        #expect(try backend.run(verify).status == 0, "there is no key yet")
        let key = try #require(
            try BackendCommand.field("key", of: backend.run("key", "--database", path).output))
        let whole = try backend.run(verify)
        #expect(whole.status == 0 && whole.output.contains("\"signed\":2"))
        let connection = try Connection(path: path, opening: .existing)
        try connection.execute(
            """
            DELETE FROM audit WHERE sequence = 2;
            UPDATE audit_head SET sequence = 1, hash = (SELECT hash FROM audit);
            """)
        let cut = try backend.run(verify)
        #expect(cut.status == 1 && cut.output.contains("cut off"))
        // No key has signed it, and without its signature the audit is not valid either.
        try connection.execute("DELETE FROM audit_seal")
        let signed = try backend.run("key", "--database", path)
        #expect(signed.status == 0 && signed.errors.contains("not as it was signed"))
        #expect(try backend.run(verify).output.contains("no row is signed"))
        #expect(try backend.run(verify + ["--backend-key", key]).status == 1)
        #expect(try backend.run(verify + ["--backend-key", "x"]).status == 64)
        #expect(try backend.run("audit", "list", "--database", path).status == 0)
    }
}
