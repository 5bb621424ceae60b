import TestSupport
import Testing

@Suite("A backend that moves from a file to PostgreSQL")
struct DatabaseCopyFaultTests {
    @Test("A file that is served is not copied, nor any file to a database that is not empty")
    func refused() async throws {
        let place = try PostgresServer.shared().database()
        try await ServingBackend.with(machines: []) { served in
            func expectNoCopy(_ why: String) async throws {
                let refused = try await Tool.run(
                    ServingBackend.program,
                    ["database", "copy", "--database", served.database, "--to", place])
                #expect(refused.status == 1 && refused.errors.contains(why), "\(refused)")
            }
            try await expectNoCopy("stop it first")
            await served.drain()
            try await ServingBackend.with(machines: [], database: place) { _ in
                try await expectNoCopy("not empty")
            }
        }
    }
}
