import Cryptography
import Foundation
import Reservations
import Testing

@Suite("Machines, and calls for help at them, as clup-backend shows and controls them")
struct ProgramFleetTests {
    private let backend: BackendCommand

    /// Two machines, which have reported nothing yet, of a shop whose name is one that a spreadsheet, a browser or a
    /// shell could take for a command (faults 58).
    init() throws {
        let evil = "=cmd|'/C calc'!A0<script>alert(1)</script>\",{{7*7}}%s%n"
        backend = try BackendCommand()
        #expect(try backend.addShop(name: evil).status == 0)
        try Cryptography.start()
        for name in ["north", "south"] {
            #expect(try backend.addMachine(name, SigningKey.generate().publicKey).status == 0)
        }
    }

    private func takeOutOfService(_ message: String) throws -> BackendCommand.Ended {
        try backend.command("machine out-of-service --machine north --message", message)
    }

    /// What a machine that is out of service has reported, and the papers of two machines.
    private func report() throws {
        let (connection, shop) = try backend.database()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let condition =
            #"{"clockOffset":0,"diskFree":50,"fingerprint":"ab","outOfService":"S1","printers":"#
            + #"[{"name":"roll","paperLow":true,"trouble":"jam"}],"reader":true,"version":"1.0"}"#
        try connection.execute(
            """
            INSERT INTO machine_status (shop_id, machine, seen_ms, condition, memory,
                events_through, events_dropped)
                VALUES ('\(shop)', 'north', \(now), '\(condition)', 'm', 1, 2);
            INSERT INTO machine_event VALUES ('\(shop)', 1, 'north', \(now), 60, '\u{1B}]0;x',
                'reprint', '042 =1+1');
            INSERT INTO machine_paper_day VALUES ('\(shop)', '2026-11-20', 'north', 'm', 5, 2, 1, 3),
                ('\(shop)', '2026-11-20', 'south', 'm', 1, 0, 0, 1);
            """)
    }

    @Test("A machine is controlled remotely; an unknown one and a long message are refused")
    func controlled() throws {
        let silent = try backend.command("machine list")
        #expect(silent.output.split(separator: "\n").count == 2)
        #expect(
            try BackendCommand.field("light", of: String(silent.output.prefix { $0 != "\n" }))
                == "silent")
        for words in [
            "show", "in-service", "restart", "rotate", "unlock", "logs",
            "out-of-service --message x",
        ] {
            let wrong = try backend.command("machine \(words) --machine west")
            #expect(wrong.status == 1 && wrong.errors.contains("there is no machine \"west\""))
        }
        let long = try takeOutOfService(String(repeating: "x", count: 161))
        #expect(long.status == 64 && long.errors.contains("at most 160"))
        let out = try takeOutOfService("Chiuso\u{1B}[2J per\ninventario")
        #expect(out.status == 0)
        #expect(try BackendCommand.field("message", of: out.output) == "Chiuso[2J per inventario")
    }

    @Test("A machine is seen remotely with its faults, its message and its events")
    func seen() throws {
        #expect(try takeOutOfService("Chiuso\u{1B}[2J per\ninventario").status == 0)
        try report()
        let shown = try backend.command("machine show --machine north")
        #expect(try BackendCommand.field("light", of: shown.output) == "trouble")
        for text in [
            "out of service (S1)", "roll: jam", "roll: paper low", "\"eventsDropped\":2",
            "Chiuso[2J per inventario",
        ] { #expect(shown.output.contains(text), "\(text)") }
        let list = try backend.command("machine list")
        #expect(list.output.contains("\"version\":\"1.0\""))
        let logs = try backend.command("machine logs --machine north")
        #expect(try BackendCommand.field("detail", of: logs.output) == "042 =1+1")
        #expect(!logs.output.contains("\u{1B}"))
    }

    @Test("The papers of all machines are in the reports, whose texts are harmless")
    func reports() throws {
        try report()
        let days = "--shop ROM1 --from 2026-11-20 --to 2026-11-20"
        let csv = try backend.command("report days \(days)").output
        let lines = csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(lines.count == 2 && lines.allSatisfy { $0.count == lines[0].count })
        #expect(
            lines[0].dropLast(5).suffix(4) == [
                "papers_printed", "papers_failed", "papers_copied", "papers_unknown",
            ])
        #expect(lines[1].dropLast(5).suffix(4) == ["6", "2", "1", "4"])
        #expect(!csv.contains("=") && !csv.contains("<"))
        let page = backend.directory.path + "/page.html"
        #expect(try backend.command("report page \(days) --output \(page)").status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;script&gt;") && html.contains("<td>2</td><td>1</td><td>4</td>"))
    }

    @Test("The report has how long customers waited for a staff member, by the hour")
    func helpReport() throws {
        let (connection, shop) = try backend.database()
        // 2026-11-20, at 10:00 and at 10:30 in Rome; the identifiers begin with the time.
        for (number, (raised, going, ending)) in [
            (Int64(1_795_165_200_000), "1795165212000", "helped"),
            (1_795_167_000_000, "1795167030000", "expired"),
            (1_795_167_001_000, "NULL", "mistake"), (1_795_167_002_000, "NULL", "expired"),
        ].enumerated() {
            let rest = Array(repeating: UInt8(number), count: 10)
            let id = Crockford.encode(Moment(milliseconds: raised), rest).lowercased()
            try connection.execute(
                """
                INSERT INTO help_call (shop_id, id, machine, raised_ms, going_ms, ended_ms, ending)
                VALUES ('\(shop)', '\(id)', 'door-1', \(raised), \(going),
                    \(raised + 90_000), '\(ending)')
                """)
        }
        let days = "--shop ROM1 --from 2026-11-20 --to 2026-11-20"
        let table = try backend.command("report help \(days)")
        #expect(
            table.output == """
                day,hour,calls,mistakes,unanswered,median_seconds,longest_seconds
                2026-11-20,10,3,1,1,12,30

                """)
        let other = try backend.command("report help --shop ROM1 --from 2026-11-21 --to 2026-11-21")
        #expect(other.output.split(separator: "\n").count == 1)
        let page = backend.directory.path + "/page.html"
        _ = try backend.command("report page --output \(page) \(days)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("went to a customer who called for help"))
    }
}
