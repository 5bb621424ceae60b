import Cryptography
import Foundation
import Reservations
import Testing

@Suite("Orders as the program clup-backend announces, lists and cancels them (rules 41)")
struct ProgramOrderTests {
    private let backend: BackendCommand

    init() throws {
        backend = try BackendCommand.withShop()
        #expect(try run("shop change --desks 2").status == 0)
    }

    private func run(_ line: String, _ words: String...) throws -> BackendCommand.Ended {
        try backend.command("\(line) --shop ROM1", words)
    }

    /// The day of tomorrow in Rome, or of a neighbouring hour.
    private var tomorrow: String {
        "\(CalendarDay(daysSince1970: Int(Date().timeIntervalSince1970 / 86_400) + 1))"
    }

    private func importing(_ text: String) throws -> BackendCommand.Ended {
        let file = backend.directory.path + "/orders.csv"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try run("order import \(file)")
    }

    @Test("An order is added with its codes, listed without them, and cancelled")
    func adds() throws {
        let added = try run(
            "order add --reference 4711", "--promised", "\(tomorrow) 17:00", "--parcels",
            "medium@A3 small")
        #expect(added.status == 0, "\(added.errors)")
        for words in [
            "\"reference\":\"4711\"", "\"result\":\"added\"", "\"state\":\"promised\"",
            "\"parcels\":[\"medium@A3\",\"small\"]", "\"code\":\"CLUP:C:ROM1", "\"typedCode\":\"",
            "\"promised\":\"\(tomorrow)T17:00:00.000+0",
        ] {
            #expect(added.output.contains(words), "\(words)\n\(added.output)")
        }
        let code = try #require(try BackendCommand.field("code", of: added.output))
        #expect(PickupCode(rawValue: code)?.tag.rawValue == "ROM1")
        let list = try run("order list")
        #expect(list.output.contains("4711") && !list.output.contains("CLUP:C:"))
        #expect(!list.output.contains("typedCode"))
        #expect(try run("order list --codes").output.contains(code))
        #expect(try run("order list --state on-shelf").output.isEmpty)
        #expect(try run("order list --state gone").status == 64)
        let cancelled = try run("order cancel --reference 4711")
        #expect(cancelled.output.contains("\"state\":\"cancelled\""))
        let unknown = try run("order cancel --reference 1")
        #expect(unknown.status == 1 && unknown.errors.contains("has no order 1"))
        let audit = try backend.command("audit list").output
        #expect(audit.contains("orders-announced") && audit.contains("order-cancelled"))
    }

