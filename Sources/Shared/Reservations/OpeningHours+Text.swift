/// The fault in a text of opening hours, in words for an administrator.
public struct OpeningHoursError: Error, Equatable, CustomStringConvertible {
    public let description: String
}

extension OpeningHours {
    private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Parses the week, as in `Mon-Sat 08:00-13:00 15:00-20:00; Sun 09:00-13:00`.
    public init(week text: String) throws(OpeningHoursError) {
        var weekly: [Weekday: [OpenPeriod]] = [:]
        for part in text.split(separator: ";") {
            let words = part.split(separator: " ")
            guard let first = words.first, let days = Self.days(first) else {
                throw OpeningHoursError(
                    description: "\"\(part)\" does not begin with days as Mon or Mon-Sat")
            }
            let periods = try Self.periods(words.dropFirst())
            for day in days {
                guard weekly[day] == nil else {
                    throw OpeningHoursError(description: "\(first) is named twice")
                }
                weekly[day] = periods
            }
        }
        guard weekly.values.contains(where: { !$0.isEmpty }) else {
            throw OpeningHoursError(description: "no opening hours are given")
        }
        self.init(weekly: weekly)
    }

    /// The week as `init(week:)` reads it, a part for each open weekday.
    public var week: String {
        Weekday.allCases.compactMap { day in
            guard let periods = weekly[day], !periods.isEmpty else { return nil }
            return Self.names[day.rawValue] + " "
                + periods.map(\.description).joined(separator: " ")
        }.joined(separator: "; ")
    }

    /// Parses the periods of a day in order: `HH:mm-HH:mm` each; none if the list is empty.
    public static func periods(
        _ words: some Sequence<Substring>
    ) throws(OpeningHoursError) -> [OpenPeriod] {
        var periods: [OpenPeriod] = []
        for word in words {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let opens = TimeOfDay(ends[0]), let closes = TimeOfDay(ends[1])
            else { throw OpeningHoursError(description: "\"\(word)\" is not HH:mm-HH:mm") }
            guard let period = OpenPeriod(opens: opens, closes: closes) else {
                throw OpeningHoursError(
                    description: "\"\(word)\" does not end after it begins; "
                        + "write hours over midnight as two, until 24:00 and from 00:00 of the next day"
                )
            }
            if let last = periods.last, period.opens < last.closes {
                throw OpeningHoursError(description: "\"\(word)\" overlaps the period before it")
            }
            periods.append(period)
        }
        return periods
    }

    private static func days(_ word: Substring) -> [Weekday]? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        let indices = ends.compactMap { end in names.firstIndex { $0 == end } }
        guard indices.count == ends.count, let first = indices.first, indices.count <= 2,
            let last = indices.last, first <= last
        else { return nil }
        return Weekday.allCases.filter { (first...last).contains($0.rawValue) }
    }
}
