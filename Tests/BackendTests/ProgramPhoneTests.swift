import BackendAPI
import Cryptography
import Foundation
import Reservations
import SQLite
import TestSupport
import Testing

@Suite("Places on phones as the program clup-backend shows and sets them")
struct ProgramPhoneTests {
    private func change(_ backend: BackendCommand, _ words: String...) throws
        -> BackendCommand.Ended
    { try backend.run(["shop", "change", "--database", backend.path, "--shop", "ROM1"] + words) }

    @Test("A shop's address and what it decides about phones are set; what cannot be is refused")
    func settings() throws {
        let backend = try BackendCommand.withShop()
        let plain = try change(backend)
        for words in [
            "\"phonePlaces\":false", "\"phoneSharePercent\":50", "\"noShowDays\":30",
            "\"blockDays\":7",
        ] {
            #expect(plain.output.contains(words), "\(plain.output)")
        }
        let set = try change(
            backend, "--phone-places", "yes", "--phone-share", "30", "--no-show-days", "14",
            "--block-days", "0", "--street", "Corso Buenos Aires 1", "--town", "Milano",
            "--position", "45.4785,9.2073")
        for words in [
            "\"phonePlaces\":true", "\"phoneSharePercent\":30", "\"noShowDays\":14",
            "\"blockDays\":0", "\"street\":\"Corso Buenos Aires 1\"", "\"town\":\"Milano\"",
            "\"position\":\"45.4785,9.2073\"",
        ] {
            #expect(set.output.contains(words), "\(set.output)")
        }
        for (option, value, words) in [
            ("--phone-places", "perhaps", "--phone-places is yes or no"),
            ("--phone-share", "0", "--phone-share"), ("--block-days", "31", "--block-days"),
            ("--position", "Milano", "latitude and longitude"), ("--town", " ", "a town is"),
        ] {
            let refused = try change(backend, option, value)
            #expect(refused.status != 0 && refused.errors.contains(words), "\(refused.errors)")
        }
        let audit = try backend.run(["audit", "list", "--database", backend.path])
        #expect(audit.output.contains("phone places no -> yes"), "\(audit.output)")
        let none = try change(backend, "--street", "", "--position", "")
        #expect(!none.output.contains("street") && !none.output.contains("position"))
    }

