import Foundation
import TestSupport
import Testing

/// Files as calendars of several makers write them, beside what the RFC asks for.
@Suite(
    "Files of a customer's own calendar as programs write them [rules: own-calendar]", .serialized)
struct CalendarFileTests {
    /// What is found on 30 November 2026 and in the eight days after it: `dd HH:mm-HH:mm title`, in UTC, with `free` and
    /// `day` where the event is so.
    private static func read(_ file: Data, _ browser: Browser) async throws -> (
        CalendarContents, [String]
    ) {
        let found = try await browser.readCalendar(
            file, from: Browser.moment("2026-11-29T23:00:00Z"),
            until: Browser.moment("2026-12-08T23:00:00Z"))
        func shown(_ moment: Int) -> String {
            ISO8601DateFormatter().string(
                from: Date(timeIntervalSince1970: Double(moment) / 1_000))
        }
        let lines = found.events.map { event in
            let (start, end) = (shown(event.start), shown(event.end))
            let day = start.dropFirst(8).prefix(2)
            let times = "\(start.dropFirst(11).prefix(5))-\(end.dropFirst(11).prefix(5))"
            let kind = "\(event.isWholeDay ? " day" : "")\(event.isBusy ? "" : " free")"
            return "\(day) \(times) \(event.title)\(kind)"
        }
        return (found, lines)
    }

    private static func calendar(_ parts: String...) -> String {
        "BEGIN:VCALENDAR\nVERSION:2.0\n" + parts.joined() + "END:VCALENDAR\n"
    }

    private static func event(_ title: String, _ lines: String) -> String {
        "BEGIN:VEVENT\nUID:\(title)@calendar\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT\n"
    }

    /// A zone with summer time, as Outlook describes it.
    private static func zone(_ name: String, standard: String, summer: String) -> String {
        """
        BEGIN:VTIMEZONE
        TZID:\(name)
        BEGIN:STANDARD
        DTSTART:16011028T030000
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
        TZOFFSETFROM:\(summer)
        TZOFFSETTO:\(standard)
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010325T020000
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
        TZOFFSETFROM:\(standard)
        TZOFFSETTO:\(summer)
        END:DAYLIGHT
        END:VTIMEZONE

        """
    }

    private func expect(
        _ file: String, _ expected: [String], unread: Int = 0, unknownZone: Bool = false,
        in browser: Browser
    ) async throws {
        let (found, lines) = try await Self.read(Data(file.utf8), browser)
        #expect(lines == expected, "\(file)")
        #expect(found.unread == unread && found.broken == 0 && found.problem == nil, "\(file)")
        #expect(found.hasUnknownZone == unknownZone, "\(file)")
    }

