import Foundation

/// A regular expression that is searched in the whole tree, for which `Regex` needs eight times as long.
struct Pattern: @unchecked Sendable {
    // Foundation says that it may be used by several threads; on Linux it is not declared so.
    private let expression: NSRegularExpression

    /// A pattern that ICU understands; one that it does not understand ends the tests.
    init(_ pattern: String) {
        guard let expression = try? NSRegularExpression(pattern: pattern) else {
            preconditionFailure("not a pattern: \(pattern)")
        }
        self.expression = expression
    }

    /// The matches in a text: of each all that was matched, and then its groups, empty where one matched nothing.
    func matches(in text: String) -> [[String]] {
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
