import BackendClient
import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("A backend that moves from a file to PostgreSQL")
struct DatabaseCopyFaultTests {
    @Test("After the copy it serves the same machine: keys, numbers and the audit's chain go on")
    func moved() async throws {
        try await ServingBackend.withMachines(1) { file, keys in
            let client = try BackendClient.of(
                keys[0], at: [file.address], knowing: try await file.publicKey())
            let key = AttemptKey.fresh()
            let hold = try await client.takePlace(.ticket, .fresh()).get()
            let reservation = try await client.confirm(hold.id, key).get()
            #expect(reservation.number.rawValue == 1)
            let place = try PostgresServer.shared().database()
            func expectNoCopy(_ why: String) async throws {
                let refused = try await Tool.run(
                    ServingBackend.program,
                    ["database", "copy", "--database", file.database, "--to", place])
                #expect(refused.status == 1 && refused.errors.contains(why), "\(refused)")
            }
            try await expectNoCopy("stop it first")
            try await file.withCopy(on: place) { moved in
                // Address, key and idempotency key are the same, so the machine does not notice the change.
                let again = try await insist { await client.confirm(hold.id, key) }
                #expect(again == reservation)
                let next = try await insist { await client.takePlace(.ticket, .fresh()) }
                #expect(try await client.confirm(next.id, .fresh()).get().number.rawValue == 2)
                for command in [["audit", "verify"], ["database", "check"]] {
                    let said = try await Tool.run(
                        ServingBackend.program, command + ["--database", place])
                    #expect(said.status == 0, "\(command): \(said)")
                }
                try await expectNoCopy("not empty")
            }
        }
    }
}
