import BackendService
import QueueEngine
import Reservations
import TextForms

/// The time of an order as shops' own systems, tables and databases write it.
struct OrderTime: Hashable {
    static let rule =
        "the promised time is the shop's, as 2026-11-27 17:00 or 27.11.2026 17:00, or has an offset, as 2026-11-27T17:00:00+01:00"

    let day: CalendarDay
    let time: TimeOfDay
    let second: Int
    /// Minutes east of Greenwich; nil for the shop's clock.
    let offsetMinutes: Int?

    /// Reads a day and a time in every form that has one meaning; nil for any other text, such as 05/06/2026 17:00, whose
    /// month would be a guess.
    init?(_ text: String) {
        var scanner = Scanner(text)
        guard let day = scanner.day(), scanner.takesBreak(), let (time, second) = scanner.time()
        else { return nil }
        self.day = day
        self.time = time
        self.second = second
        offsetMinutes = scanner.offset()
        if offsetMinutes != nil { scanner.dropZone() }
        guard scanner.isAtEnd else { return nil }
    }

    func moment(in shop: Shop, _ calendar: ShopCalendar) -> Moment {
        guard let offsetMinutes else {
            return calendar.moment(day, time, in: shop) + .seconds(second)
        }
        let seconds = day.daysSince1970 * 86_400 + (time.minutes - offsetMinutes) * 60 + second
        return Moment(milliseconds: Int64(seconds) * 1_000)
    }
}

/// Reads the parts of a time one after the other.
private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number of so many digits.
    private mutating func number(_ widths: ClosedRange<Int>) -> (value: Int, width: Int)? {
        let digits = rest.prefix(widths.upperBound).prefix(while: \.isASCIIDigit)
        guard widths.contains(digits.count),
            let value = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        rest = rest.dropFirst(digits.count)
        return (value, digits.count)
    }

    /// One of these characters, if it is the next one.
    private mutating func take(_ choices: String) -> UInt8? {
        guard let first = rest.first, choices.utf8.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// A word in small or capital letters, if it is next.
    private mutating func takes(_ word: String) -> Bool {
        guard rest.prefix(word.utf8.count).map({ $0 | 0x20 }) == Array(word.utf8) else {
            return false
        }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func dropBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    /// 2026-11-27, 2026/11/27, 27.11.2026, or 27/11/2026 if it cannot be read with the month first.
    mutating func day() -> CalendarDay? {
        guard let first = number(1...4), let mark = take("-/."),
            let second = number(1...2)?.value, take("-/.") == mark,
            let third = number(1...4)
        else { return nil }
        if first.width == 4 {
            return CalendarDay(year: first.value, month: second, day: third.value)
        }
        guard first.width <= 2, third.width == 4 else { return nil }
        let dayFirst = CalendarDay(year: third.value, month: second, day: first.value)
        let monthFirst = CalendarDay(year: third.value, month: first.value, day: second)
        // With dots the day is first in every country.
        if mark == UInt8(ascii: ".") || monthFirst == nil || monthFirst == dayFirst {
            return dayFirst
        }
        return dayFirst == nil ? monthFirst : nil
    }

    /// What is between day and time: T, blanks, or a comma.
    mutating func takesBreak() -> Bool {
        if take("Tt") != nil { return true }
        let before = rest.count
        _ = take(",")
        dropBlanks()
        return rest.count < before
    }

    /// 17:00, 17:00:00, 17:00:00.000, 17.00 or 5:00 PM.
    mutating func time() -> (TimeOfDay, second: Int)? {
        guard var hour = number(1...2)?.value, let mark = take(":."),
            let minute = number(2...2)?.value
        else { return nil }
        var second = 0
        if take(mark == UInt8(ascii: ":") ? ":" : ".") != nil {
            guard let value = number(2...2)?.value else { return nil }
            second = value
            if take(".,") != nil {
                guard rest.first?.isASCIIDigit == true else { return nil }
                rest = rest.drop(while: \.isASCIIDigit)
            }
        }
        dropBlanks()
        let (isMorning, isAfternoon) = (takes("am"), takes("pm"))
        if isMorning || isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
            dropBlanks()
        }
        guard hour < 24, minute < 60, second < 60, let time = TimeOfDay(minutes: hour * 60 + minute)
        else { return nil }
        return (time, second)
    }

    /// Z, UTC, GMT, +01:00, +0100 or +01; nil if there is none.
    mutating func offset() -> Int? {
        for word in ["z", "utc", "gmt"] where takes(word) { return 0 }
        let start = rest
        guard let sign = take("+-"), let hours = number(2...2)?.value, hours < 24 else {
            rest = start
            return nil
        }
        let hasMark = take(":") != nil
        let minutes = number(2...2)?.value
        guard minutes ?? 0 < 60, minutes != nil || !hasMark else {
            rest = start
            return nil
        }
        let offset = hours * 60 + (minutes ?? 0)
        return sign == UInt8(ascii: "+") ? offset : -offset
    }

    /// The name of a zone after its offset, as Java writes it: [Europe/Rome].
    mutating func dropZone() {
        guard rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") else { return }
        rest = []
    }
}
