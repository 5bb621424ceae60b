/// What a comment, the name of a test or a document cites: a decision ("rules: codes, scans"), a fault ("faults 12-14")
/// or a requirement ("[UC11, R10]").
struct Citation: Hashable, CustomStringConvertible {
    enum Document: String {
        case decisions = "Sources/DECISIONS.md"
        case faults = "Tests/FAULTS.md"
        case requirements = "Sources/REQUIREMENTS.md"
    }

    let document: Document
    /// The name of a decision, the number of a fault, the name of a requirement, or "UC11, exception 2".
    let anchor: String

    init(_ document: Document, _ anchor: some StringProtocol) {
        self.document = document
        self.anchor = String(anchor)
    }

    var description: String { "\(anchor) of \(document.rawValue)" }

    /// A blank, also where a comment is broken into two lines.
    private static let blank = #"(?: |\n *(?:///?|#|\*) *)"#
    private static let named = Pattern(
        #"\b[Rr]ules:\#(blank)([a-z][a-z-]*(?:,\#(blank)[a-z][a-z-]*)*)"#)
    private static let word = Pattern(#"[a-z][a-z-]*"#)
    private static let numbered = Pattern(
        #"\b[Ff]aults?\#(blank)(\d+(?:(?:-|, | and )\d+)*)"#)
    // Use cases and tests of Click-And-Collect are counted on their own.
    private static let useCase = Pattern(
        #"\b(?:(?:UC|SP)|Click-And-Collect (?:UC|TC))\d+(?:, exception \d+)?"#)
    private static let bracketed = Pattern(#"\[((?:UC|SP|R)\d[^\[\]\n]*)\]"#)
    private static let requirement = Pattern(#"\bR\d+(?:\.\d+)?"#)
    private static let design = Pattern(#"\[(DD, [^\[\]\n]*)\]"#)

    /// Every citation of a text, also one that a comment breaks into two lines.
    static func all(in text: String) -> [Citation] {
        let named = named.matches(in: text).flatMap { match in
            word.matches(in: match[1]).map { Citation(.decisions, $0[0]) }
        }
        let numbered = numbered.matches(in: text).flatMap { match in
            numbers(match[1]).map { Citation(.faults, "\($0)") }
        }
        let others =
            useCase.matches(in: text).map { $0[0] }
            + bracketed.matches(in: text).flatMap {
                requirement.matches(in: $0[1]).map { $0[0] }
            }
            + design.matches(in: text).map { $0[1] }
        return named + numbered + others.map { Citation(.requirements, $0) }
    }

    /// The numbers in "12-14, 19" and "12 and 13".
    private static func numbers(_ list: String) -> [Int] {
        list.replacing(" and ", with: ", ").split(separator: ", ").flatMap { part in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first < last else { return ends }
            return Array(first...last)
        }
    }

    /// The anchors that can be cited in a document.
    static func anchors(_ document: Document, _ text: String) -> Set<Citation> {
        var anchors: Set<Citation> = []
        var requirement: Substring?
        for line in text.split(separator: "\n") {
            switch document {
            case .decisions:
                guard let match = line.firstMatch(of: #/^##+ .+ \[rules: ([a-z-]+)\]$/#) else {
                    continue
                }
                anchors.insert(Citation(document, match.output.1))
            case .faults:
                guard let match = line.firstMatch(of: #/^\| (\d+) \|/#) else { continue }
                anchors.insert(Citation(document, match.output.1))
            case .requirements:
                if line.hasPrefix("### ") {
                    requirement = line.dropFirst("### ".count)
                    anchors.insert(Citation(document, requirement ?? ""))
                } else if let requirement, let match = line.firstMatch(of: #/^(\d+)\. /#) {
                    anchors.insert(
                        Citation(document, "\(requirement), exception \(match.output.1)"))
                }
            }
        }
        return anchors
    }
}