    @Test(
        "Time zones by their names in Windows, and as the file describes them, are right to the hour, on the days around a change of clocks too; what is not known is said"
    )
    func zones() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.open(shop.visitPage)
            func at(_ zone: String) -> String {
                "DTSTART;TZID=\(zone):20261130T100000\nDURATION:PT1H"
            }
            // Without a description, and with one, whose name is written in the ways of RFC 5545 3.2 and 3.3.11.
            let london = Self.event("London", at("\"GMT Standard Time\""))
            let berlin = Self.event("Berlin", at("W. Europe Standard Time 1"))
            let own = "(UTC-03:00) Brasilia, Recife"
            let there = Self.event("Recife", at("\"\(own)\""))
            // EST is a zone without summer time, and of this file one of its own.
            let est = Self.zone("EST", standard: "+0300", summer: "+0400")
            try await expect(
                Self.calendar(
                    Self.zone(
                        own.replacing(",", with: "\\,"), standard: "-0300", summer: "-0200"),
                    est, london, berlin, there, Self.event("East", at("EST"))),
                [
                    "30 07:00-08:00 East", "30 09:00-10:00 Berlin", "30 10:00-11:00 London",
                    "30 13:00-14:00 Recife",
                ], in: browser)
            // Its last rule ended; a part of it cannot be understood.
            let fixed = """
                BEGIN:VTIMEZONE\nTZID:Fixed\nBEGIN:DAYLIGHT\nDTSTART:19800406T020000\nTZOFFSETFROM:+0100
                TZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4;UNTIL=19900401T010000Z\nEND:DAYLIGHT
                BEGIN:STANDARD\nDTSTART:19901005T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0530
                RDATE:19920101T000000\nEND:STANDARD\nEND:VTIMEZONE

                """
            try await expect(
                Self.calendar(fixed, Self.event("Fixed", at("Fixed"))), ["30 04:30-05:30 Fixed"],
                in: browser)
            try await expect(
                Self.calendar(
                    fixed.replacing("+0530", with: "soon"), Self.event("Fixed", at("Fixed"))),
                ["30 09:00-10:00 Fixed"], unknownZone: true, in: browser)
            try await changes(browser)
        }
    }

    /// The described zone of Rome is the browser's, at each half hour of days on which the clocks change and do not.
    private func changes(_ browser: Browser) async throws {
        let days = ["20260329", "20261025", "20270115", "20270328", "20270715", "20271031"]
        func events(in zone: String) -> String {
            let parts = days.flatMap { day in
                (0..<48).map { half in
                    let minutes = half % 2 == 0 ? "00" : "30"
                    let hour = half / 2 < 10 ? "0\(half / 2)" : "\(half / 2)"
                    return Self.event(
                        "\(day) \(half)",
                        "DTSTART;TZID=\(zone):\(day)T\(hour)\(minutes)00\nDURATION:PT20M")
                }
            }
            return Self.calendar(
                Self.zone("Our clock", standard: "+0100", summer: "+0200"), parts.joined())
        }
        var starts: [[Int]] = []
        for zone in ["Our clock", "Europe/Rome"] {
            let found = try await browser.readCalendar(
                events(in: zone), from: 0, until: Browser.moment("2028-01-01T00:00:00Z"))
            #expect(!found.hasUnknownZone)
            starts.append(found.events.map(\.start))
        }
        #expect(starts[0].count == 48 * days.count && starts[0] == starts[1])
    }

    @Test(
        "Outlook's status, whole days written as midnights, declined invitations and busy times without events are what they say; rules with BYSETPOS and with times of the clock recur so"
    )
    func events() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.open(shop.visitPage)
            let midnights =
                "DTSTART;TZID=Europe/Rome:20261130T000000\nDTEND;TZID=Europe/Rome:20261201T000000\n"
            let hour = "DTSTART:20261130T160000Z\nDTEND:20261130T170000Z\n"
            func status(_ name: String) -> String { "X-MICROSOFT-CDO-BUSYSTATUS:\(name)" }
            let invited = "ATTENDEE;CN=Other;PARTSTAT=ACCEPTED:mailto:other@example.invalid"
            let declined = "ATTENDEE;PARTSTAT=DECLINED;CN=Me:MAILTO:Me@example.invalid"
            try await expect(
                Self.calendar(
                    "X-WR-CALNAME:me@example.invalid\n",
                    Self.event("Away", "DTSTART;VALUE=DATE:20261130\n" + status("OOF")),
                    Self.event(
                        "Birthday",
                        midnights + "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\n" + status("FREE")),
                    Self.event("Night", midnights + status("BUSY") + "\nTRANSP:TRANSPARENT"),
                    Self.event("Free", hour + status("FREE") + "\nTRANSP:OPAQUE"),
                    Self.event("Perhaps", hour + "STATUS:TENTATIVE\n" + status("TENTATIVE")),
                    Self.event("Declined", hour + "\(invited)\n\(declined)"),
                    Self.event(
                        "Other",
                        hour + invited.replacing("ACCEPTED", with: "DECLINED") + "\n"
                            + declined.replacing("DECLINED", with: "ACCEPTED"))),
                [
                    "29 23:00-23:00 Away day", "29 23:00-23:00 Birthday day free",
                    "29 23:00-23:00 Night", "30 16:00-17:00 Perhaps", "30 16:00-17:00 Other",
                ], in: browser)
            // It is not known who the customer is: who invites to an event is not one who declines it.
            try await expect(
                Self.calendar(
                    Self.event("None", hour + declined),
                    Self.event("Some", hour + "\(invited)\n\(declined)"),
                    Self.event(
                        "Mine",
                        hour + "ORGANIZER:mailto:other@example.invalid\n\(invited)\n\(declined)"),
                    "BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=FREE:20261130T100000Z/PT1H\n"
                        + "FREEBUSY:20261130T110000Z/PT1H,20261130T130000Z/20261130T133000Z\nEND:VFREEBUSY\n"
                ),
                ["30 11:00-12:00 ", "30 13:00-13:30 ", "30 16:00-17:00 Some"], in: browser)
            let evening = "DTSTART;TZID=Europe/Rome:20260105T180000\nDURATION:PT1H\nRRULE:"
            try await expect(
                Self.calendar(
                    Self.event("First", evening + "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1"),
                    Self.event(
                        "Last", evening + "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
                    Self.event("Twice", evening + "FREQ=WEEKLY;BYDAY=TU;BYHOUR=8,18;BYMINUTE=0"),
                    // These are against the RFC, and may mean one thing or another.
                    Self.event("Place", evening + "FREQ=WEEKLY;BYDAY=1MO"),
                    Self.event("Ends", evening + "FREQ=WEEKLY;COUNT=520;UNTIL=20361231T000000Z"),
                    Self.event("Never", evening + "FREQ=DAILY;INTERVAL=0")),
                [
                    "30 17:00-18:00 Last", "01 07:00-08:00 Twice", "01 17:00-18:00 Twice",
                    "07 17:00-18:00 First", "08 07:00-08:00 Twice", "08 17:00-18:00 Twice",
                ], unread: 3, in: browser)
        }
    }

    @Test(
        "A calendar in UTF-16 or in the letters of old Windows programs, with lines of old Macintoshes, or in a mail, is read; a mail without one is no calendar"
    )
    func encodings() async throws {
        try await PageShop.visits { shop, browser in
            try await browser.open(shop.visitPage)
            let text = Self.calendar(
                Self.event("Caffè", "DTSTART:20261130T160000Z\nDURATION:PT1H"))
            let lines = Data(text.utf8).base64EncodedString(options: .lineLength76Characters)
            let part = "Content-Type: text/calendar; charset=utf-8\n"
            func mail(_ encoding: String, _ body: String) -> String {
                "From: other@example.invalid\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
                    + "Content-Transfer-Encoding: \(encoding)\n" + part + "\n\(body)\n\n--b--\n"
            }
            let quoted = text.replacing("=", with: "=3D").replacing("è", with: "=C3=\n=A8")
            let files = try [
                #require(text.data(using: .utf16LittleEndian)),
                #require(text.data(using: .utf16BigEndian)),
                Data([0xFF, 0xFE]) + #require(text.data(using: .utf16LittleEndian)),
                #require(text.data(using: .windowsCP1252)),
                Data(text.replacing("\n", with: "\r").utf8),
                Data((part + "\n" + text).utf8), Data(mail("8bit", text).utf8),
                Data(mail("base64", lines).utf8), Data(mail("quoted-printable", quoted).utf8),
                Data(mail("base64", lines).replacing("\n", with: "\r\n").utf8),
            ]
            for file in files {
                let (found, lines) = try await Self.read(file, browser)
                #expect(lines == ["30 16:00-17:00 Caffè"], "\(file as NSData)")
                #expect(found.unread == 0 && found.broken == 0)
            }
            for other in [mail("base64", "*"), mail("8bit", "Hello"), part, "BEGIN: VCALENDAR"] {
                let (found, _) = try await Self.read(Data(other.utf8), browser)
                #expect(found.problem == "notCalendar" || found.problem == "unreadable", "\(other)")
            }
        }
    }
}
