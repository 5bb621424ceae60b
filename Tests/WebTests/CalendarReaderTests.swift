import Foundation
import TestSupport
import Testing

/// The reader of calendars runs in Chromium, and is compared with dateutil (PyPI), which shares no code with it.
@Suite("The reader of a customer's own calendar [rules: own-calendar]", .serialized)
struct CalendarReaderTests {
    private struct Expected: Decodable {
        let from: Int
        let until: Int
        let starts: [[Int]]
    }

    private typealias Drawn = (file: String, expected: Expected)

    /// Random events and what dateutil makes of them, drawn once for all runs in a process.
    private static let drawn = (1...3).map { seed in Task { try await draw(seed) } }

    private static func draw(_ seed: Int) async throws -> Drawn {
        let folder = try TemporaryFolder()
        let (calendar, occurrences) = (folder.file("random.ics"), folder.file("random.json"))
        try await Tool.succeed(
            Tool.repository.appending(path: ".build/schemathesis/bin/python").path,
            [
                Tool.repository.appending(path: "Tests/WebTests/recurring-events.py").path,
                "\(seed)", "150", calendar, occurrences,
            ])
        return (
            file: try String(contentsOfFile: calendar, encoding: .utf8),
            expected: try JSONDecoder().decode(
                Expected.self, from: Data(contentsOf: URL(filePath: occurrences)))
        )
    }

