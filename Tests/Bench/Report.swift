import FoundationEssentials
import Glibc

/// A value that a figure is compared with, measured in the same run and in the same unit.
struct Floor: Encodable {
    let what: String
    let value: Double

    init(_ what: String, _ value: Double) {
        self.what = what
        self.value = value.rounded(digits: 4)
    }
}

/// The limit that a figure must keep.
struct Budget {
    let value: Double
    let isMost: Bool

    static func atMost(_ value: Double) -> Budget { Budget(value: value, isMost: true) }
    static func atLeast(_ value: Double) -> Budget { Budget(value: value, isMost: false) }

    var limit: String { isMost ? "at-most" : "at-least" }

    func holds(_ figure: Double) -> Bool { isMost ? figure <= value : figure >= value }
}

/// Prints figures as they come, one line of JSON each, and remembers which budgets are met.
final class Report {
    private var held = 0
    private var broken: [String] = []

    var allHold: Bool { broken.isEmpty }

    func figure(
        _ name: String, _ value: Double, _ unit: String, floor: Floor? = nil,
        budget: Budget? = nil, n: Int? = nil
    ) {
        let holds = budget.map { $0.holds(value) }
        if let holds {
            if holds { held += 1 } else { broken.append(name) }
        }
        let ratio = floor.flatMap { $0.value > 0 ? value / $0.value : nil }
        write([
            ("figure", name), ("value", value.rounded(digits: 4)), ("unit", unit),
            ("floor", floor), ("ratio", ratio.map { $0.rounded(digits: 3) }),
            ("budget", budget?.value), ("limit", budget?.limit), ("holds", holds), ("n", n),
        ])
    }

    /// Reports a percentile of durations, beside the same one of the floor's.
    func time(
        _ name: String, _ percent: Double, of samples: BenchSamples,
        floor: (what: String, samples: BenchSamples)? = nil, budget: Budget? = nil
    ) {
        figure(
            name, samples.milliseconds(percent), "ms",
            floor: floor.map { Floor($0.what, $0.samples.milliseconds(percent)) }, budget: budget,
            n: samples.count)
    }

    /// Reports two percentiles of durations as `NAME-pNUMBER`, the second one with the budget.
    func times(
        _ name: String, of samples: BenchSamples, _ percents: [Double] = [50, 99],
        suffix: String = "", floor: (what: String, samples: BenchSamples)? = nil,
        budget: Budget? = nil
    ) {
        for percent in percents {
            time(
                "\(name)-p\(Int(percent))\(suffix)", percent, of: samples, floor: floor,
                budget: percent == percents.last ? budget : nil)
        }
    }

    /// Reports how many budgets are met; the names of the others go to the standard error.
    func conclude() {
        let all = held + broken.count
        guard all > 0 else { return }
        write([
            ("figure", "budgets"), ("value", Double(held)), ("unit", "held"),
            ("budget", Double(all)), ("limit", "at-least"), ("holds", broken.isEmpty),
        ])
        if !broken.isEmpty { Progress.say("do not hold: \(broken.joined(separator: ", "))") }
    }

    /// Writes in this order of the fields, because a person reads this too and JSONEncoder has another order.
    private func write(_ fields: [(name: String, value: (any Encodable)?)]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let texts = fields.compactMap { name, value -> String? in
            guard let value, let data = try? encoder.encode(value) else { return nil }
            return "\"\(name)\":" + String(decoding: data, as: UTF8.self)
        }
        print("{" + texts.joined(separator: ",") + "}")
        fflush(nil)
    }
}

/// Reports progress on the standard error, so that only figures are on the standard output.
enum Progress {
    static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

extension Double {
    func rounded(digits: Int) -> Double {
        let scale = pow(10, Double(digits))
        return (self * scale).rounded() / scale
    }
}
