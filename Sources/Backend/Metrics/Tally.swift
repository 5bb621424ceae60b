internal import Synchronization

/// Counts by key, under one lock: about 50 ns for each event.
///
/// There should be few keys: events of further keys above `maxKeys` are not counted.
public final class Tally<Key: Hashable & Sendable>: Sendable {
    private let maxKeys: Int
    private let counts = Mutex<[Key: Int]>([:])

    /// - Parameter maxKeys: The number of keys that are kept; a bound for keys that come from outside.
    public init(maxKeys: Int = 1_000) { self.maxKeys = maxKeys }

    public func count(_ key: Key) {
        counts.withLock { counts in
            guard counts[key] != nil || counts.count < maxKeys else { return }
            counts[key, default: 0] += 1
        }
    }

    public var values: [Key: Int] { counts.withLock { $0 } }
}

/// Histograms by key with the same bounds, under one lock.
public final class Distribution<Key: Hashable & Sendable>: Sendable {
    private let bounds: [Double]
    private let maxKeys: Int
    private let histograms = Mutex<[Key: HistogramValue]>([:])

    public init(bounds: [Double], maxKeys: Int = 100) {
        self.bounds = bounds
        self.maxKeys = maxKeys
    }

    public func observe(_ value: Double, _ key: Key) {
        histograms.withLock { histograms in
            guard histograms[key] != nil || histograms.count < maxKeys else { return }
            histograms[key, default: HistogramValue(bounds: bounds)].observe(value)
        }
    }

    public var values: [Key: HistogramValue] { histograms.withLock { $0 } }

    /// The histograms with one label, in the order of its values.
    public func samples(
        _ label: String, _ text: (Key) -> String
    ) -> [(labels: [Label], value: HistogramValue)] {
        values.map { ([Label(label, text($0.key))], $0.value) }
            .sorted { $0.labels[0].value < $1.labels[0].value }
    }
}

extension Tally {
    /// The counts with the labels of their keys, in the order of the labels' values.
    public func samples(
        _ labels: (Key) -> [Label]
    ) -> [(labels: [Label], value: Double)] {
        values.map { (labels($0.key), Double($0.value)) }
            .sorted { $0.0.map(\.value).lexicographicallyPrecedes($1.0.map(\.value)) }
    }
}
