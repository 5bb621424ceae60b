public import Metrics

/// Measurements of the store's transactions, for metrics.
public final class StoreMeter: Sendable {
    public enum Fate: String, Hashable, Sendable {
        case committed, failed
    }

    /// The number of commands in each transaction that had any.
    public let commands = Distribution<Fate>(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    /// How long deciding, writing and flushing took, in seconds.
    public let seconds = Distribution<Fate>(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

    func count(_ batch: Int, since start: ContinuousClock.Instant, _ fate: Fate) {
        guard batch > 0 else { return }
        let took = ContinuousClock.now - start
        commands.observe(Double(batch), fate)
        seconds.observe(took / .seconds(1), fate)
    }
}
