public import Metrics

/// Measurements of the store's transactions, for metrics.
public final class StoreMeter: Sendable {
    public enum Outcome: String, Hashable, Sendable { case committed, failed }

    /// The number of commands in each transaction that had any.
    public let commands = Distribution<Outcome>(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    /// How long deciding, writing and flushing took, in seconds.
    public let seconds = Distribution<Outcome>(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

    func count(_ batch: Int, since start: ContinuousClock.Instant, _ outcome: Outcome) {
        guard batch > 0 else { return }
        let took = ContinuousClock.now - start
        commands.observe(Double(batch), outcome)
        seconds.observe(took / .seconds(1), outcome)
    }
}
