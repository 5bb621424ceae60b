import Testing

/// A case that is added to one of our enums must be considered in every switch: `default:` would take it silently.
@Suite("Switches over our own enums")
struct SwitchTests {
    /// Enums of the language and of libraries, to which cases may be added that we do not know.
    private static let foreign = ["generalCategory"]

    private struct Switch {
        let place: String
        let expression: Substring
        var patterns: [Substring] = []

        /// Whether a pattern names a case: a dot and a small letter.
        var isOverAnEnum: Bool {
            patterns.contains { $0.contains(/(^case |, |\()\.[a-z]/) }
        }
    }

    /// The text before the colon that ends a pattern; colons within a pattern are in parentheses.
    private func pattern(of line: Substring) -> Substring {
        var depth = 0
        let end = line.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character == ":" && depth == 0
        }
        return end.map { line[..<$0] } ?? line
    }

    /// The switches with a `default:`; the code is formatted, so cases are indented as deep as their switch.
    private func withDefault(_ file: Tree.File) -> [Switch] {
        var open: [(depth: Int, found: Switch)] = []
        var found: [Switch] = []
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            let depth = line.utf8.count - text.utf8.count
            if text.hasPrefix("case ") || text.hasPrefix("default:") {
                open.removeAll { $0.depth > depth }
                guard let last = open.indices.last, open[last].depth == depth else { continue }
                if text.hasPrefix("case ") {
                    open[last].found.patterns.append(pattern(of: text))
                } else {
                    found.append(open[last].found)
                }
            }
            if text.hasSuffix(" {"), let match = text.firstMatch(of: /(^|[ (])switch (.*) \{$/) {
                open.removeAll { $0.depth >= depth }
                open.append(
                    (
                        depth,
                        Switch(place: "\(file.path):\(index + 1)", expression: match.output.2)
                    ))
            }
        }
        return found
    }

    @Test("No such switch has a default")
    func noDefault() throws {
        let switches = try Tree.files(in: ["Sources"], [".swift"]).flatMap(withDefault)
        // Switches over texts and numbers have one, which shows that the search finds them.
        #expect(switches.count > 20)
        for found in switches where found.isOverAnEnum {
            let isForeign = Self.foreign.contains { found.expression.hasSuffix($0) }
            #expect(isForeign, "\(found.place): switch \(found.expression)")
        }
    }

    @Test("A default on an enum is found if there is one")
    func isFound() {
        let file = Tree.File(
            path: "x",
            text: """
                switch color {
                case .red: 1
                default: 2
                }
                switch 3 {
                case 4: 5
                default: 6
                }
                """)
        #expect(withDefault(file).map(\.isOverAnEnum) == [true, false])
    }
}
