internal import Glibc
internal import Reservations

/// Observed durations of one kind and their sums, in millionths, so that both database engines add them up alike.
///
/// The sums are of natural logarithms of minutes, as the durations are lognormal.
public struct DurationSums: Hashable, Sendable {
    public var count: Int64 = 0
    /// The sum of the logarithms, times 10^6.
    public var logs: Int64 = 0
    /// The sum of the squares of the logarithms, times 10^6.
    public var squares: Int64 = 0

    /// With more observations than this, the older ones count half, because habits change.
    private static let forgetting: Int64 = 1_000

    public init(count: Int64 = 0, logs: Int64 = 0, squares: Int64 = 0) {
        self.count = count
        self.logs = logs
        self.squares = squares
    }

    static func + (left: DurationSums, right: DurationSums) -> DurationSums {
        DurationSums(
            count: left.count + right.count, logs: left.logs + right.logs,
            squares: left.squares + right.squares)
    }

    static func - (left: DurationSums, right: DurationSums) -> DurationSums {
        DurationSums(
            count: left.count - right.count, logs: left.logs - right.logs,
            squares: left.squares - right.squares)
    }

    /// The sums with one more observation; nil if it is not among the plausible minutes.
    func learning(_ time: Duration, plausible: ClosedRange<Double>) -> DurationSums? {
        let minutes = time.inMinutes
        guard plausible.contains(minutes) else { return nil }
        let value = log(minutes)
        let former =
            count >= Self.forgetting
            ? DurationSums(count: count / 2, logs: logs / 2, squares: squares / 2) : self
        return former
            + DurationSums(
                count: 1, logs: Int64((value * 1e6).rounded()),
                squares: Int64((value * value * 1e6).rounded()))
    }

    /// The sums of the same durations if each were so many times as long.
    func scaled(by factor: Double) -> DurationSums {
        let shift = log(factor)
        return DurationSums(
            count: count, logs: logs + Int64((Double(count) * shift * 1e6).rounded()),
            squares: squares
                + Int64(
                    (2 * shift * Double(logs) + Double(count) * shift * shift * 1e6).rounded()))
    }

    /// A normal prior of the logarithm, which weighs as much as `weight` observations, updated by these.
    func updating(_ prior: StayDistribution, weight: Double) -> StayDistribution {
        let count = Double(count)
        guard count > 0 else { return prior }
        let mean = Double(logs) / 1e6 / count
        let spread = max(0, Double(squares) / 1e6 / count - mean * mean)
        let logMean = (weight * prior.logMean + count * mean) / (weight + count)
        let apart = mean - prior.logMean
        let variance =
            (weight * prior.logDeviation * prior.logDeviation + count * spread
                + weight * count / (weight + count) * apart * apart) / (weight + count)
        return StayDistribution(logMean: logMean, logDeviation: variance.squareRoot())
    }
}
