import Testing

/// One thing has one word everywhere: the last table of the glossary lists the words that are not used.
@Suite("Words of the glossary")
struct WordTests {
    /// Names that stored data or other programs have, and where they occur in code.
    private static let exceptions: [(file: String, word: String)] = [
        // Columns of databases that shops have.
        ("Sources/Backend/ReservationStore/Administration+Machines.swift", "fate"),
        ("Sources/Backend/ReservationStore/Database+Occupancy.swift", "strangers"),
        ("Sources/Backend/ReservationStore/Database+RefusedRequests.swift", "wishes"),
        ("Sources/TicketMachine/KioskJournal/KioskJournal.swift", "settled"),
    ]

    /// The words that are not used, each with the words to use instead.
    private func replacements() throws -> [String: String] {
        let lines = try Tree.file("Sources/GLOSSARY.md").lines
        let rows = lines.drop { $0 != "## Words we do not use" }.filter { $0.hasPrefix("| ") }
        // The first two rows are the head. A word in parentheses is meant in one sense only, which no program can see.
        let pairs = rows.dropFirst(2).map { $0.split(separator: "|").map(Self.trimmed) }
            .filter { !$0[0].contains("(") }
            .flatMap { row in row[0].split(separator: ",").map { (Self.trimmed($0), row[1]) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The words of a sentence, without what is quoted as code or literally.
    private static func words(ofSentence text: some StringProtocol) -> Set<String> {
        var sentence = String(text)
        for quote in ["`", "\""] {
            let parts = sentence.split(separator: quote, omittingEmptySubsequences: false)
            sentence = stride(from: 0, to: parts.count, by: 2).map { String(parts[$0]) }.joined(
                separator: ".")
        }
        let words = sentence.lowercased().split { !$0.isLetter }.map(String.init)
        return Set(words).union(zip(words, words.dropFirst()).map { "\($0) \($1)" })
    }

    @Test("No name, comment or document has a word that the glossary replaces")
    func replaced() throws {
        let replacements = try replacements()
        #expect(replacements.count > 35, "\(replacements)")
        var unused = Set(Self.exceptions.map { "\($0.file) \($0.word)" })
        func check(_ words: Set<String>, at place: String, in path: String) {
            for word in words {
                guard let better = replacements[word] else { continue }
                if Self.exceptions.contains(where: { $0.file == path && $0.word == word }) {
                    unused.remove("\(path) \(word)")
                } else {
                    Issue.record("\(place): \"\(word)\"; use instead: \(better)")
                }
            }
        }
        for file in try Tree.files(in: ["Sources", "Tests"], [".swift"]) {
            let text = SwiftText(file)
            for (index, (code, comment)) in zip(text.code, text.comments).enumerated() {
                let place = "\(file.path):\(index + 1)"
                check(SwiftText.words(ofNamesIn: code), at: place, in: file.path)
                check(Self.words(ofSentence: comment), at: place, in: file.path)
            }
        }
        for file in try Tree.texts()
        where file.path.hasSuffix(".md") && file.path != "Sources/GLOSSARY.md" {
            for (index, line) in file.lines.enumerated() {
                check(Self.words(ofSentence: line), at: "\(file.path):\(index + 1)", in: file.path)
            }
        }
        #expect(unused.isEmpty, "No longer needed: \(unused.sorted())")
    }

    @Test("A word is found in a name, a comment and a document")
    func isFound() {
        #expect(
            SwiftText.words(ofNamesIn: "func maxPINAttempts(toldWait: Int)").isSuperset(of: [
                "pin", "told", "wait",
            ]))
        #expect(!SwiftText.words(ofNamesIn: "let stolder = 1").contains("told"))
        #expect(
            Self.words(ofSentence: "/// Nobody, of the white list.").isSuperset(of: [
                "nobody", "white list",
            ]))
        #expect(!Self.words(ofSentence: "the column `obeyed` of \"anew\"").contains("obeyed"))
        let text = SwiftText(Tree.File(path: "", text: "let a = \"told // \\\" b\" // he said"))
        #expect(text.code == ["let a =  "] && text.comments == ["// he said"])
    }
}
