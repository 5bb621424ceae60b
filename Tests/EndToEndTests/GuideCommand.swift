import Foundation
import TestSupport

/// A command of a guide, as its reader copies it from a shell block.
struct GuideCommand: Hashable, CustomStringConvertible {
    let document: String
    /// The number of its block in the document; the commands of a block build on each other.
    let block: Int
    let line: Int
    /// The command without the comment behind it, in one line.
    let text: String

    var description: String { "\(document):\(line): \(text)" }

    /// The commands of a document.
    static func all(in text: String, of document: String) -> [GuideCommand] {
        var commands: [GuideCommand] = []
        var blocks = 0
        var isInside = false
        /// The lines of a command that a backslash continues.
        var begun = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("```") {
                isInside = line == "```sh"
                blocks += isInside ? 1 : 0
            } else if isInside, line.hasSuffix("\\") {
                begun += line.dropLast()
            } else if isInside, !line.isEmpty {
                let whole = (begun + line).split(separator: " # ", maxSplits: 1)[0]
                begun = ""
                commands.append(
                    GuideCommand(
                        document: document, block: blocks, line: index + 1,
                        text: whole.trimmingCharacters(in: .whitespaces)))
            }
        }
        return commands
    }

    /// Every guide: its path from the top folder and its text.
    static func guides() throws -> [(path: String, text: String)] {
        let top = Tool.repository
        let folders = ["Kiosk", "Tests", "Sources", "Assets", "Assets/Api"]
        let paths = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
        return try (["README.md"] + paths).map {
            ($0, try String(contentsOf: top.appending(path: $0), encoding: .utf8))
        }
    }

    /// A call of one of the two programs: the words before its first option, and its options.
    struct Call: Hashable {
        let program: String
        let words: [String]
        let options: [String]
    }

    /// The calls of the two programs in a text, in blocks and in code spans.
    static func calls(in text: String) -> [Call] {
        text.matches(
            of: /(?:`|^ *|-- )(clup-backend|clup-kiosk) ((?:\\\n|[^`\n])*)/
                .anchorsMatchLineEndings()
        )
        .map { match in
            let command = match.output.2.split(separator: " # ", maxSplits: 1).first ?? ""
            let words = command.split { " \\\n".contains($0) }.map(String.init)
            return Call(
                program: String(match.output.1),
                words: Array(
                    words.prefix {
                        $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-")
                    }),
                options: words.filter { $0.hasPrefix("--") && $0 != "--" }
                    .map { String($0.prefix { $0 != "=" }) })
        }
    }
}
