internal import Synchronization

/// Counts by key, under one lock: about 50 ns for each event.
///
/// There should be few keys: events of further keys above `most` are not counted.
public final class Tally<Key: Hashable & Sendable>: Sendable {
    private let most: Int
    private let counts = Mutex<[Key: Int]>([:])

    /// - Parameter most: The number of keys that are kept; a bound for keys that come from outside.
    public init(most: Int = 1_000) { self.most = most }

    public func count(_ key: Key) {
        counts.withLock { counts in
            if let known = counts.index(forKey: key) {
                counts.values[known] += 1
            } else if counts.count < most {
                counts[key] = 1
            }
        }
    }

    public var values: [Key: Int] { counts.withLock { $0 } }
}

/// Histograms by key with the same bounds, under one lock.
public final class Distribution<Key: Hashable & Sendable>: Sendable {
    private let bounds: [Double]
    private let most: Int
    private let histograms = Mutex<[Key: HistogramValue]>([:])

    public init(bounds: [Double], most: Int = 100) {
        self.bounds = bounds
        self.most = most
    }

    public func observe(_ value: Double, _ key: Key) {
        histograms.withLock { histograms in
            if let known = histograms.index(forKey: key) {
                histograms.values[known].observe(value)
            } else if histograms.count < most {
                var first = HistogramValue(bounds: bounds)
                first.observe(value)
                histograms[key] = first
            }
        }
    }

    public var values: [Key: HistogramValue] { histograms.withLock { $0 } }
}
