import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Places on phones as the program clup-backend shows and sets them")
struct ProgramPhoneTests {
    @Test("Holders who missed calls are listed, unblocked and forgotten")
    func holders() throws {
        let backend = try BackendCommand.withShop()
        let (connection, shop) = try backend.database()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        for (holder, minutes) in [("anna", [30, 20, 10]), ("bert", [15])] {
            for ago in minutes {
                try connection.run(
                    """
                    INSERT INTO no_show (shop_id, holder, missed_ms)
                    VALUES ('\(shop)', '\(holder)', \(now - Int64(ago) * 60_000))
                    """)
            }
        }
        let lines = try backend.command("holder list --shop ROM1").output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("anna") && lines[0].contains("blockedUntil"))
        #expect(lines[1].contains("bert") && !lines[1].contains("blockedUntil"))
        let unblocked = try backend.command("holder unblock --shop ROM1 --holder anna")
        #expect(unblocked.status == 0, "\(unblocked.errors)")
        let again = try backend.command("holder unblock --shop ROM1 --holder anna")
        #expect(again.status != 0 && again.errors.contains("has missed no call"))
        #expect(try backend.command("holder forget --holder bert").status == 0)
        let unknown = try backend.command("holder forget --holder bert")
        #expect(unknown.status != 0 && unknown.errors.contains("is not known"))
        #expect(try backend.command("holder list --shop ROM1").output.isEmpty)
    }

    @Test("A PIN for the pages of the staff is printed once, and taken away; the audit names none")
    func staffPIN() throws {
        let backend = try BackendCommand.withShop()
        let made = try backend.command("shop staff-pin --shop ROM1")
        let pin = try #require(made.output.firstMatch(of: #/"pin":"(\d{8})"/#)).1
        let other = try backend.command("shop staff-pin --shop ROM1")
        #expect(other.status == 0 && !other.output.contains(pin))
        let removed = try backend.command("shop staff-pin --shop ROM1 --remove")
        #expect(removed.status == 0 && removed.output.isEmpty, "\(removed.errors)")
        let audit = try backend.command("audit list")
        #expect(audit.output.matches(of: /staff-pin-set/).count == 3)
        #expect(!audit.output.contains(pin))
    }

    @Test("Addresses that phones could not open, or that would not fit the symbol, are refused")
    func refusedAddresses() throws {
        let backend = try BackendCommand.withShop()
        let assets = Tool.repository.appending(path: "Assets").path
        let phones = ["--assets", assets, "--phones", "127.0.0.1:0"]
        for (options, words) in [
            (["--phones-url", "https://queue.example.it"], "--phones-url needs --phones"),
            (["--phones", "127.0.0.1:0"], "--phones needs --assets"),
            (["--assets", assets, "--phones", "0.0.0.0:0"], "0.0.0.0"),
            (phones + ["--phones-url", "http://queue.example.it"], "give it as https://HOST"),
            (phones + ["--phones-url", "https://queue.example.it/x"], "give it as https://HOST"),
            (phones + ["--phones-url", "https://queue.example.it:0"], "give it as https://HOST"),
            (phones + ["--phones-url", "https://"], "give it as https://HOST"),
            (phones + ["--phones-url", Self.url(bytes: 80)], "with 79 characters at most"),
        ] {
            let ended = try backend.command("serve --listen 127.0.0.1:0", options)
            #expect(
                ended.status != 0 && ended.errors.contains(words), "\(options): \(ended.errors)")
        }
    }

    private static func url(bytes: Int) -> String {
        let start = "https://"
        return start + String(repeating: "q", count: bytes - start.utf8.count)
    }

    @Test("The link with the longest address is one that machines accept")
    func longestAddress() throws {
        try Cryptography.start()
        let key = try SigningKey.generate()
        let served = try ServedProgram(
            keys: [("machine", key)],
            options: [
                "--assets", Tool.repository.appending(path: "Assets").path, "--phones",
                "127.0.0.1:0", "--phones-url", Self.url(bytes: 79),
            ])
        func call(_ route: Route, _ body: String) throws -> WireResponse {
            try #require(
                RawClient(served.address).call(served.request(route, body, key: key)))
        }
        let hold = try call(.holds, "{\"kind\":\"ticket\"}").decoded(HeldPlace.self)
        let ticket = try call(.holdConfirmation(hold.id), "").decoded(Reservation.self)
        #expect(ticket.link?.utf8.count == Capability.maxLinkBytes && ticket.isPlausible)
    }
}
