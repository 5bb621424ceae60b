import TestSupport
import Testing

@Suite(
    "A customer's own calendar on the page for booking a visit [rules: own-calendar]", .serialized)
struct CalendarCheckTests {
    private static let dentist = "DTSTART:DAYT100000\nDURATION:PT1H\nSUMMARY:Dentist"

    /// A shop with visits on phones, where customers usually stay ten minutes, and the slots of tomorrow.
    private static func with(body: (PageShop, Browser) async throws -> Void) async throws {
        try await PageShop.visits { shop, browser in
            try await browser.openCheck(of: shop)
            try await body(shop, browser)
        }
    }

    /// The quarters of an hour from one to another one.
    private static func quarters(_ first: Int, _ last: Int) -> [String] {
        stride(from: first, through: last, by: 15).map { minutes in
            let rest = minutes % 60
            return "\(minutes < 600 ? "0" : "")\(minutes / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
    }

    @Test(
        "Slots that overlap an event, the way included, are grey with the reason, and can be taken")
    func collides() async throws {
        try await Self.with { shop, browser in
            let said = try await browser.give(browser.calendar([Self.dentist]))
            #expect(
                said
                    == "Your calendar has 1 entry in the coming weeks. Times that do not fit are grey."
            )
            // Ten minutes of the visit, and twenty of the way: from 9:30 on it would not end before the event.
            #expect(try await browser.greyTimes() == Self.quarters(9 * 60 + 45, 11 * 60 + 15))
            try await browser.choose("way", 60)
            #expect(try await browser.greyTimes() == Self.quarters(9 * 60, 11 * 60 + 45))
            try await browser.choose("way", 10)
            #expect(try await browser.greyTimes() == Self.quarters(9 * 60 + 45, 11 * 60))
            try await browser.choose("stay", 60)
            let grey = Self.quarters(9 * 60, 11 * 60)
            await expectSoon { try await browser.greyTimes() == grey }

            let heard = try await browser.value(
                """
                [...document.querySelectorAll("#slots button")]
                    .find((one) => one.firstChild.textContent === "10:00").getAttribute("aria-label")
                """)
            #expect(heard == "10:00: many places left. Dentist, 10:00 to 11:00")
            try await browser.touchSlot("11:00")
            #expect(
                try await browser.pickerAlert()
                    == "11:00 does not fit your day. Dentist, 10:00 to 11:00. There is not enough time to get there or back."
            )
            try await browser.touchSlot("10:15")
            #expect(
                try await browser.pickerAlert()
                    == "10:15 does not fit your day. Dentist, 10:00 to 11:00.")
            try await browser.pressPicker("Choose 10:15 anyway")
            try await browser.expectOffer("at 10:15")
            // The calendar is there still, on this day and on another one.
            try await browser.press("#decline", opens: "#slots .slots button")
            #expect(try await browser.greyTimes() == grey)
            #expect(try await browser.pickerAlert().isEmpty)
            try await browser.pressAnotherDay()
            try await browser.openDay(2)
            #expect(try await browser.greyTimes().isEmpty)
            try await browser.pressAnotherDay()
            try await browser.openDay(1)
            #expect(try await browser.greyTimes() == grey)
            try await browser.touchSlot("08:00")
            try await browser.expectOffer("at 08:00")
        }
    }

    @Test(
        "Events of whole days, cancelled and free ones, and one that recurs for ever, are what they say; what cannot be read is said, and nothing is guessed; titles are shown as text, cut, and without what turns the direction of writing; lunch is kept free where it is asked for; the part is for everybody"
    )
    func kinds() async throws {
        try await Self.with { _, browser in
            func give(_ events: String...) async throws -> String {
                try await browser.give(browser.calendar(events))
            }
            let wholeDay = "DTSTART;VALUE=DATE:DAY\nSUMMARY:Anna’s birthday"
            try await browser.expectAccess("check-closed")
            let said = try await give(
                Self.dentist + "\nthis is no line",
                "DTSTART:DAYT120000\nRRULE:FREQ=YEARLY;BYWEEKNO=20\nSUMMARY:Twentieth week",
                "DTSTART:soon\nSUMMARY:Soon", wholeDay,
                "DTSTART;TZID=Nowhere/Town:DAYT150000\nDURATION:PT30M\nSUMMARY:Far")
            for words in [
                "2 entries could not be read, and are not compared.",
                "Damaged lines skipped: 1.",
                "For some entries the time zone is not known. They are read in the shop’s time.",
            ] { #expect(said.contains(words), "\(said)") }
            let afternoon = Self.quarters(14 * 60 + 45, 15 * 60 + 45)
            #expect(
                try await browser.greyTimes()
                    == Self.quarters(9 * 60 + 45, 11 * 60 + 15) + afternoon)
            try await browser.touchSlot("10:00")
            try await browser.expectAccess("check")
            try await browser.darken()
            try await browser.expectAccess("check-dark")
            #expect(
                try await browser.give("%PDF-1.7 This is no calendar")
                    == "This is not a calendar file. The name of a calendar file ends with .ics.")
            // The former calendar does not stay behind what is said now.
            #expect(try await browser.greyTimes().isEmpty)

            let days = try await give(
                wholeDay, "DTSTART:DAYT080000\nDURATION:PT1H\nSTATUS:CANCELLED\nSUMMARY:Cancelled",
                "DTSTART:DAYT080000\nDURATION:PT1H\nTRANSP:TRANSPARENT\nSUMMARY:Free",
                "DTSTART:19700101T150000\nDURATION:PT30M\nRRULE:FREQ=DAILY\nSUMMARY:Bus")
            #expect(days.contains("All-day entries make no times grey unless"), "\(days)")
            #expect(try await browser.greyTimes() == afternoon)
            #expect(try await browser.text("#picker").contains("Anna’s birthday, all day"))
            _ = try await give("DTSTART;VALUE=DATE:DAY\nTRANSP:OPAQUE\nSUMMARY:At sea")
            #expect(try await browser.greyTimes().count == 96)
            try await browser.touchSlot("10:00")
            #expect(
                try await browser.pickerAlert() == "10:00 does not fit your day. At sea, all day.")

            let hostile =
                #"<img src=x onerror=window.hurt=1>\u{202E}"#
                + String(repeating: "long ", count: 40)
            _ = try await give("DTSTART:DAYT100000\nDURATION:PT1H\nSUMMARY:\(hostile)")
            try await browser.touchSlot("10:00")
            let title = try await browser.pickerAlert()
            #expect(title.contains("<img src=x") && title.count < 140, "\(title)")
            let harm = """
                [window.hurt, document.querySelectorAll("#picker img").length,
                  document.documentElement.scrollWidth > innerWidth].join()
                """
            #expect(try await browser.value(harm) == ",0,false")

            _ = try await give("DTSTART:DAYT120000\nDURATION:PT1H\nSUMMARY:Talk")
            #expect(try await browser.greyTimes() == Self.quarters(11 * 60 + 45, 13 * 60 + 15))
            try await browser.press("#calendarCheck input[type=checkbox]")
            // From 13:30 on a visit with its way ends at 14:00 or later, and begins before 13:30 up to 13:45.
            #expect(try await browser.greyTimes() == Self.quarters(11 * 60 + 45, 13 * 60 + 45))
            try await browser.touchSlot("13:30")
            #expect(
                try await browser.pickerAlert()
                    == "13:30 does not fit your day. There would not be half an hour left for lunch."
            )
            // A day without lunch is not the visit's fault.
            _ = try await give("DTSTART:DAYT120000\nDURATION:PT105M\nSUMMARY:Talk")
            #expect(try await browser.greyTimes() == Self.quarters(11 * 60 + 45, 14 * 60))
        }
    }

    @Test(
        "Nothing of the calendar is sent or kept, its reader can send nothing, and it is forgotten on a touch; the event of the visit that is moved is no obstacle, and another one at that time is"
    )
    func staysHere() async throws {
        try await Self.with { shop, browser in
            try await browser.run(
                """
                window.bodies = [];
                const real = window.fetch;
                window.fetch = (address, options) => {
                  window.bodies.push(String(address) + String(options && options.body));
                  return real(address, options);
                };
                """)
            try await browser.give(browser.calendar([Self.dentist]))
            let names = try await browser.value(
                "performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname).join(' ')"
            )
            let known = Set([
                "/visit.js", "/calendar-check.js", "/calendar-reader.js", "/v1/public/slots",
            ])
            #expect(
                Set(names.split(separator: " ").map(String.init)).isSubset(of: known), "\(names)")
            try await browser.touchSlot("10:00")
            try await browser.pressPicker("Choose 10:00 anyway")
            await browser.expect("#decline")
            let sent = try await browser.value("window.bodies.join(' ')")
            #expect(sent.contains("/holds") && !sent.contains("Dentist"), "\(sent)")
            let kept = try await browser.value(
                "JSON.stringify([localStorage, sessionStorage, history.state, document.cookie])")
            #expect(!kept.contains("Dentist"), "\(kept)")
            try await browser.run(
                """
                const answer = await fetch("/calendar-reader.js");
                window.policy = answer.headers.get("content-security-policy");
                """)
            #expect(try await browser.value("window.policy") == "default-src 'none'")

            try await browser.press("#decline", opens: "#slots .slots button")
            #expect(try await !browser.greyTimes().isEmpty)
            try await browser.press("#calendarCheck > button:last-child")
            #expect(
                try await browser.text("#calendarCheck [role=status]")
                    == "This page has forgotten your calendar.")
            #expect(try await browser.greyTimes().isEmpty)
            #expect(try await !browser.shows("#way"))
            // A page that is opened again knows nothing of it either.
            try await browser.reload(opens: "#slots .slots button")
            #expect(try await browser.greyTimes().isEmpty)
            try await browser.openCheck()
            #expect(try await browser.text("#calendarCheck [role=status]").isEmpty)

            try await browser.pressAnotherDay()
            try await browser.book("10:00", on: 1, of: shop)
            let id = try await browser.place().reservation.id
            try await browser.openMove()
            try await browser.openDay(1)
            try await browser.openCheck()
            let other = try await browser.calendar([Self.dentist])
            let own = other.replacing("0@calendar", with: "\(id)@example.com")
            #expect(try await browser.give(own) == "No entries were found in the coming weeks.")
            #expect(try await browser.greyTimes().isEmpty)
            try await browser.give(other)
            // The slot that the visit has is not grey: it is marked as its own.
            let grey = Self.quarters(9 * 60 + 45, 11 * 60 + 15).filter { $0 != "10:00" }
            #expect(try await browser.greyTimes() == grey)
        }
    }
}
