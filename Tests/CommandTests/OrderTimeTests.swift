import Reservations
import Testing

@testable import BackendCommands

@Suite("The times of orders as shops' own systems write them")
struct OrderTimeTests {
    @Test(
        "A form that has one meaning is read",
        arguments: [
            ("2026-11-29 17:00", nil), ("2026-11-29T17:00", nil), ("2026-11-29t17:00:00", nil),
            ("2026-11-29 17:00:00", nil), ("2026-11-29   17:00:00.123456", nil),
            ("2026-11-29T17:00+01:00", 60), ("2026-11-29T17:00:00.0000000+01:00", 60),
            ("2026-11-29T17:00:00+0100", 60), ("2026-11-29 17:00:00+01", 60),
            ("2026-11-29 17:00:00 +0100", 60), ("2026-11-29T17:00:00Z", 0),
            ("2026-11-29t17:00z", 0),
            ("2026-11-29 17:00:00 UTC", 0), ("2026-11-29T17:00+01:00[Europe/Rome]", 60),
            ("2026-11-29T17:00:00-03:30", -210), ("2026/11/29 17:00", nil),
            ("29.11.2026 17:00", nil), ("29.11.2026, 17.00", nil), ("29/11/2026 17:00", nil),
            ("29/11/2026, 17:00:00", nil), ("29-11-2026 17:00", nil), ("11/29/2026 5:00 PM", nil),
            ("11/29/2026 05:00:00 pm", nil),
        ] as [(String, Int?)])
    func reads(text: String, offsetMinutes: Int?) throws {
        let time = try #require(OrderTime(text))
        #expect("\(time.day) \(time.time)" == "2026-11-29 17:00" && time.second == 0)
        #expect(time.offsetMinutes == offsetMinutes)
    }

    @Test("Day and month, hours of half days and seconds are not mixed up")
    func parts() throws {
        #expect(try #require(OrderTime("05.06.2026 0:30")).day == CalendarDay("2026-06-05"))
        #expect(try #require(OrderTime("06/06/2026 0:30")).day == CalendarDay("2026-06-06"))
        #expect(try #require(OrderTime("2026-6-5 12:05 AM")).time == TimeOfDay("00:05"))
        #expect(try #require(OrderTime("2026-06-05 12:05 PM")).time == TimeOfDay("12:05"))
        #expect(try #require(OrderTime("2026-06-05T17:00:59.9Z")).second == 59)
    }

    @Test(
        "Every other text is none",
        arguments: [
            "", "2026-11-29", "17:00", "tomorrow 17:00", "05/06/2026 17:00", "5-6-2026 17:00",
            "2026-11-31 17:00", "2026-11-29 24:00", "2026-11-29 17:60", "2026-11-29 17:00:60",
            "2026-11-29 17", "2026-11-29T17:00+24:00", "2026-11-29T17:00+1", "2026-11-29T17:00+01:",
            "2026-11-29 17:00 CET", "2026-11-29 17:00[Europe/Rome]", "2026-11-29 13:00 PM",
            "2026-11-29 17:00:00.", "2026-11-2917:00", "29.11.26 17:00", "29.11-2026 17:00",
            "20261129T1700", "46355.7083", "2026-11-29 17:00 x", "99999-11-29 17:00",
        ])
    func refuses(text: String) { #expect(OrderTime(text) == nil) }
}
