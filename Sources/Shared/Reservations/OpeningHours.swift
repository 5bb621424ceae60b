/// One period of a day in which the shop is open; never over midnight (rules: slots).
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
///
/// A shop that stays open over midnight has an opening on each day, and one follows the other without a pause
/// (`joined`): its queue and the people inside remain.
public struct OpenInterval: Hashable, Sendable {
    public let opens: LocalMoment
    public let closes: LocalMoment
    /// When customers of the queue may have come: when the shop opened, on the day before if there was no pause since then.
    public fileprivate(set) var begins: LocalMoment
    /// When the shop opened on the day of `opens`, at midnight at the earliest, as far as there was no pause since then.
    private(set) var beginsToday: LocalMoment
    /// When the shop closes: when the last opening of those ends that follow without a pause.
    public fileprivate(set) var ends: LocalMoment
    /// The day that the staff ends if it closes the shop early: the one of `begins` if the shop closes within a day of it,
    /// as after an evening that goes on after midnight, otherwise the one of `opens`.
    public fileprivate(set) var staffDay: CalendarDay
    /// From when on the clock shows the offset of `closes`; nil if it does not change in between.
    public let clockChange: Moment?

    public init(opens: LocalMoment, closes: LocalMoment, clockChange: Moment? = nil) {
        self.opens = opens
        self.closes = closes
        self.clockChange = clockChange
        begins = opens
        beginsToday = opens
        ends = closes
        staffDay = opens.day
    }

    /// A moment of this opening as the shop's clock shows it.
    public func local(_ moment: Moment) -> LocalMoment {
        guard let clockChange, moment >= clockChange else { return opens.at(moment) }
        return closes.at(moment)
    }

    public func contains(_ moment: Moment) -> Bool {
        opens.moment <= moment && moment < closes.moment
    }

    /// The same opening with an earlier end.
    public func closing(at end: LocalMoment) -> OpenInterval {
        var closing = OpenInterval(opens: opens, closes: end, clockChange: clockChange)
        closing.begins = begins
        closing.beginsToday = beginsToday
        closing.staffDay = staffDay
        return closing
    }

    /// The same opening as one that follows none of the day before.
    public var parted: OpenInterval {
        var parted = self
        parted.begins = beginsToday
        return parted
    }

    /// The same opening as one that follows another, which may end in a pause.
    fileprivate func following(_ former: OpenInterval) -> OpenInterval {
        var following = self
        let isJoined = former.closes.moment == opens.moment
        let isSameDay = former.opens.day == opens.day
        following.beginsToday = isJoined && isSameDay ? former.beginsToday : opens
        following.begins = !isJoined ? opens : isSameDay ? former.begins : former.beginsToday
        return following
    }

    /// Whether reservations of this day can be in the queue.
    public func includes(_ day: CalendarDay) -> Bool {
        begins.day <= day && day <= opens.day
    }
}

extension [OpenInterval] {
    /// The first day whose customers may be in the shop's queue: while the shop is open, the one on which it opened; if it has
    /// stayed open over midnight, the day before. Nil while it is closed.
    public func firstDay(at now: Moment) -> CalendarDay? {
        first { $0.contains(now) }?.begins.day
    }

    /// The same openings of a calendar, which are in order, where each knows those that follow each other without a pause.
    public var joined: [OpenInterval] {
        adjoined.map { opening in
            var opening = opening
            let isWithinADay = opening.ends.moment - opening.begins.moment <= .minutes(24 * 60)
            opening.staffDay = isWithinADay ? opening.begins.day : opening.opens.day
            return opening
        }
    }

    /// The same openings with the moments at which the shop opens and closes; `staffDay` stays that of the calendar.
    public var adjoined: [OpenInterval] {
        var joined = self
        for index in indices.dropFirst() {
            joined[index] = self[index].following(joined[index - 1])
        }
        for index in indices.reversed() {
            let isLast =
                index == count - 1 || self[index].closes.moment != self[index + 1].opens.moment
            joined[index].ends = isLast ? self[index].closes : joined[index + 1].ends
        }
        return joined
    }
}
