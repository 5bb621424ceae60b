public import Reservations

/// How long customers who called for help waited until a staff member went to them, by hours of the shop's clock.
public struct HelpReport: Hashable, Sendable {
    /// The calls of one hour of one day.
    public struct Hour: Hashable, Sendable {
        public let day: CalendarDay
        /// 0 to 23.
        public let hour: Int
        /// The calls that were no mistake.
        public let calls: Int
        public let mistakes: Int
        /// Calls that were no mistake and to which no staff member went.
        public let unanswered: Int
        /// Whole seconds from each call to which a staff member went until then, the shortest first.
        public let seconds: [Int]

        /// Half of the customers waited no longer; nil if no staff member went.
        public var medianSeconds: Int? { seconds.isEmpty ? nil : seconds[(seconds.count - 1) / 2] }
        public var longestSeconds: Int? { seconds.last }
    }

    /// The hours with calls, in order.
    public let hours: [Hour]

    /// - Parameter local: Returns a moment as the shop's clock shows it.
    public init(_ calls: [HelpCallRecord], local: (Moment) -> LocalMoment) {
        struct Name: Hashable {
            let day: CalendarDay
            let hour: Int
        }
        let byHour = Dictionary(grouping: calls) { call in
            let raised = local(call.raised)
            return Name(day: raised.day, hour: raised.time.hour)
        }
        hours = byHour.map { name, calls in
            let meant = calls.filter { $0.end != .mistake }
            return Hour(
                day: name.day, hour: name.hour, calls: meant.count,
                mistakes: calls.count - meant.count,
                unanswered: meant.count { $0.going == nil },
                seconds: meant.compactMap { call in
                    call.going.map { ($0 - call.raised).wholeSeconds }
                }.sorted())
        }.sorted { ($0.day, $0.hour) < ($1.day, $1.hour) }
    }

    /// Half of the customers who called in an hour of all days waited no longer for a staff member; nil for an hour
    /// in which no staff member went to one.
    public func medianSeconds(in hour: Int) -> Int? {
        let seconds = hours.filter { $0.hour == hour }.flatMap(\.seconds).sorted()
        return seconds.isEmpty ? nil : seconds[(seconds.count - 1) / 2]
    }
}
