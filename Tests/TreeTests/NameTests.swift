import Testing

/// A reader who knows a type's name finds its file, and no other type of the same name.
@Suite("Names of types and of their files")
struct NameTests {
    /// Files whose contents have no name of their own, each with the reason.
    private static let exceptions: Set<String> = [
        // What the wire alone has: small bodies of several calls.
        "Sources/Shared/BackendAPI/Bodies.swift",
        // A check for each parser.
        "Tests/ForeignParsersTests/Parsers/TextParsers.swift",
        "Tests/ForeignParsersTests/Parsers/WireParsers.swift",
    ]

    private func sources() throws -> [Tree.File] {
        try Tree.files(in: ["Sources", "Tests"], [".swift"])
    }

    /// What a line declares or extends: its name, and whether other files see it.
    private func declared(_ line: Substring) -> (name: String, kind: String, isPrivate: Bool)? {
        let pattern =
            /^ *((?:@\w+(?:\(.*?\))? |[a-z]+ )*)(struct|class|enum|actor|protocol|extension|func|typealias|let) `?(\w+)/
        guard let match = line.prefixMatch(of: pattern), !match.1.contains("import")
        else { return nil }
        return (String(match.3), String(match.2), match.1.contains("private"))
    }

    @Test("Each file is named after a type or function in it")
    func files() throws {
        for file in try sources() where !Self.exceptions.contains(file.path) {
            let path = file.path.split(separator: "/")
            let name = path[path.count - 1].dropLast(".swift".count).prefix { $0 != "+" }
                .lowercased()
            if name == "main" { continue }
            // Most files declare it in one of their first lines.
            let isNamed = file.lines.contains { declared($0)?.name.lowercased() == name }
            #expect(isNamed, "\(file.path) declares nothing of this name")
        }
    }

    @Test("No two types share a name")
    func unique() throws {
        var places: [String: Set<String>] = [:]
        for file in try sources() {
            for line in file.lines where !line.hasPrefix(" ") {
                guard let (name, kind, isPrivate) = declared(line), !isPrivate,
                    !["extension", "func", "let"].contains(kind)
                else { continue }
                places[name, default: []].insert(file.path)
            }
        }
        #expect(places.count > 500)
        for (name, files) in places where files.count > 1 {
            Issue.record("\(name): \(files.sorted().joined(separator: ", "))")
        }
    }
}
