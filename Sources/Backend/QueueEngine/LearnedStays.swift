public import Reservations

/// What was learned of the stays of a shop's customers, by the hour of the week in which they entered.
///
/// With few observations the shop's setting counts for more, and with few observations of one hour those of the whole week do.
public struct LearnedStays: Hashable, Sendable {
    /// An hour of the week, 0 for Monday from midnight on, to 167.
    public typealias Cell = Int

    /// So many observations of the week have as much weight as the shop's setting.
    private static let settingWeight = 30.0
    /// So many observations of one hour have as much weight as the week's: fewer say little, as stays vary by 60 %.
    private static let weekWeight = 400.0
    /// The variation of stays before anything is learned, as it is usual in supermarkets.
    static let priorVariation = 0.6
    /// Stays outside this range, in minutes, are not real stays but mistakes at the readers.
    private static let plausibleStayMinutes = 0.5...600.0

    private(set) var cells: [Cell: DurationSums] = [:]
    private var total = DurationSums()

    public init(cells: [Cell: DurationSums] = [:]) {
        self.cells = cells
        total = cells.values.reduce(DurationSums(), +)
    }

    static func cell(_ moment: LocalMoment) -> Cell {
        moment.day.weekday.rawValue * 24 + moment.time.hour % 24
    }

    /// Adds one stay; returns the hour's new sums, or nil if the stay is not plausible.
    mutating func learn(_ stay: Duration, in cell: Cell) -> DurationSums? {
        let former = cells[cell] ?? DurationSums()
        guard let sums = former.learning(stay, plausible: Self.plausibleStayMinutes) else {
            return nil
        }
        cells[cell] = sums
        total = total + sums - former
        return sums
    }

    /// The number of known exits of customers who entered in this hour.
    func exits(in cell: Cell) -> Int64 { cells[cell]?.count ?? 0 }

    func stays(in cell: Cell, usual minutes: Int) -> StayDistribution {
        let prior = StayDistribution(mean: Double(max(1, minutes)), variation: Self.priorVariation)
        let week = total.updating(prior, weight: Self.settingWeight)
        return (cells[cell] ?? DurationSums()).updating(week, weight: Self.weekWeight)
    }
}

/// How many called customers came and did not come, for each channel, and how many left without a scan.
public struct Attendance: Hashable, Sendable {
    /// Called customers of one channel.
    public struct Turnout: Hashable, Sendable {
        public var came: Int64
        public var missed: Int64

        public init(came: Int64 = 0, missed: Int64 = 0) {
            self.came = came
            self.missed = missed
        }

        /// Counts a customer; with more than so many, the older ones count half.
        fileprivate mutating func count(
            _ part: WritableKeyPath<Turnout, Int64>, remembering most: Int64
        ) {
            self[keyPath: part] += 1
            if came + missed > most { self = Turnout(came: came / 2, missed: missed / 2) }
        }
    }

    public var turnout: ByChannel<Turnout>
    /// Called customers who had been asked whether they are coming and had not answered (rules: coming-question).
    public var silent: Turnout
    /// Customers who were asked whether they are coming, and did not answer until their call, or did.
    public var unanswered: Int64
    public var answered: Int64
    /// The last of the called customers elsewhere, by whom it is decided how many such places the shop gives
    /// (rules: elsewhere).
    public var latelyRemote: Turnout
    public var left: Int64
    public var inferred: Int64

    public init(
        turnout: ByChannel<Turnout> = ByChannel(all: Turnout()), silent: Turnout = Turnout(),
        unanswered: Int64 = 0, answered: Int64 = 0, latelyRemote: Turnout = Turnout(),
        left: Int64 = 0, inferred: Int64 = 0
    ) {
        self.answered = answered
        self.latelyRemote = latelyRemote
        self.turnout = turnout
        self.silent = silent
        self.unanswered = unanswered
        self.left = left
        self.inferred = inferred
    }

    /// With more observations than this, the older ones count half.
    private static let forgetting: Int64 = 2_000

    /// Of fifty called customers, so many do not come as far as is known before any was called. Customers who wait away
    /// from the shop miss their call more often.
    private static let expectedMissed = ByChannel<Int64>(machine: 5, phone: 10, remote: 10)

    /// The share of a channel's called customers who do not come; what is expected has the weight of fifty customers.
    private func noShow(_ channel: Channel) -> Double {
        let known = turnout[channel]
        return Double(known.missed + Self.expectedMissed[channel])
            / Double(known.came + known.missed + 50)
    }

    var noShow: ByChannel<Double> {
        ByChannel(
            machine: noShow(.machine), phone: noShow(.phone), remote: noShow(.remote))
    }

    /// The share of those without an answer who do not come: twenty in fifty, with the weight of fifty, before more is known.
    var silentNoShow: Double {
        Double(silent.missed + 20) / Double(silent.came + silent.missed + 50)
    }

    /// The share of those who are asked whether they are coming and do not answer until their call: ten in fifty, with the
    /// weight of fifty, before more is known.
    var silence: Double { Double(unanswered + 10) / Double(unanswered + answered + 50) }

    /// Counts a customer who was asked, and has answered.
    mutating func countAnswer() { countQuestion(\.answered) }

    private mutating func countQuestion(_ part: WritableKeyPath<Attendance, Int64>) {
        self[keyPath: part] += 1
        guard answered + unanswered > Self.forgetting else { return }
        answered /= 2
        unanswered /= 2
    }

    /// With more than so many, the older ones of `latelyRemote` count half.
    private static let lastOnes: Int64 = 40

    /// The part of the places for customers elsewhere that they get, by how many of the last ones came: all of it as long as
    /// half of them do, and nothing if four in five do not.
    var remoteTrust: Double {
        let known = latelyRemote
        let missed = Double(known.missed + 1) / Double(known.came + known.missed + 5)
        return min(1, max(0, (0.8 - missed) / 0.3))
    }

    /// The share of exits that are not scanned: one in fifty, with the weight of fifty, before more is known.
    var missedExit: Double { Double(inferred + 1) / Double(left + inferred + 50) }

    /// Counts a called customer of a channel, who came or did not.
    ///
    /// - Parameter isSilent: Whether the customer had been asked whether they are coming, and had not answered.
    mutating func count(
        _ part: WritableKeyPath<Turnout, Int64>, of channel: Channel, isSilent: Bool
    ) {
        if isSilent {
            silent.count(part, remembering: Self.forgetting)
            countQuestion(\.unanswered)
        } else {
            turnout[channel].count(part, remembering: Self.forgetting)
        }
        if channel == .remote { latelyRemote.count(part, remembering: Self.lastOnes) }
    }

    /// Counts a customer who went out, scanned or not.
    mutating func count(_ part: WritableKeyPath<Attendance, Int64>) {
        self[keyPath: part] += 1
        if left + inferred > Self.forgetting {
            left /= 2
            inferred /= 2
        }
    }
}