    @Test("Visits on phones are a setting, with the phones' share of them (rules 39)")
    func visits() throws {
        let backend = try BackendCommand.withShop()
        let plain = try change(backend)
        #expect(
            plain.output.contains("\"phoneVisits\":false")
                && plain.output.contains("\"phoneVisitPercent\":70")
                && plain.output.contains("\"phoneQuestion\":false"), "\(plain.output)")
        let set = try change(
            backend, "--phone-visits", "yes", "--phone-visit-share", "40",
            "--phone-question", "yes", "--departments", "Pescheria=4, Pane = 6,Vino")
        #expect(
            set.output.contains("\"phoneVisits\":true")
                && set.output.contains("\"phoneVisitPercent\":40")
                && set.output.contains("\"phoneQuestion\":true")
                && set.output.contains("\"departments\":\"Pescheria=4, Pane=6, Vino\""),
            "\(set.output)")
        for (option, value, words) in [
            ("--phone-visits", "perhaps", "--phone-visits is yes or no"),
            ("--phone-visit-share", "0", "--phone-visit-share"),
            ("--phone-visit-share", "101", "--phone-visit-share"),
            ("--departments", "Pesce,Pesce", "departments are at most 8 different names"),
            ("--departments", "Pesce=0", "departments are at most 8 different names"),
        ] {
            let refused = try change(backend, option, value)
            #expect(refused.status != 0 && refused.errors.contains(words), "\(refused.errors)")
        }
        let list = try backend.run(["shop", "list", "--database", backend.path])
        #expect(list.output.contains("\"phoneVisitPercent\":40"), "\(list.output)")
        let audit = try backend.run(["audit", "list", "--database", backend.path])
        #expect(
            audit.output.contains("phone visits no -> yes")
                && audit.output.contains("departments  -> Pescheria=4, Pane=6, Vino")
                && audit.output.contains("phone visit share 70 -> 40"), "\(audit.output)")
    }

    @Test("From which wait on machines name a shop nearby is a setting (rules 40)")
    func nearby() throws {
        let backend = try BackendCommand.withShop()
        let plain = try change(backend)
        #expect(plain.output.contains("\"nearbyWaitMinutes\":60"), "\(plain.output)")
        let set = try change(backend, "--nearby-wait", "0")
        #expect(set.output.contains("\"nearbyWaitMinutes\":0"), "\(set.output)")
        for (value, words) in [
            ("5", "from 10 to 240 minutes"), ("241", "--nearby-wait"), ("soon", "--nearby-wait"),
        ] {
            let refused = try change(backend, "--nearby-wait", value)
            #expect(refused.status != 0 && refused.errors.contains(words), "\(refused.errors)")
        }
        let list = try backend.run(["shop", "list", "--database", backend.path])
        #expect(list.output.contains("\"nearbyWaitMinutes\":0"), "\(list.output)")
        let audit = try backend.run(["audit", "list", "--database", backend.path])
        #expect(audit.output.contains("nearby wait 60 -> 0"), "\(audit.output)")
    }

    @Test("Holders who missed calls are listed, unblocked and forgotten")
    func holders() throws {
        let backend = try BackendCommand.withShop()
        let place = ["--database", backend.path]
        let ofShop = place + ["--shop", "ROM1"]
        let connection = try Connection(path: backend.path, opening: .existing)
        let shop = try #require(
            try connection.rows("SELECT shop_id FROM shop") { $0.text(0) }.first)
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
        let lines = try backend.run(["holder", "list"] + ofShop).output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("anna") && lines[0].contains("blockedUntil"))
        #expect(lines[1].contains("bert") && !lines[1].contains("blockedUntil"))
        let unblocked = try backend.run(["holder", "unblock"] + ofShop + ["--holder", "anna"])
        #expect(unblocked.status == 0, "\(unblocked.errors)")
        let again = try backend.run(["holder", "unblock"] + ofShop + ["--holder", "anna"])
        #expect(again.status != 0 && again.errors.contains("has missed no call"))
        #expect(try backend.run(["holder", "forget"] + place + ["--holder", "bert"]).status == 0)
        let unknown = try backend.run(["holder", "forget"] + place + ["--holder", "bert"])
        #expect(unknown.status != 0 && unknown.errors.contains("is not known"))
        #expect(try backend.run(["holder", "list"] + ofShop).output.isEmpty)
    }

    @Test("A PIN for the pages of the staff is printed once, and taken away; the audit names none")
    func staffPIN() throws {
        let backend = try BackendCommand.withShop()
        let ofShop = ["--database", backend.path, "--shop", "ROM1"]
        let made = try backend.run(["shop", "staff-pin"] + ofShop)
        let pin = try #require(made.output.firstMatch(of: #/"pin":"(\d{8})"/#)).1
        let other = try backend.run(["shop", "staff-pin"] + ofShop)
        #expect(other.status == 0 && !other.output.contains(pin))
        let removed = try backend.run(["shop", "staff-pin"] + ofShop + ["--remove"])
        #expect(removed.status == 0 && removed.output.isEmpty, "\(removed.errors)")
        let audit = try backend.run(["audit", "list", "--database", backend.path])
        #expect(audit.output.matches(of: /staff-pin-set/).count == 3)
        #expect(!audit.output.contains(pin))
    }

    @Test(
        "Addresses for phones that could not be opened, or would not fit into the symbol, are refused"
    )
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
            let ended = try backend.run(
                ["serve", "--database", backend.path, "--listen", "127.0.0.1:0"] + options)
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
