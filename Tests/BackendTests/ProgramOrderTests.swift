import Cryptography
import Foundation
import Reservations
import Testing

@Suite(
    "Orders as the program clup-backend announces, lists and cancels them (rules: announced-orders)"
)
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

    private func importing(
        _ text: String, as encoding: String.Encoding = .utf8, _ options: String = ""
    ) throws -> BackendCommand.Ended {
        let file = backend.directory.path + "/orders.csv"
        try #require(text.data(using: encoding)).write(to: URL(filePath: file))
        return try run("order import \(file) \(options)")
    }

    @Test("An order is added with its codes, listed without them, and cancelled")
    func adds() throws {
        let added = try run(
            "order add --reference #4711", "--promised", "\(tomorrow) 17:00", "--parcels",
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
        let cancelled = try run("order cancel --reference #4711")
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

    /// Files as tables, web shops and databases write them: each has the order A1 of tomorrow at 17:00, a small parcel, and A2
    /// at 17:30, two parcels on the shelf B-2.
    static let files: [(form: String, text: String, encoding: String.Encoding)] = [
        (
            "commas",
            "reference,promised,parcels\nA1,DAY 17:00,small\nA2,DAY 17:30,small@B-2 large@B-2\n",
            .utf8
        ),
        (
            "semicolons, quotes, another order of columns, CR LF",
            "\u{FEFF}parcels;name;Promised;Reference\r\nsmall;\"Rossi; Mario \"\"M\"\"\";DAYT17:00;A1\r\n"
                + "small@B-2 large@B-2;x;DAY 17:30;\"A2\"", .utf8
        ),
        (
            "blanks, empty lines",
            "\n\nreference , promised, parcels\n\n \"A1\" ,DAY 17:00, small \n\nA2,DAY 17:30,"
                + "\"small@B-2, large@B-2\"\n\n", .utf8
        ),
        (
            "Excel's hint, empty rows, separators at the ends",
            "sep=;\r\nreference;promised;parcels\r\nA1;DAY 17:00;small;\r\n;;\r\n"
                + "A2;DAY 17:30;small@B-2 large@B-2;;\r\n;;;\r\n", .utf8
        ),
        (
            "the other separator in the head and in a column that is not read",
            "reference;promised;parcels;Totale (EUR, IVA inclusa)\nA1;DAY 17:00;small;12,50\n"
                + "A2;DAY 17:30;small@B-2 large@B-2;1,00\n", .utf8
        ),
        (
            "tabs, CR",
            "reference\tpromised\tparcels\rA1\tDAY 17:00\tsmall\rA2\tDAY 17:30\tsmall@B-2 large@B-2\r",
            .utf8
        ),
        (
            "bars, number signs, capitals, no-break spaces and characters that are not seen",
            "Reference|Promised|Parcels\n#A1|DAY\u{A0}17:00|\u{200B}Small\n#A2|DAY\u{202F}17:30|SMALL@B-2\u{A0}Large@B-2\n",
            .utf8
        ),
        (
            "a row for each item",
            "reference,promised,parcels,item\nA1,DAY 17:00,small,pane\nA1,,,latte\n,,,uova\n"
                + "A2,DAY 17:30,small@B-2 large@B-2,pane\nA2,DAY 17:30,small@B-2 large@B-2,latte\n",
            .utf8
        ),
        (
            "Windows-1252",
            "reference;promised;parcels;nota\nA1;DAY 17:00;small;perch\u{E9} \u{E0} 5\nA2;DAY 17:30;small@B-2 large@B-2;\n",
            .isoLatin1
        ),
        (
            "UTF-16",
            "\u{FEFF}reference\tpromised\tparcels\r\nA1\tDAY 17:00\tsmall\r\nA2\tDAY 17:30\tsmall@B-2 large@B-2\r\n",
            .utf16LittleEndian
        ),
        (
            "UTF-16, the higher byte first",
            "\u{FEFF}reference,promised,parcels\nA1,DAY 17:00,small\nA2,DAY 17:30,small@B-2 large@B-2",
            .utf16BigEndian
        ),
    ]

    @Test("A file is read as tables, web shops and databases write it", arguments: files)
    func reads(form: String, text: String, encoding: String.Encoding) throws {
        let text = text.replacing("DAY", with: tomorrow)
        let tried = try importing(text, as: encoding, "--dry-run")
        #expect(tried.status == 0 && tried.output.split(separator: "\n").count == 2)
        #expect(tried.output.contains("\"reference\":\"A1\"") && !tried.output.contains("CLUP:"))
        #expect(try run("order list").output.isEmpty, "nothing is announced yet")
        let imported = try importing(text, as: encoding)
        #expect(imported.status == 0, "\(imported.errors)")
        let lines = imported.output.split(separator: "\n")
        try #require(lines.count == 2, "\(imported.output)")
        #expect(lines.allSatisfy { $0.contains("\"result\":\"added\"") })
        #expect(lines[0].contains("\"reference\":\"A1\"") && lines[0].contains("T17:00:00"))
        #expect(lines[0].contains("\"parcels\":[\"small\"]"))
        #expect(lines[1].contains("\"state\":\"on-shelf\"") && lines[1].contains("T17:30:00"))
        let again = try importing(text, as: encoding)
        #expect(again.output.split(separator: "\n").count { $0.contains("unchanged") } == 2)
        #expect(!(try run("order list --codes").output.contains("Rossi")))
    }

    @Test(
        "A wrong line is refused by itself, with its number, its value and the form that is wanted")
    func wrong() throws {
        let head = "reference,promised,parcels\n"
        let last = "9,\(tomorrow) 17:00,small\n"
        let sentences = [
            ("2,\(tomorrow) 17:00", "there are 2 fields, and 3 columns"),
            ("2,\(tomorrow) 17:00,small,x", "there are 4 fields, and 3 columns"),
            ("Mario Rossi,\(tomorrow) 17:00,small", "reference is \"Mario Rossi\"; a reference is"),
            ("R/2026/17,\(tomorrow) 17:00,small", "reference is \"R/2026/17\"; a reference is"),
            ("2,tomorrow,small", "promised is \"tomorrow\"; the promised time is"),
            ("2,\(tomorrow) 25:00,small", "; the promised time is"),
            ("2,05/06/2027 10:00,small", "promised is \"05/06/2027 10:00\"; the promised time is"),
            ("2,2020-01-01 10:00,small", "promised is \"2020-01-01 10:00\"; that is a time"),
            ("2,\(tomorrow) 17:00,huge", "parcels is \"huge\"; parcels are 1 to 20 words"),
            ("2,\(tomorrow) 17:00,", "parcels is \"\"; parcels are"),
            ("2,\(tomorrow) 17:00,small@", "parcels is \"small@\"; parcels are"),
            ("2,\(tomorrow) 17:00,small@a/b", "parcels is \"small@a/b\"; parcels are"),
            (
                "2,\(tomorrow) 17:00," + String(repeating: "small ", count: 21),
                "small small \"; parcels are"
            ),
            ("1,\(tomorrow) 18:00,small", "order 1 is in line 2 already"),
            ("\"2\"x,\(tomorrow) 17:00,small", "there is text after a quoted field"),
        ]
        let text =
            head + last.replacing("9,", with: "1,")
            + sentences.map { $0.0 + "\n" }.joined() + last
        for options in ["--dry-run", ""] {
            let imported = try importing(text, options)
            let announced = imported.output.split(separator: "\n").map(String.init)
            #expect(imported.status == 78 && announced.count == 2, "\(imported.output)")
            #expect(announced.last?.contains("\"reference\":\"9\"") == true)
            let errors = imported.errors.split(separator: "\n")
            for (number, (line, sentence)) in zip(3..., sentences) {
                let isSaid = errors.contains {
                    $0.contains(", line \(number): ") && $0.contains(sentence)
                }
                #expect(isSaid, "\(line): \(sentence)\n\(imported.errors)")
            }
            let end = options.isEmpty ? "2 orders were announced" : "2 orders would be announced"
            #expect(errors.last?.hasSuffix(end) == true, "\(imported.errors)")
            #expect(try run("order list").output.isEmpty == !options.isEmpty)
        }
        let many = head + String(repeating: "x y,\(tomorrow) 17:00,small\n", count: 25)
        let errors = try importing(many).errors
        #expect(errors.contains("5 more lines were refused; 0 orders were announced"), "\(errors)")
    }

    @Test("A file in which no line can be read is refused whole")
    func unread() throws {
        let good = "reference,promised,parcels\n1,\(tomorrow) 17:00,small\n"
        for (text, words) in [
            ("", "line 1: the first line must name the columns"),
            ("reference;promised\n", "line 1: there is no column \"parcels\"; the columns are"),
            ("reference,parcels,promised,Parcels\n", "line 1: two columns are named \"parcels\""),
            (good + "\"2,\(tomorrow) 17:00,small\n", "line 3: a quotation mark is not closed"),
            ("PK\u{3}\u{4}\0\0", "is not text; save a table as comma-separated values (CSV)"),
        ] {
            let refused = try importing(text)
            #expect(
                refused.status == 78 && refused.output.isEmpty && refused.errors.contains(words),
                "\(words)\n\(refused.errors)")
        }
        for place in [backend.directory.path, backend.directory.path + "/none.csv"] {
            #expect(try run("order import \(place)").errors.contains("cannot be read"))
        }
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
