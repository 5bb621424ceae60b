public import Reservations

/// The course of one confirmed reservation: all data that reports are made of.
public struct ReservationHistory: Hashable, Sendable {
    public var day: CalendarDay
    public var kind: ReservationKind
    public var number: QueueNumber
    public var confirmed: Moment
    /// The wait that was quoted to its holder.
    public var quoted: WaitEstimate
    public var state: ReservationState
    public var cause: TransitionCause
    /// When its turn came for the first time; nil if it never did.
    public var called: Moment?
    public var entered: Moment?
    /// When its holder left, scanned or inferred; nil for a customer who has not left or never came.
    public var left: Moment?
    /// Whether its holder let others go ahead, so that the wait is not the one that was quoted (rules: more-time).
    public var isDelayed: Bool

    /// Nil for a place that was never confirmed.
    public init?(_ record: ReservationRecord, called: Moment?, left: Moment?) {
        guard let confirmation = record.confirmation else { return nil }
        day = record.hold.day
        kind = record.hold.kind
        number = confirmation.number
        confirmed = confirmation.issued.moment
        quoted = record.hold.wait
        state = record.state
        cause = record.cause
        self.called = called
        entered = record.entered
        isDelayed = record.turn.delayCount > 0
        self.left = left
    }

    /// Minutes from the confirmation to the call; nil for a visit and for a ticket that was never called.
    public var wait: Double? {
        guard kind == .ticket, let called else { return nil }
        return minutes(to: called)
    }

    /// Minutes inside; nil if the exit was not scanned, as learned stays leave such a stay out too.
    public var stay: Double? {
        guard cause == .left || cause == .checkedOut, let entered, let left else { return nil }
        return (left - entered).inMinutes
    }

    func minutes(to moment: Moment) -> Double { (moment - confirmed).inMinutes }
}

/// A comparison of the promised with the real waits, over tickets that were called and whose holders let no others go
/// ahead.
public struct AccuracyReport: Hashable, Sendable, Codable {
    /// The number of tickets that were called.
    public var tickets = 0
    /// The number of those that were called as soon as they were confirmed, without a wait.
    public var atOnce = 0
    /// Of the others, in minutes: the mean quoted wait (the median of its distribution) and the mean real wait.
    public var meanQuoted: Double?
    public var meanWait: Double?
    /// The quoted less the real wait, on average; below 0 people waited longer than quoted.
    public var bias: Double?
    public var rootMeanSquareError: Double?
    /// The percentage called by the promised time; 80 is what the promise claims.
    public var promiseKept: Double?
    /// The percentage called before the earliest quoted time; 10 is what that time claims.
    public var earlierThanQuoted: Double?

    public init(_ histories: some Sequence<ReservationHistory>) {
        let called = histories.filter { !$0.isDelayed }.compactMap { history in
            history.wait.map { (history, $0) }
        }
        tickets = called.count
        let waited = called.filter { $0.0.quoted.latest.moment > $0.0.confirmed || $0.1 > 0.01 }
        atOnce = tickets - waited.count
        guard !waited.isEmpty else { return }
        let count = Double(waited.count)
        func mean(_ value: ((ReservationHistory, Double)) -> Double) -> Double {
            waited.reduce(0) { $0 + value($1) } / count
        }
        func quoted(_ pair: (ReservationHistory, Double)) -> Double {
            pair.0.minutes(to: pair.0.quoted.expected.moment)
        }
        meanQuoted = mean(quoted)
        meanWait = mean { $0.1 }
        bias = mean { quoted($0) - $0.1 }
        rootMeanSquareError = mean { (quoted($0) - $0.1) * (quoted($0) - $0.1) }.squareRoot()
        promiseKept = 100 * mean { $0.0.minutes(to: $0.0.quoted.latest.moment) >= $0.1 ? 1 : 0 }
        earlierThanQuoted =
            100 * mean { $0.0.minutes(to: $0.0.quoted.earliest.moment) > $0.1 ? 1 : 0 }
    }
}

/// The figures of one day.
public struct DayReport: Hashable, Sendable, Codable {
    public var day: CalendarDay
    public var tickets: Int
    public var visits: Int
    /// The number given back by their holders, or deleted for them.
    public var deleted: Int
    /// The number of called reservations whose holder did not come in time, and did not take the place back.
    public var noShows: Int
    /// The number not called before the shop closed.
    public var closed: Int
    public var entered: Int
    /// The number of exits that were not scanned.
    public var inferredExits: Int
    public var accuracy: AccuracyReport
    /// The average number of people inside in each hour of the shop's clock, 0 to 23, as 24 values.
    public var occupancy: [Double]
    /// The number of tickets confirmed in each hour.
    public var ticketsByHour: [Int]
    /// The average minutes inside of customers whose exit was scanned; nil if there were none.
    public var meanStay: Double?
    /// The same by the hour in which they entered, as 24 values.
    public var stayByHour: [Double?]
    /// The percentage of called customers who did not come in time; nil if no customer was called.
    public var noShowPercent: Double?

    /// - Parameter midnight: The moment when the day begins on the shop's clock.
    public init(_ day: CalendarDay, _ histories: [ReservationHistory], midnight: Moment) {
        self.day = day
        tickets = histories.count { $0.kind == .ticket }
        visits = histories.count { $0.kind == .visit }
        deleted = histories.count { $0.state == .deleted }
        noShows = histories.count { $0.cause == .missed }
        closed = histories.count { $0.cause.isClosing }
        entered = histories.count { $0.entered != nil }
        inferredExits = histories.count { $0.cause == .inferred }
        accuracy = AccuracyReport(histories)
        func hours(_ moment: Moment) -> Double {
            Double((moment - midnight).wholeMilliseconds) / 3_600_000
        }
        occupancy = (0..<24).map { hour in
            histories.reduce(0.0) { sum, history in
                guard let entered = history.entered, let left = history.left else { return sum }
                let from = max(Double(hour), hours(entered))
                return sum + max(0, min(Double(hour + 1), hours(left)) - from)
            }
        }
        let stays = histories.compactMap { history in
            history.stay.map { (hour: Int(hours(history.entered ?? midnight)), minutes: $0) }
        }
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        meanStay = mean(stays.map(\.minutes))
        stayByHour = (0..<24).map { hour in mean(stays.filter { $0.hour == hour }.map(\.minutes)) }
        let called = entered + noShows
        noShowPercent = called > 0 ? 100 * Double(noShows) / Double(called) : nil
        ticketsByHour = (0..<24).map { hour in
            histories.count {
                $0.kind == .ticket && Int(hours($0.confirmed).rounded(.down)) == hour
            }
        }
    }
}
