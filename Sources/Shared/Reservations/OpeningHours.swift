/// One period of a day in which the shop is open; never over midnight (rules 4).
public struct OpenPeriod: Hashable, Sendable, CustomStringConvertible {
    public let opens: TimeOfDay
    public let closes: TimeOfDay

    /// Refuses a period that does not end after it begins.
    public init?(opens: TimeOfDay, closes: TimeOfDay) {
        guard opens < closes else { return nil }
        self.opens = opens
        self.closes = closes
    }

    /// `HH:mm-HH:mm`.
    public var description: String { "\(opens)-\(closes)" }
}

/// The opening times of a shop: hours of each weekday and days that are different [R27].
public struct OpeningHours: Hashable, Sendable {
    /// Periods of each weekday in order; a weekday that is missing is closed.
    public var weekly: [Weekday: [OpenPeriod]]
    /// Days that do not follow the week; an empty list is a closed day.
    public var exceptions: [CalendarDay: [OpenPeriod]]

    public init(weekly: [Weekday: [OpenPeriod]], exceptions: [CalendarDay: [OpenPeriod]] = [:]) {
        self.weekly = weekly
        self.exceptions = exceptions
    }

    public func periods(on day: CalendarDay) -> [OpenPeriod] {
        exceptions[day] ?? weekly[day.weekday] ?? []
    }
}

/// One opening of the shop as moments: from `opens` up to, not including, `closes`.
public struct OpenInterval: Hashable, Sendable {
    public let opens: LocalMoment
    public let closes: LocalMoment
    /// From when on the clock shows the offset of `closes`; nil if it does not change in between.
    public let clockChange: Moment?

    public init(opens: LocalMoment, closes: LocalMoment, clockChange: Moment? = nil) {
        self.opens = opens
        self.closes = closes
        self.clockChange = clockChange
    }

    /// A moment of this opening as the shop's clock shows it.
    public func local(_ moment: Moment) -> LocalMoment {
        guard let clockChange, moment >= clockChange else { return opens.at(moment) }
        return closes.at(moment)
    }

    public func contains(_ moment: Moment) -> Bool {
        opens.moment <= moment && moment < closes.moment
    }
}
