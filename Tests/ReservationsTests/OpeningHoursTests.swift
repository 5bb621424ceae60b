import Reservations
import Testing

@Suite("Opening hours [R27]")
struct OpeningHoursTests {
    @Test("A week is read with breaks and closed days")
    func week() throws {
        let hours = try OpeningHours(week: "Mon-Sat 08:00-13:00 15:00-20:00; Sun 09:00-13:00")
        #expect(hours.weekly[.saturday]?.count == 2)
        #expect(hours.weekly[.sunday]?.map(\.description) == ["09:00-13:00"])
        #expect(try OpeningHours(week: hours.week) == hours)
        #expect(try OpeningHours(week: "Sat 00:00-24:00").weekly[.monday] == nil)
    }

    @Test("A day with hours of its own replaces the week's, also if it is closed")
    func exceptions() throws {
        var hours = try OpeningHours(week: "Mon-Sun 08:00-20:00")
        let christmas = try #require(CalendarDay("2026-12-25"))
        let eve = try #require(CalendarDay("2026-12-24"))
        hours.exceptions = [
            christmas: [], eve: try OpeningHours.periods("08:00-14:00".split(separator: " ")),
        ]
        #expect(hours.periods(on: christmas).isEmpty)
        #expect(hours.periods(on: eve).map(\.description) == ["08:00-14:00"])
        #expect(hours.periods(on: eve.advanced(by: -1)).map(\.description) == ["08:00-20:00"])
    }

    @Test(
        "Impossible hours are refused in a sentence that names them",
        arguments: [
            ("", "no opening hours"), ("Mon", "no opening hours"), ("Foo 08:00-20:00", "\"Foo"),
            ("Mon 8-20", "\"8-20\""), ("Mon 20:00-08:00", "over midnight"),
            ("Mon 08:00-13:00 12:00-20:00", "overlaps"), ("Sat-Mon 08:00-20:00", "begin with days"),
            ("Mon 08:00-12:00; Mon 13:00-20:00", "named twice"),
            ("Mon 08:00-24:01", "\"08:00-24:01\""),
        ])
    func refused(text: String, names: String) {
        let error = #expect(throws: OpeningHoursError.self) { try OpeningHours(week: text) }
        #expect(error?.description.contains(names) == true, "\(error?.description ?? "")")
    }
}
