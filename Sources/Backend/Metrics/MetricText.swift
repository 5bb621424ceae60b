/// Metrics as Prometheus reads them (text format 0.0.4,
/// https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// A metric's HELP and TYPE come once, before all its samples; names are not repeated under another type.
public struct MetricText {
    /// The meaning of a metric's samples.
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var lines: [String] = []
    private var names: Set<String> = []

    public init() {}

    /// All lines, each with its line end.
    public var text: String { lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n") }

    /// Adds a metric with one sample for each set of labels; a metric without samples is left out.
    public mutating func add(
        _ name: String, _ kind: Kind, help: String, _ samples: [(labels: [Label], value: Double)]
    ) {
        guard !samples.isEmpty else { return }
        begin(name, kind, help)
        for sample in samples { line(name, sample.labels, sample.value) }
    }

    /// Adds a metric with one sample and no label.
    public mutating func add(_ name: String, _ kind: Kind, help: String, _ value: Double) {
        add(name, kind, help: help, [(labels: [], value: value)])
    }

    /// Adds a histogram for each set of labels: cumulative buckets up to `+Inf`, sum and count.
    public mutating func add(
        _ name: String, help: String, _ histograms: [(labels: [Label], value: HistogramValue)]
    ) {
        guard !histograms.isEmpty else { return }
        begin(name, .histogram, help)
        for (labels, value) in histograms {
            var total = 0
            for (index, count) in value.counts.enumerated() {
                total += count
                let bound = index < value.bounds.count ? Self.number(value.bounds[index]) : "+Inf"
                line("\(name)_bucket", labels + [Label("le", bound)], Double(total))
            }
            line("\(name)_sum", labels, value.sum)
            line("\(name)_count", labels, Double(total))
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        precondition(
            Self.isName(name) && names.insert(name).inserted, "each metric once, well named")
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(kind.rawValue)")
    }

    private mutating func line(_ name: String, _ labels: [Label], _ value: Double) {
        let inside = labels.map { "\($0.name)=\"\($0.escaped)\"" }.joined(separator: ",")
        lines.append("\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(Self.number(value))")
    }

    /// The text of a number: whole numbers without a point, infinities and NaN as the format spells them.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    static func isName(_ text: String) -> Bool {
        text.first?.isNumber == false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "_:".contains($0) }
    }
}

/// A dimension of a metric; each value of it is a series of its own, so values are few.
public struct Label: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The value with backslash, quote and line end escaped, and nothing more.
    var escaped: String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}

/// The counts of a histogram: how many values up to each bound, and above the last.
public struct HistogramValue: Hashable, Sendable {
    /// Upper bounds in ascending order; a value equal to a bound belongs to it.
    public let bounds: [Double]
    /// One count more than there are bounds: the last is of values above all of them.
    public internal(set) var counts: [Int]
    public internal(set) var sum = 0.0

    public init(bounds: [Double]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "bounds grow")
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    public mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