    @Test("Reports say how long customers were there for their orders, by the hour")
    func report() throws {
        let (connection, shop) = try backend.database()
        // From 2026-11-20, 10:00 in Rome on; the customers wait one to ten minutes.
        let begin = 1_795_165_200_000
        for order in 1...10 {
            for (position, state) in ["on-shelf", "arrived", "fetching", "called", "handed-over"]
                .enumerated()
            {
                let moment = begin + (position > 2 ? order * 60_000 : 0)
                let latest = state == "arrived" ? "\(begin + 8 * 60_000)" : "NULL"
                try connection.execute(
                    """
                    INSERT INTO pickup_event VALUES ('\(shop)', 'o\(order)', \(position + 1), \(moment),
                        '\(state)', '', \(latest))
                    """)
            }
        }
        let days = "--from 2026-11-20 --to 2026-11-20"
        let table = try run("report orders \(days)")
        #expect(
            table.output == """
                day,hour,arrivals,handed_over,median_seconds,nine_of_ten_seconds,ready,ready_as_quoted,\
                not_collected,not_found
                2026-11-20,10,10,10,300,540,10,8,0,0

                """)
        let page = backend.directory.path + "/page.html"
        #expect(try run("report page --output \(page) \(days)").status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("10 customers came for an order, and 10 had it: half of them"))
        #expect(html.contains("80.0 % of the orders were at the desk by the time that was quoted"))
    }

    @Test("The estimator also says when an order that arrives now is at a desk")
    func estimate() throws {
        let snapshot = """
            {"now":0,"capacity":9,"mean_visit":20,"cv":0.6,"noshow":0,"entry_window":10,"places":[],
            "queue_ahead":0,"booked_waiting":[],"booked_ahead":[]
            """.replacing("\n", with: "")
        func answer(_ order: String) throws -> BackendCommand.Ended {
            try backend.run(["estimate"], input: "\(snapshot)\(order)}\n")
        }
        #expect(!(try answer("").output.contains("order")))
        let alone = try answer(
            #","order":{"desks":2,"fetch":6,"cv":0.5,"parcels":1,"orders_ahead":[]}"#)
        #expect(
            alone.status == 0 && alone.output.contains(#""order":{"mean":5.9"#), "\(alone.output)")
        let behind = try answer(
            #","order":{"desks":1,"fetch":6,"cv":0,"parcels":3,"orders_ahead":[[1,2],[2]]}"#)
        #expect(behind.output.contains(#""p80":18.69"#), "\(behind.output)")
        let wrong = try answer(
            #","order":{"desks":0,"fetch":6,"cv":0,"parcels":3,"orders_ahead":[]}"#)
        #expect(wrong.status == 1 && wrong.output.contains("desks must be 1 to 20"))
    }

    @Test(
        "A file is read as tables write it: commas or semicolons, quotes, any order of columns, CR LF",
        arguments: [
            "reference,promised,parcels\nA1,DAY 17:00,small\nA2,DAY 17:30,small@B-2 large@B-2\n",
            "\u{FEFF}parcels;name;Promised;Reference\r\nsmall;\"Rossi; Mario \"\"M\"\"\";DAYT17:00;A1\r\n"
                + "small@B-2 large@B-2;x;DAY 17:30;\"A2\"",
            "reference , promised, parcels\n\n \"A1\" ,DAY 17:00, small \n\nA2,DAY 17:30,"
                + "\"small@B-2 large@B-2\"\n\n",
        ])
    func reads(_ text: String) throws {
        let text = text.replacing("DAY", with: tomorrow)
        let imported = try importing(text)
        #expect(imported.status == 0, "\(imported.errors)")
        let lines = imported.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"result\":\"added\"") })
        #expect(lines[0].contains("\"reference\":\"A1\"") && lines[0].contains("promised\""))
        #expect(lines[1].contains("\"state\":\"on-shelf\"") && lines[1].contains("T17:30:00"))
        let again = try importing(text)
        #expect(again.output.split(separator: "\n").count { $0.contains("unchanged") } == 2)
        #expect(!(try run("order list --codes").output.contains("Rossi")))
    }

    @Test("A file with one wrong line announces nothing, and the line is named")
    func wrong() throws {
        let good = "reference,promised,parcels\n1,\(tomorrow) 17:00,small\n"
        for (text, words) in [
            ("", "line 1: the first line must name the columns"),
            ("reference,promised\n", "line 1: there is no column \"parcels\""),
            (good + "2,\(tomorrow) 17:00\n", "line 3: there are 2 fields, and 3 columns"),
            (good + "Mario Rossi,\(tomorrow) 17:00,small\n", "line 3: a reference is 1 to 40"),
            (good + "2,tomorrow,small\n", "line 3: the promised time is"),
            (good + "2,\(tomorrow) 25:00,small\n", "line 3: the promised time is"),
            (good + "2,\(tomorrow) 17:00,huge\n", "line 3: parcels are 1 to 20 words"),
            (good + "2,\(tomorrow) 17:00,\n", "line 3: parcels are"),
            (good + "2,\(tomorrow) 17:00,small@\n", "line 3: parcels are"),
            (good + "2,\(tomorrow) 17:00,small@a/b\n", "line 3: parcels are"),
            (
                good + "2,\(tomorrow) 17:00," + String(repeating: "small ", count: 21),
                "line 3: parcels are"
            ),
            (good + "1,\(tomorrow) 18:00,small\n", "line 3: order 1 is in line 2 already"),
            (good + "\"2,\(tomorrow) 17:00,small\n", "line 3: a quotation mark is not closed"),
            (good + "\"2\"x,\(tomorrow) 17:00,small\n", "line 3: there is text after a quoted"),
            (good + "2,2020-01-01 10:00,small\n", "order 2 is promised for a time that is over"),
        ] {
            let refused = try importing(text)
            #expect(
                refused.status != 0 && refused.output.isEmpty && refused.errors.contains(words),
                "\(words)\n\(refused.errors)")
        }
        for place in [backend.directory.path, backend.directory.path + "/none.csv"] {
            #expect(try run("order import \(place)").errors.contains("cannot be read"))
        }
        try Data([0x72, 0xFF, 0x0A]).write(to: URL(filePath: backend.directory.path + "/bytes.csv"))
        let bytes = try run("order import \(backend.directory.path)/bytes.csv")
        #expect(bytes.errors.contains("is not text in UTF-8"))
        #expect(try run("order list").output.isEmpty)
        #expect(try run("shop change --desks 0").status == 0)
        #expect(try importing(good).errors.contains("has no desk"))
    }

    @Test("A shop's own system is let in by its key, listed and shut out")
    func sources() throws {
        let key = try SigningKey.generate().publicKey
        let added = try run("order-source add --name web-shop --key=\(key.text)")
        #expect(added.output.contains("\"role\":\"order-source\""), "\(added.errors)")
        for (kind, isListed) in [("order-source", true), ("machine", false), ("device", false)] {
            let list = try backend.command("\(kind) list").output
            #expect(list.contains(key.keyID) == isListed, "\(kind)")
        }
        let revoked = try backend.command("order-source revoke --order-source web-shop")
        #expect(revoked.output.contains("\"revoked\":true"), "\(revoked.errors)")
        let unknown = try backend.command("order-source revoke --order-source x")
        #expect(unknown.status == 1 && unknown.errors.contains("order-source list"))
    }
}
