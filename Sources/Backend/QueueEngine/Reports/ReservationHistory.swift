public import Reservations

/// What became of one confirmed reservation: all that reports are made of.
public struct ReservationHistory: Hashable, Sendable {
    public var day: CalendarDay
    public var kind: ReservationKind
    public var number: QueueNumber
    public var confirmed: Moment
    /// What its holder was told.
    public var told: WaitEstimate
    public var state: ReservationState
    public var cause: TransitionCause
    /// When its turn came for the first time; nil where it never did.
    public var called: Moment?
    public var entered: Moment?
    /// When its holder left, scanned or inferred; nil for one who did not, or never came.
    public var left: Moment?

    public init(
        day: CalendarDay, kind: ReservationKind, number: QueueNumber, confirmed: Moment,
        told: WaitEstimate, state: ReservationState, cause: TransitionCause, called: Moment?,
        entered: Moment?, left: Moment?
    ) {
        self.day = day
        self.kind = kind
        self.number = number
        self.confirmed = confirmed
        self.told = told
        self.state = state
        self.cause = cause
        self.called = called
        self.entered = entered
        self.left = left
    }

    /// Minutes from the confirmation to the call; nil for a visit and for one who was never called.
    public var wait: Double? {
        guard kind == .ticket, let called else { return nil }
        return minutes(to: called)
    }

    /// Minutes inside; nil where the exit was not scanned, as a learned stay has none of it either.
    public var stay: Double? {
        guard cause == .left || cause == .checkedOut, let entered, let left else { return nil }
        return (left - entered).inMinutes
    }

    func minutes(to moment: Moment) -> Double {
        (moment - confirmed).inMinutes
    }
}

/// Promises against what happened, over tickets that were called.
public struct AccuracyReport: Hashable, Sendable, Codable {
    /// Tickets that were called.
    public var tickets = 0
    /// Of them those that were called as they were confirmed: nothing was awaited.
    public var atOnce = 0
    /// Of the others, in minutes: what was told (the median), and what it was.
    public var meanQuoted: Double?
    public var meanWait: Double?
    /// Told less real, on the average; below 0 people waited longer than told.
    public var bias: Double?
    public var rootMeanSquareError: Double?
    /// Percent called by the promise; 80 is what it says.
    public var promiseKept: Double?
    /// Percent called before the earliest time told; 10 is what it says.
    public var earlierThanQuoted: Double?

    public init(_ histories: some Sequence<ReservationHistory>) {
        let called = histories.compactMap { history in history.wait.map { (history, $0) } }
        tickets = called.count
        let waited = called.filter { $0.0.told.latest.moment > $0.0.confirmed || $0.1 > 0.01 }
        atOnce = tickets - waited.count
        guard !waited.isEmpty else { return }
        let count = Double(waited.count)
        func mean(_ value: ((ReservationHistory, Double)) -> Double) -> Double {
            waited.reduce(0) { $0 + value($1) } / count
        }
        func told(_ pair: (ReservationHistory, Double)) -> Double {
            pair.0.minutes(to: pair.0.told.expected.moment)
        }
        meanQuoted = mean(told)
        meanWait = mean { $0.1 }
        bias = mean { told($0) - $0.1 }
        rootMeanSquareError = mean { (told($0) - $0.1) * (told($0) - $0.1) }.squareRoot()
        promiseKept = 100 * mean { $0.0.minutes(to: $0.0.told.latest.moment) >= $0.1 ? 1 : 0 }
        earlierThanQuoted =
            100 * mean { $0.0.minutes(to: $0.0.told.earliest.moment) > $0.1 ? 1 : 0 }
    }
}

/// What a day was like.
public struct DayReport: Hashable, Sendable, Codable {
    public var day: CalendarDay
    public var tickets: Int
    public var visits: Int
    /// Given back by their holders, or deleted for them.
    public var deleted: Int
    /// Called and not come in time.
    public var noShows: Int
    /// Not called before the shop closed.
    public var closed: Int
    public var entered: Int
    /// Exits that nobody scanned.
    public var inferredExits: Int
    public var accuracy: AccuracyReport
    /// People inside on the average of each hour of the shop's clock, 0 to 23, with 24 values.
    public var occupancy: [Double]
    /// Tickets confirmed in each hour.
    public var ticketsByHour: [Int]
    /// Minutes inside of those whose exit was scanned, on the average; nil where nobody's was.
    public var meanStay: Double?
    /// The same by the hour in which they came in, with 24 values.
    public var stayByHour: [Double?]
    /// Percent of those called who did not come in time; nil where nobody was called.
    public var noShowPercent: Double?

    /// - Parameter midnight: when the day begins on the shop's clock.
    public init(
        _ day: CalendarDay, _ histories: [ReservationHistory], midnight: Moment
    ) {
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
        stayByHour = (0..<24).map { hour in
            mean(stays.filter { $0.hour == hour }.map(\.minutes))
        }
        let came = histories.count { $0.entered != nil }
        noShowPercent =
            came + noShows > 0 ? 100 * Double(noShows) / Double(came + noShows) : nil
        ticketsByHour = (0..<24).map { hour in
            histories.count {
                $0.kind == .ticket && Int(hours($0.confirmed).rounded(.down)) == hour
            }
        }
    }
}
