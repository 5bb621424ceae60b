internal import TextForms

/// A day of the Gregorian calendar, without a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable {
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// Refuses a day that the calendar does not have.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        self.init(daysSince1970: Self.days(year: year, month: month, day: day))
        guard self.month == month, self.day == day else { return nil }
    }

    /// The day that many days after 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", civil_from_days).
    public init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Parses `yyyy-MM-dd`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            let year = Int(digits: parts[0]), let month = Int(digits: parts[1]),
            let day = Int(digits: parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var daysSince1970: Int { Self.days(year: year, month: month, day: day) }

    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let index = (daysSince1970 + 3) % 7
        return Weekday.allCases[index < 0 ? index + 7 : index]
    }

    public func advanced(by days: Int) -> CalendarDay {
        CalendarDay(daysSince1970: daysSince1970 + days)
    }

    /// The same date of the next month, or the last day of that month if it is shorter (rules: slots).
    public var inNextMonth: CalendarDay {
        func firstDay(_ months: Int) -> Int {
            let index = month - 1 + months
            return Self.days(year: year + index / 12, month: index % 12 + 1, day: 1)
        }
        return CalendarDay(daysSince1970: min(firstDay(1) + day, firstDay(2)) - 1)
    }

    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension CalendarDay: CustomStringConvertible, Codable {
    /// `yyyy-MM-dd`.
    public var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    func write(to text: inout [UInt8]) {
        text.append(decimal: year, width: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: month, width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: day, width: 2)
    }

    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a day as 2026-11-20") { CalendarDay($0) }
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

public enum Weekday: Int, CaseIterable, Sendable, Codable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

/// A time of day in whole minutes since midnight, 0 to 1440: a shop may close at 24:00.
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let minutes: Int

    public init?(minutes: Int) {
        guard (0...1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// The minute that contains a second of the day, 0 to 86,399.
    init(secondOfDay: Int) {
        precondition((0..<86_400).contains(secondOfDay), "a day has 86,400 seconds")
        minutes = secondOfDay / 60
    }

    /// Parses `HH:mm`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = Int(digits: parts[0]), let minute = Int(digits: parts[1]), minute < 60
        else { return nil }
        self.init(minutes: hour * 60 + minute)
    }

    public var hour: Int { minutes / 60 }
    public var minute: Int { minutes % 60 }

    /// `HH:mm`.
    public var description: String { "\(hour.padded(2)):\(minute.padded(2))" }

    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        left.minutes < right.minutes
    }
}

extension Decoder {
    /// Reads a value from its text; fails with `WrongForm` as the reason if the text is not of the form.
    func value<Value>(_ form: String, _ parse: (String) -> Value?) throws -> Value {
        let text = try String(from: self)
        guard let value = parse(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "not \(form)",
                    underlyingError: WrongForm(text, form: form)))
        }
        return value
    }
}

/// A text that does not have the form of its value.
public struct WrongForm: Error {
    /// The first characters of the text.
    public let excerpt: String
    /// The form, with an example.
    public let form: String

    init(_ text: String, form: String) {
        excerpt = Self.excerpt(of: text)
        self.form = form
    }

    private static let maxCharacters = 60

    /// What a message shows of a text of any length.
    public static func excerpt(of text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > maxCharacters else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(maxCharacters))) + "…"
    }
}

extension Int {
    /// Decimal digits only: neither a sign nor a space, which `Int.init` would take.
    public init?(digits text: some StringProtocol) {
        guard text.isASCIIDigits else { return nil }
        self.init(text)
    }

    /// The number with leading zeros to at least `width` digits.
    public func padded(_ width: Int) -> String {
        var text: [UInt8] = []
        text.append(decimal: self, width: width)
        return String(decoding: text, as: UTF8.self)
    }
}
