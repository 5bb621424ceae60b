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
        try await Tool.succeed("openssl", ["genpkey", "-algorithm", "ed25519", "-out", pem])
        let der = folder.file("machine.der")
        try await Tool.succeed(
            "openssl", ["pkey", "-in", pem, "-pubout", "-outform", "DER", "-out", der])
        // The key itself is at the end (RFC 8410 4).
        let key = try Data(contentsOf: URL(filePath: der)).suffix(32).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
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
