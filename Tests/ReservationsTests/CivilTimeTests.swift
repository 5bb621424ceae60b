import Reservations
import Testing

@Suite("Days, times and moments")
struct CivilTimeTests {
    @Test("Every day of four centuries survives the conversion to a number and back")
    func roundTrip() {
        for count in stride(from: -80_000, through: 80_000, by: 1) {
            let day = CalendarDay(daysSince1970: count)
            #expect(day.daysSince1970 == count)
            #expect(CalendarDay(day.description) == day)
        }
    }

    @Test("Known days have the right weekday")
    func weekdays() {
        #expect(CalendarDay("1970-01-01")?.weekday == .thursday)
        #expect(CalendarDay("2000-02-29")?.weekday == .tuesday)
        #expect(CalendarDay("2026-11-20")?.weekday == .friday)
        #expect(CalendarDay("1969-12-28")?.weekday == .sunday)
    }

    @Test(
        "Text that is no day is refused",
        arguments: [
            "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "20261120", "+026-01-01",
            "2026-11-31", "", "2026-11-20 ",
        ])
    func notADay(text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test("RFC 3339 is read, and written back unchanged")
    func rfc3339() throws {
        let text = "2026-03-29T03:00:00.000+02:00"
        let moment = try #require(LocalMoment(text))
        #expect(moment.description == text)
        #expect(moment.moment.milliseconds == 1_774_746_000_000)
        #expect(moment.time.description == "03:00")
        #expect(LocalMoment("2026-03-29T01:00:00Z")?.moment == moment.moment)
        #expect(LocalMoment("2026-03-29T01:00:00.5Z")?.moment.milliseconds == 1_774_746_000_500)
        #expect(LocalMoment("2026-03-28T20:30:00-04:30")?.moment == moment.moment)
        #expect(LocalMoment("1969-12-31T23:59:59.250Z")?.moment.milliseconds == -750)
        #expect(
            LocalMoment(Moment(milliseconds: -750), offsetMinutes: 0).description
                == "1969-12-31T23:59:59.250+00:00")
    }

    @Test(
        "Every form of RFC 3339 is read: small letters, any digits of a second, leap seconds",
        arguments: [
            ("2026-11-20T10:00:00z", "2026-11-20T10:00:00.000+00:00"),
            ("2026-11-20t10:00:00Z", "2026-11-20T10:00:00.000+00:00"),
            ("2026-11-20t10:00:00.25z", "2026-11-20T10:00:00.250+00:00"),
            ("2026-11-27T17:00:00.1234567+01:00", "2026-11-27T17:00:00.123+01:00"),
            ("2026-11-27T17:00:00.123999999999999999999-01:00", "2026-11-27T17:00:00.123-01:00"),
            ("2026-11-27T17:00:00.0005Z", "2026-11-27T17:00:00.000+00:00"),
            ("2026-11-27T17:00:00-00:00", "2026-11-27T17:00:00.000+00:00"),
            ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000+00:00"),
            ("1990-12-31T15:59:60.5-08:00", "1990-12-31T16:00:00.000-08:00"),
        ])
    func everyForm(text: String, read: String) {
        #expect(LocalMoment(text)?.description == read)
    }

    @Test(
        "Times that RFC 3339 does not allow are refused",
        arguments: [
            "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z", "2026-11-20T23:59:60Z",
            "2026-11-30T22:59:60Z", "2026-11-30T23:59:61Z", "2026-11-20T23:59:60.Z",
            "2026-11-20 10:00:00Z", "2026-11-20T10:00:00", "2026-11-20T10:00:00+1:00",
            "2026-11-20T10:00:00.Z", "2026-11-20T10:00:00,5Z", "2026-11-20T10:00:00Zz",
            "2026-11-20T10:00:00+0100", "2026-11-20T10:00:00.5",
        ])
    func notATime(text: String) {
        #expect(LocalMoment(text) == nil)
    }

    @Test("The day changes at midnight of the shop, not of Greenwich")
    func midnight() throws {
        let before = try #require(LocalMoment("2026-11-20T23:59:59.999+01:00"))
        let after = before.at(before.moment + .milliseconds(1))
        #expect(before.day.description == "2026-11-20")
        #expect(after.day.description == "2026-11-21")
        #expect(after.time.minutes == 0)
    }

    @Test(
        "The same date of next month is clamped to that month's last day",
        arguments: [
            ("2027-01-31", "2027-02-28"), ("2028-01-30", "2028-02-29"),
            ("2027-03-31", "2027-04-30"), ("2026-12-31", "2027-01-31"),
            ("2026-11-30", "2026-12-30"), ("2027-02-28", "2027-03-28"),
            ("2026-10-31", "2026-11-30"),
        ])
    func nextMonth(today: String, last: String) {
        #expect(CalendarDay(today)?.inNextMonth == CalendarDay(last))
    }
}
