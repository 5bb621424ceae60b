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

    private let declaration = Pattern(
        #"(?m)^( *)((?:@\w+(?:\(.*?\))? |[a-z]+ )*)"#
            + #"(struct|class|enum|actor|protocol|extension|func|typealias|let) `?(\w+)"#)

    private struct Declaration {
        let name: String
        let kind: String
        let isAtTop: Bool
        let isPrivate: Bool
    }

    /// What a file declares or extends, in its order.
    private func declarations(_ file: Tree.File) -> [Declaration] {
        declaration.matches(in: file.text).filter { !$0[2].contains("import") }.map {
            Declaration(
                name: $0[4], kind: $0[3], isAtTop: $0[1].isEmpty,
                isPrivate: $0[2].contains("private"))
        }
    }

    @Test("Each file is named after a type or function in it")
    func files() throws {
        for file in try sources() where !Self.exceptions.contains(file.path) {
            let path = file.path.split(separator: "/")
            let name = path[path.count - 1].dropLast(".swift".count).prefix { $0 != "+" }
                .lowercased()
            if name == "main" { continue }
            let isNamed = declarations(file).contains { $0.name.lowercased() == name }
            #expect(isNamed, "\(file.path) declares nothing of this name")
        }
    }

    @Test("No two types share a name")
    func unique() throws {
        var places: [String: Set<String>] = [:]
        for file in try sources() {
            for found in declarations(file) where found.isAtTop && !found.isPrivate {
                guard !["extension", "func", "let"].contains(found.kind) else { continue }
                places[found.name, default: []].insert(file.path)
            }
        }
        #expect(places.count > 500)
        for (name, files) in places where files.count > 1 {
            Issue.record("\(name): \(files.sorted().joined(separator: ", "))")
        }
    }
}
