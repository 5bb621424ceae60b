import BackendService
import Reservations
import Testing

@Suite("The shop's calendar")
struct ShopCalendarTests {
    private func shop(_ hours: String, _ zone: String = "Europe/Rome") throws -> Shop {
        Shop(
            id: ShopID("s"), tag: ShopTag(rawValue: "ROM1")!, name: "S", timeZone: zone,
            hours: try OpeningHours(week: hours),
            policy: ShopPolicy(capacity: 1, usualStayMinutes: 1), languages: ["it"])
    }

    private func openings(
        _ shop: Shop, from text: String, _ calendar: ShopCalendar = ShopCalendar()
    ) throws -> [String] {
        let now = try #require(LocalMoment(text)).moment
        return calendar.openings(of: shop, from: now).map { "\($0.opens) \($0.closes)" }
    }

    @Test(
        "When the clock is changed hours keep their local time, and each time has one moment",
        arguments: [
            ("Sat-Sun 09:00-13:00", "2026-03-28", "03-28T09:00+01:00 03-28T13:00+01:00"),
            ("Sat-Sun 09:00-13:00", "2026-03-29", "03-29T09:00+02:00 03-29T13:00+02:00"),
            ("Sat-Sun 09:00-13:00", "2026-10-24", "10-24T09:00+02:00 10-24T13:00+02:00"),
            ("Sat-Sun 09:00-13:00", "2026-10-25", "10-25T09:00+01:00 10-25T13:00+01:00"),
            // A day of 23 and one of 25 hours.
            ("Mon-Sun 00:00-24:00", "2026-03-29", "03-29T00:00+01:00 03-30T00:00+02:00"),
            ("Mon-Sun 00:00-24:00", "2026-10-25", "10-25T00:00+02:00 10-26T00:00+01:00"),
            // 02:30 does not exist on the first day and occurs twice on the second.
            ("Sun 02:30-06:00", "2026-03-28", "03-29T03:30+02:00 03-29T06:00+02:00"),
            ("Sun 02:30-06:00", "2026-10-24", "10-25T02:30+02:00 10-25T06:00+01:00"),
            // The clock skips these hours entirely.
            ("Sun 02:15-02:45", "2026-03-28", "03-29T03:15+02:00 03-29T03:45+02:00"),
        ])
    func summerTime(hours: String, day: String, expected: String) throws {
        let first = try openings(shop(hours), from: "\(day)T10:00:00Z").first
        #expect(first?.replacing(":00.000", with: "").replacing("2026-", with: "") == expected)
    }

