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
enum Budget {
    case atMost(Double)
    case atLeast(Double)

    var value: Double {
        switch self {
        case .atMost(let value), .atLeast(let value): value
        }
    }

    var limit: String {
        switch self {
        case .atMost: "at-most"
        case .atLeast: "at-least"
        }
    }

    func holds(_ figure: Double) -> Bool {
        switch self {
        case .atMost(let value): figure <= value
        case .atLeast(let value): figure >= value
        }
    }
}

/// Prints figures as they come, one line of JSON each, and remembers which budgets are met.
final class Report {
    private struct Line {
        let figure: String
        let value: Double
        let unit: String
        let floor: Floor?
        let ratio: Double?
        let budget: Double?
        let limit: String?
        let holds: Bool?
        let n: Int?
    }

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
        write(
            Line(
                figure: name, value: value.rounded(digits: 4), unit: unit, floor: floor,
                ratio: ratio.map { $0.rounded(digits: 3) }, budget: budget?.value,
                limit: budget?.limit, holds: holds, n: n))
    }

    /// Reports how many budgets are met; the names of the others go to the standard error.
    func conclude() {
        let all = held + broken.count
        guard all > 0 else { return }
        write(
            Line(
                figure: "budgets", value: Double(held), unit: "held", floor: nil, ratio: nil,
                budget: Double(all), limit: "at-least", holds: broken.isEmpty, n: nil))
        if !broken.isEmpty { Progress.say("do not hold: \(broken.joined(separator: ", "))") }
    }

    /// Writes in the order of the fields above, because a person reads this too and JSONEncoder has another order.
    private func write(_ line: Line) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        func field(_ name: String, _ value: (some Encodable)?) -> String? {
            guard let value, let data = try? encoder.encode(value) else { return nil }
            return "\"\(name)\":" + String(decoding: data, as: UTF8.self)
        }
        let fields = [
            field("figure", line.figure), field("value", line.value), field("unit", line.unit),
            field("floor", line.floor), field("ratio", line.ratio), field("budget", line.budget),
            field("limit", line.limit), field("holds", line.holds), field("n", line.n),
        ]
        print("{" + fields.compactMap(\.self).joined(separator: ",") + "}")
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
