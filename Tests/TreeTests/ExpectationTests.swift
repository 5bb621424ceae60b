import Testing

/// `try?` turns the error that would explain a failure into nil, and all nils are the same.
@Suite("Expectations")
struct ExpectationTests {
    /// The text between the parentheses of each `#expect` and `#require`.
    private func expectations(in text: String) -> [Substring] {
        text.matches(of: /#(?:expect|require)\(/).map { match in
            var depth = 1
            let rest = text[match.range.upperBound...]
            let end = rest.firstIndex { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth == 0
            }
            return rest[..<(end ?? rest.endIndex)]
        }
    }

    @Test("No expectation uses try?")
    func errors() throws {
        var count = 0
        for file in try Tree.files(in: ["Tests"], [".swift"]) {
            let found = expectations(in: file.text)
            count += found.count
            #expect(!found.contains { $0.contains("try" + "? ") }, "\(file.path)")
        }
        #expect(count > 3_000)
    }
}