    @Test("Within an opening every moment has its own offset, also when the clock is changed")
    func offsets() throws {
        let shop = try shop("Sun 01:00-06:00")
        for (from, changed, before, after) in [
            ("2026-03-28T10:00:00Z", "2026-03-29T01:00:00Z", 60, 120),
            ("2026-10-24T10:00:00Z", "2026-10-25T01:00:00Z", 120, 60),
        ] {
            let now = try #require(LocalMoment(from)).moment
            let change = try #require(LocalMoment(changed)).moment
            let opening = try #require(ShopCalendar().openings(of: shop, from: now).first)
            #expect(opening.clockChange == change)
            #expect(opening.local(change - .milliseconds(1)).offsetMinutes == before)
            #expect(opening.local(change).offsetMinutes == after)
        }
        let winter = try #require(LocalMoment("2026-11-20T10:00:00Z")).moment
        #expect(
            ShopCalendar().openings(of: shop, from: winter).allSatisfy { $0.clockChange == nil })
    }

    @Test("The current opening is the first, a past one is omitted, and a month is covered")
    func order() throws {
        let shop = try shop("Mon-Sun 08:00-12:00 14:00-20:00")
        let calendar = ShopCalendar()
        let early = try openings(shop, from: "2026-11-20T09:00:00+01:00", calendar)
        #expect(early.first?.hasPrefix("2026-11-20T08:00") == true && early.count == 66)
        let noon = try openings(shop, from: "2026-11-20T12:00:00+01:00", calendar)
        #expect(noon.first?.hasPrefix("2026-11-20T14:00") == true)
        let late = try openings(shop, from: "2026-11-20T23:30:00+01:00", calendar)
        #expect(late.first?.hasPrefix("2026-11-21T08:00") == true)
        let next = try openings(shop, from: "2026-11-21T00:00:00+01:00", calendar)
        #expect(next.first?.hasPrefix("2026-11-21T08:00") == true && next.count == 66)
        #expect(next.last?.hasPrefix("2026-12-23T14:00") == true)
    }

    @Test("Openings without a pause are joined, over midnight and within a day; a pause parts them")
    func joined() throws {
        func first(_ hours: String, at text: String) throws -> OpenInterval {
            let now = try #require(LocalMoment(text)).moment
            return try #require(ShopCalendar().openings(of: shop(hours), from: now).first)
        }
        let always = try first("Mon-Sun 00:00-24:00", at: "2026-11-20T09:00:00+01:00")
        #expect(
            "\(always.begins)".hasPrefix("2026-11-19T00:00") && always.includes(always.opens.day))
        #expect("\(always.ends)".hasPrefix("2026-12-23T00:00"))
        let night = try first("Fri 18:00-24:00; Sat 00:00-04:00", at: "2026-11-20T20:00:00+01:00")
        #expect("\(night.begins)".hasPrefix("2026-11-20T18:00"))
        #expect("\(night.ends)".hasPrefix("2026-11-21T04:00"))
        let after = try first("Fri 18:00-24:00; Sat 00:00-04:00", at: "2026-11-21T01:00:00+01:00")
        #expect("\(after.begins)".hasPrefix("2026-11-20T18:00") && after.ends == after.closes)
        #expect(after.includes(night.opens.day) && !night.includes(after.opens.day))
        // For the staff, an evening is one day.
        #expect(night.staffDay == night.opens.day && after.staffDay == night.opens.day)
        #expect(always.staffDay == always.opens.day)
        let evening = "Fri 08:00-12:00 18:00-23:00 23:00-24:00; Sat 00:00-04:00"
        let late = try first(evening, at: "2026-11-21T01:00:00+01:00")
        #expect("\(late.begins)".hasPrefix("2026-11-20T18:00"))
        let day = try first("Fri 08:00-12:00 12:00-20:00", at: "2026-11-20T13:00:00+01:00")
        #expect("\(day.begins)".hasPrefix("2026-11-20T08:00") && day.ends == day.closes)
        let pause = try first("Mon-Sun 08:00-12:00 14:00-20:00", at: "2026-11-20T09:00:00+01:00")
        #expect(pause.begins == pause.opens && pause.ends == pause.closes)
    }

    @Test("A change of the shop is effective at once, a closed day is closed")
    func changes() throws {
        var shop = try shop("Mon-Sun 08:00-12:00")
        let calendar = ShopCalendar()
        _ = try openings(shop, from: "2026-12-25T07:00:00Z", calendar)
        let christmas = try #require(CalendarDay("2026-12-25"))
        shop.hours.exceptions[christmas] = []
        let after = try openings(shop, from: "2026-12-25T07:00:00Z", calendar)
        #expect(after.first?.hasPrefix("2026-12-26T08:00") == true)
    }

    @Test(
        "Both changes of the year are right, also in zones that differ or change by half an hour",
        arguments: [
            ("America/St_Johns", "2026-11-20T00:00:00Z", "-03:30", "-03:30"),
            ("Asia/Kathmandu", "2026-11-20T00:00:00Z", "+05:45", "+05:45"),
            ("UTC", "2026-11-20T00:00:00Z", "+00:00", "+00:00"),
            ("Pacific/Auckland", "2026-11-20T00:00:00Z", "+13:00", "+13:00"),
            // From a day before the change, with the offsets before and after it.
            ("America/St_Johns", "2026-03-07T13:00:00Z", "-03:30", "-02:30"),
            ("America/St_Johns", "2026-10-31T12:00:00Z", "-02:30", "-03:30"),
            ("Australia/Adelaide", "2026-10-02T22:00:00Z", "+09:30", "+10:30"),
            ("Australia/Adelaide", "2026-04-03T22:00:00Z", "+10:30", "+09:30"),
            ("Australia/Lord_Howe", "2026-10-02T22:00:00Z", "+10:30", "+11:00"),
            ("Australia/Lord_Howe", "2026-04-03T22:00:00Z", "+11:00", "+10:30"),
            ("Pacific/Chatham", "2026-09-25T22:00:00Z", "+12:45", "+13:45"),
            ("Europe/Dublin", "2026-03-28T06:00:00Z", "+00:00", "+01:00"),
            ("Europe/Dublin", "2026-10-24T06:00:00Z", "+01:00", "+00:00"),
            ("Asia/Kolkata", "2026-03-28T01:00:00Z", "+05:30", "+05:30"),
        ])
    func changes(zone: String, from: String, before: String, after: String) throws {
        let shop = try shop("Mon-Sun 09:00-13:00", zone)
        let all = try openings(shop, from: from).prefix(2)
        #expect(all.first?.contains("T09:00:00.000\(before) ") == true, "\(all)")
        #expect(all.last?.contains("T09:00:00.000\(after) ") == true, "\(all)")
    }

    @Test("A zone's name is one of the system's, and never names another file or a rule")
    func names() throws {
        for name in ["Europe/Rome", "America/Argentina/Ushuaia", "Etc/GMT+5", "UTC", "GMT"] {
            #expect(ShopCalendar.knows(timeZone: name), "\(name)")
        }
        for name in [
            "Europe/Milan", "europe/rome", "Europe", "Europe/", "America/Argentina", "",
            "/etc/passwd",
            "../zoneinfo/Europe/Rome", "Europe/../Europe/Rome", "posix/Europe/Rome", ":Europe/Rome",
            "CET-1CEST", "+02:00", "Z", "Europe/Rome\0", "/usr/share/zoneinfo/Europe/Rome",
        ] {
            #expect(!ShopCalendar.knows(timeZone: name), "\(name)")
        }
    }
}