    private func compare(_ drawn: Drawn, in browser: Browser) async throws {
        let (file, expected) = drawn
        let found = try await browser.readCalendar(
            file, from: expected.from, until: expected.until)
        #expect(found.unread == 0 && found.broken == 0)
        var starts = [[Int]](repeating: [], count: expected.starts.count)
        for event in found.events where event.start >= expected.from {
            starts[try #require(Int(event.title))].append(event.start)
        }
        let events = file.components(separatedBy: "BEGIN:VEVENT").dropFirst()
        for (number, event) in events.enumerated() {
            #expect(starts[number] == expected.starts[number], "\(event)")
        }
    }

    @Test(
        "Rules drawn at random recur as dateutil says; on the days around a change of clocks events stay at their time, in each kind of time; rules that recur since 1970, or would count for ever, are answered at once"
    )
    func rules() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.open(shop.visitPage)
            for drawn in Self.drawn { try await compare(drawn.value, in: browser) }
            func event(_ title: String, _ lines: String) -> String {
                "BEGIN:VEVENT\nUID:\(title)\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT\n"
            }
            let file =
                "BEGIN:VCALENDAR\n"
                + event(
                    "Rome",
                    "DTSTART;TZID=Europe/Rome:20260105T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY")
                + event("UTC", "DTSTART:20260105T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY")
                + event("Shop", "DTSTART:20270328T110000\nDURATION:PT1H")
                + event(
                    "York",
                    "DTSTART;TZID=America/New_York:20270328T043000\nDTEND;TZID=Europe/Rome:20270328T113000"
                )
                // On that day there is no half past two in Rome.
                + event("Gap", "DTSTART;TZID=Europe/Rome:20270328T023000\nDURATION:PT30M")
                + event("Moved", "DTSTART;TZID=Europe/Rome:20270327T180000\nDURATION:PT1H")
                .replacing("UID:Moved", with: "UID:Rome\nRECURRENCE-ID:20270327T090000Z")
                + "END:VCALENDAR\n"
            let found = try await browser.readCalendar(
                file, from: Browser.moment("2027-03-27T00:00:00Z"),
                until: Browser.moment("2027-03-29T00:00:00Z"))
            let shown = found.events.map { "\($0.title) \($0.start)" }.sorted()
            let expected =
                try [
                    "Gap": "2027-03-28T01:30:00Z", "Moved": "2027-03-27T17:00:00Z",
                    "Rome": "2027-03-28T08:00:00Z", "Shop": "2027-03-28T09:00:00Z",
                    "UTC": "2027-03-27T10:00:00Z", "York": "2027-03-28T08:30:00Z",
                ].map { "\($0) \(try Browser.moment($1))" }
                + ["UTC \(Browser.moment("2027-03-28T10:00:00Z"))"]
            #expect(shown == expected.sorted())
            let york = try #require(found.events.first { $0.title == "York" })
            #expect(york.end - york.start == 3_600_000)
            try await endless(browser)
        }
    }

    @Test("The engine of iPhones reads a calendar too, and greys the slots that do not fit")
    func iPhones() async throws {
        try await PageShop.remote(capacity: 20, shop: ["--phone-visits", "yes"]) { shop in
            try await Browser.phone(.webKit) { browser in
                try await browser.openCheck(of: shop)
                try await browser.give(
                    browser.calendar(["DTSTART:DAYT100000\nDURATION:PT1H\nSUMMARY:Dentist"]))
                #expect(
                    try await browser.greyTimes()
                        == ["09:45", "10:00", "10:15", "10:30", "10:45", "11:00", "11:15"])
            }
        }
    }

    private func endless(_ browser: Browser) async throws {
        let rules = [
            "FREQ=DAILY", "FREQ=DAILY;COUNT=999999999",
            "FREQ=WEEKLY;COUNT=999999999;BYDAY=MO,TU",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;COUNT=5", "FREQ=YEARLY;INTERVAL=999999999",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=5", "FREQ=SECONDLY",
            "FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYHOUR=9,10;COUNT=999999999",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;BYSETPOS=-1;COUNT=5",
        ]
        let events = rules.enumerated().map { number, rule in
            "BEGIN:VEVENT\nSUMMARY:\(number)\nDTSTART:19700101T090000Z\nDURATION:PT30M\nRRULE:\(rule)\nEND:VEVENT\n"
        }
        let found = try await browser.readCalendar(
            "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n",
            from: Browser.moment("2027-03-01T00:00:00Z"),
            until: Browser.moment("2027-04-01T00:00:00Z"))
        let counts = (0..<rules.count).map { number in
            found.events.filter { $0.title == "\(number)" }.count
        }
        #expect(counts == [31, 31, 10, 0, 0, 0, 0, 31, 0, 0])
        #expect(found.unread == 2)
    }

    @Test(
        "Ten megabytes of events are read fast, while the page answers; more are refused"
    )
    func large() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.openCheck(of: shop)
            // Twenty years of four events a day, as large calendars have them, and a word for each.
            try await browser.run(
                """
                const begin = performance.now();
                const lines = ["BEGIN:VCALENDAR"];
                let size = 0;
                const first = Date.parse(window.shop.now.slice(0, 10)) - 20 * 365 * 86400000;
                for (let number = 0; size < 10 * 1024 * 1024 - 2000; number += 1) {
                  const day = new Date(first + Math.floor(number / 4) * 86400000).toISOString().slice(0, 10).replace(/-/g, "");
                  const event = ["BEGIN:VEVENT", `UID:${number}@large`, "SUMMARY:Dentist",
                    `DTSTART;TZID=Europe/Rome:${day}T1${number % 4}0000`, "DURATION:PT30M",
                    ...(number % 20 ? [] : ["RRULE:FREQ=WEEKLY;BYDAY=MO,TH"]), `DESCRIPTION:${"long ".repeat(30)}`,
                    "END:VEVENT"].join("\\r\\n");
                  size += event.length + 2;
                  lines.push(event);
                }
                lines.push("END:VCALENDAR");
                window.made = performance.now() - begin;
                const file = new File([lines.join("\\r\\n")], "large.ics");
                window.size = file.size;
                window.looks = 0;
                // The reader's time is up after half a minute, which a busy computer may need.
                const later = window.setTimeout;
                window.setTimeout = (act, time, ...rest) => later(act, time === 30000 ? 20 * time : time, ...rest);
                const start = performance.now();
                let last = start;
                const status = document.querySelector("#calendarCheck [role=status]");
                \(Browser.giving("file"))
                while (/Reading|^$/.test(status.innerText) && last - start < 600000) {
                  await new Promise((done) => setTimeout(done, 5));
                  window.looks += 1;
                  last = performance.now();
                }
                window.took = last - start;
                """)
            let size = try #require(Int(try await browser.value("window.size")))
            #expect(size > 10_000_000 && size <= 10 * 1_024 * 1_024)
            let took = try #require(Double(try await browser.value("window.took")))
            let made = try #require(Double(try await browser.value("window.made")))
            let looks = try #require(Int(try await browser.value("window.looks")))
            // Without a neighbour the file is made in a tenth of a second, and five seconds are fifty times that.
            #expect(took < 50 * made, "\(took) ms, \(made) ms")
            #expect(looks > 20, "the page answered \(looks) times in \(took) ms")
            #expect(try await browser.outcome().hasPrefix("Your calendar has "))
            #expect(try await !browser.greyTimes().isEmpty)
            try await browser.run(
                Browser.giving(
                    "new File(['BEGIN:VCALENDAR', ' '.repeat(10 * 1024 * 1024)], 'larger.ics')"))
            #expect(
                try await browser.outcome()
                    == "This file is too large. A calendar file can be at most 10 MB.")
        }
    }
}
