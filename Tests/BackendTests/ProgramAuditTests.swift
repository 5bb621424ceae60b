import Foundation
import SQLite
import Testing

@Suite("The audit as clup-backend lists and verifies it")
struct ProgramAuditTests {
    private let backend: BackendCommand

    init() throws {
        backend = try BackendCommand.withShop()
        _ = try backend.command("shop change --shop ROM1 --capacity 12")
    }
    @Test("The audit names the administrator of each command; verified, a changed one is status 1")
    func audit() throws {
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
