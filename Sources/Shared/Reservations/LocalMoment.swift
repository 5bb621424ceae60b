internal import TextForms

/// A moment as the shop's clock shows it: RFC 3339 with the shop's offset on the wire (rules: times).
///
/// Only the backend knows time zones; a reader of the text can show day and time without them.
public struct LocalMoment: Hashable, Sendable {
    public let moment: Moment
    /// Minutes east of Greenwich.
    public let offsetMinutes: Int

    public init(_ moment: Moment, offsetMinutes: Int) {
        self.moment = moment
        self.offsetMinutes = offsetMinutes
    }

    public var day: CalendarDay { CalendarDay(daysSince1970: localSeconds.day) }

    public var time: TimeOfDay { TimeOfDay(secondOfDay: localSeconds.second) }

    private var localSeconds: (day: Int, second: Int) {
        let seconds = Int(moment.milliseconds.flooredQuotient(by: 1_000)) + offsetMinutes * 60
        let day = Int(Int64(seconds).flooredQuotient(by: 86_400))
        return (day, seconds - day * 86_400)
    }

    /// Another moment with the same offset.
    public func at(_ other: Moment) -> LocalMoment {
        LocalMoment(other, offsetMinutes: offsetMinutes)
    }
}

extension LocalMoment: CustomStringConvertible {
    /// `yyyy-MM-ddTHH:mm:ss.SSS+hh:mm`.
    public var description: String {
        let (daysSince1970, second) = localSeconds
        let milliseconds =
            moment.milliseconds - moment.milliseconds.flooredQuotient(by: 1_000) * 1_000
        let offset = abs(offsetMinutes)
        var text: [UInt8] = []
        text.reserveCapacity(Self.usualBytes)
        CalendarDay(daysSince1970: daysSince1970).write(to: &text)
        func append(_ mark: Unicode.Scalar, _ value: Int, _ width: Int = 2) {
            text.append(UInt8(ascii: mark))
            text.append(decimal: value, width: width)
        }
        append("T", second / 3_600)
        append(":", second / 60 % 60)
        append(":", second % 60)
        append(".", Int(milliseconds), 3)
        append(offsetMinutes < 0 ? "-" : "+", offset / 60)
        append(":", offset % 60)
        return String(decoding: text, as: UTF8.self)
    }

    private static let usualBytes = 29

    /// Parses every RFC 3339 5.6 `date-time`: `T` and `Z` in capital or small letters, any number of digits of a second's
    /// fraction (those after the third are dropped), and a leap second, which is read as the second after it (as POSIX
    /// time counts it).
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"),
            let day = CalendarDay(String(decoding: bytes[0..<10], as: UTF8.self)),
            bytes[16] == UInt8(ascii: ":"),
            let time = TimeOfDay(String(decoding: bytes[11..<16], as: UTF8.self)),
            time.minutes < 1440,
            let second = Int(digits: String(decoding: bytes[17..<19], as: UTF8.self)), second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
            guard !digits.isEmpty else { return nil }
            for place in 0..<3 {
                let digit = digits.dropFirst(place).first ?? UInt8(ascii: "0")
                milliseconds = milliseconds * 10 + Int(digit - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = Self.offset(String(decoding: rest, as: UTF8.self)) else { return nil }
        let seconds = day.daysSince1970 * 86_400 + time.minutes * 60 + second - offset * 60
        if second == 60 {
            // Leap seconds end a month in UTC (RFC 3339 5.7).
            guard seconds % 86_400 == 0, CalendarDay(daysSince1970: seconds / 86_400).day == 1
            else { return nil }
            milliseconds = 0
        }
        self.init(
            Moment(milliseconds: Int64(seconds) * 1_000 + Int64(milliseconds)),
            offsetMinutes: offset)
    }

    private static func offset(_ text: String) -> Int? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-",
            let offset = TimeOfDay(text.dropFirst()), offset.minutes < 1440
        else { return nil }
        return sign == "+" ? offset.minutes : -offset.minutes
    }
}

extension Moment {
    /// RFC 3339 in UTC to the second, for logs and records that belong to no time zone: `2026-11-20T13:00:00Z`.
    public var utcText: String { "\(LocalMoment(self, offsetMinutes: 0).description.prefix(19))Z" }
}

extension LocalMoment: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a time with an offset as 2026-11-20T17:00:00+01:00 (RFC 3339)") {
            LocalMoment($0)
        }
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, so that moments before 1970 keep their day.
    public func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
