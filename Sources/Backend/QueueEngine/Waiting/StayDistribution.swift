internal import Glibc

/// How long customers stay: lognormal, in minutes.
public struct StayDistribution: Hashable, Sendable {
    /// The arithmetic mean, above 0.
    public let mean: Double

    /// Mean and standard deviation of the logarithm.
    let logMean: Double
    let logDeviation: Double

    /// - Parameter variation: The standard deviation divided by the mean; 0 if all customers stay equally long.
    public init(mean: Double, variation: Double) {
        self.mean = mean
        let variance = log(1 + variation * variation)
        logDeviation = variance.squareRoot()
        logMean = log(mean) - variance / 2
    }

    /// Creates the distribution from the mean and deviation of the logarithm of stays.
    init(logMean: Double, logDeviation: Double) {
        self.logMean = logMean
        self.logDeviation = logDeviation
        mean = exp(logMean + logDeviation * logDeviation / 2)
    }

    /// The distribution if everybody stayed so many times as long.
    func scaled(by factor: Double) -> StayDistribution {
        StayDistribution(logMean: logMean + log(factor), logDeviation: logDeviation)
    }

    /// The stay that the share `p` of customers does not exceed, for `p` between 0 and 1 exclusive.
    public func quantile(_ p: Double) -> Double {
        exp(logMean + logDeviation * NormalDistribution.quantile(p))
    }

    /// The share of customers who stay longer than `minutes`.
    public func survival(_ minutes: Double) -> Double {
        guard minutes > 0 else { return 1 }
        guard logDeviation > 0 else { return minutes < mean ? 1 : 0 }
        return NormalDistribution.survival((log(minutes) - logMean) / logDeviation)
    }

    /// The stay that the share `upper` of customers exceeds; exact for shares near 0.
    func upperQuantile(_ upper: Double) -> Double {
        exp(logMean - logDeviation * NormalDistribution.quantile(upper))
    }
}
