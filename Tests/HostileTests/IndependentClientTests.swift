import Foundation
import TestSupport
import Testing

/// A client in another language that is written from the contract alone, without the sources.
@Suite("A client written from the contract alone")
struct IndependentClientTests {
    private static let script = Tool.repository
        .appending(path: "Tests/HostileTests/independent-client.py").path

    @Test("It takes a ticket, confirms it, looks it up, and verifies each answer")
    func ticket() async throws {
        let folder = try TemporaryFolder()
        let pem = folder.file("machine.pem")
        let key = try await SchemathesisTests.makeKey(pem)
        try await ServingBackend.with(machines: [key]) { backend in
            let printed = try await Tool.succeed(
                "python3", [Self.script, backend.address, pem, try await backend.publicKey()])
            struct Reservation: Decodable { let number: Int }
            let reservation = try JSONDecoder().decode(Reservation.self, from: Data(printed.utf8))
            #expect(reservation.number == 1)
            #expect(try await backend.rows().compactMap(\.number).count == 1)
        }
    }
}
