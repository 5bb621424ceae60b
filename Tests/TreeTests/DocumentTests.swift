import Foundation
import Testing

/// Everything that the documents name is in the tree: files, headings, tests, types, variables.
@Suite("Documents")
struct DocumentTests {
    private func documents() throws -> [Tree.File] {
        let documents = try Tree.texts().filter { $0.path.hasSuffix(".md") }
        try #require(documents.count > 15)
        return documents
    }

    /// Expects that more names than this were found, and that each of them exists.
    private func expect(
        _ found: [(place: String, name: String)], atLeast least: Int,
        exist: (String) -> Bool
    ) {
        #expect(found.count > least, "\(found.count)")
        for (place, name) in found where !exist(name) { Issue.record("\(place): \(name)") }
    }

    /// The path that a link in a file leads to, without `..` and without its heading.
    private func target(_ link: Substring, in file: Tree.File) -> String {
        var parts = link.hasPrefix("#") ? [] : file.path.split(separator: "/").dropLast()
        for part in link.prefix(while: { $0 != "#" }).split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return link.hasPrefix("#") ? file.path : parts.joined(separator: "/")
    }

    /// The names by which the headings of a file can be linked, as GitHub makes them.
    private func headings(_ file: Tree.File) -> Set<String> {
        Set(
            file.lines.filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }

    /// The names of metrics in a text, without the endings of a histogram's series.
    private func metrics(_ text: String) -> Set<String> {
        Set(
            text.matches(of: /\b(clup_[a-z_]+?)(?:_bucket|_count|_sum)?\b/)
                .map { String($0.output.1) })
    }

    @Test("What the packages have as documents and examples is in the tree that they are made of")
    func packaged() throws {
        let package = try Tree.file("Kiosk/package").text
        var named: [String] = []
        for list in ["clup-backend.examples", "clup-backend.docs", "clup-kiosk.docs"] {
            named += try Tree.file("Kiosk/debian/\(list)").lines.map { String($0) }
        }
        named.removeAll { $0.isEmpty || $0.contains("*") }
        try #require(named.count >= 5)
        for path in named {
            // There `Kiosk/debian` is `debian`, and of `Kiosk` there is what the script copies.
            let isOwn = path.hasPrefix("debian/")
            let place = Tree.top.appending(path: isOwn ? "Kiosk/\(path)" : path).path
            #expect(FileManager.default.fileExists(atPath: place), "\(path)")
            #expect(!path.hasPrefix("Kiosk/") || package.contains(" \(path) "), "\(path)")
        }
    }

    @Test("The guide lists the metrics that the backend writes, and the dashboard uses no other")
    func metrics() throws {
        let sources = [
            "Sources/Backend/BackendService/ServiceMetrics.swift",
            "Sources/Programs/BackendCommands/MetricsServer.swift",
        ]
        let written = try sources.reduce(into: Set<String>()) { names, path in
            names.formUnion(metrics(try Tree.file(path).text))
        }
        #expect(written.count > 12)
        let guide = try Tree.file("Kiosk/metrics-and-logs.md")
        let rows = guide.lines.filter { $0.hasPrefix("| `clup_") }.joined(separator: "\n")
        #expect(metrics(rows) == written)
        let dashboard = try Tree.file("Kiosk/grafana/clup-backend.json")
        #expect(metrics(dashboard.text).isSubset(of: written))
    }

    @Test("Every link leads to a file and a heading that exist")
    func links() throws {
        let documents = try documents()
        let paths = Tree.paths()
        let headings = Dictionary(
            uniqueKeysWithValues: documents.map { ($0.path, self.headings($0)) })
        var count = 0
        for file in documents {
            for match in file.text.matches(of: /\]\(([^)\s]+)\)/) {
                let link = match.output.1
                guard !link.contains("://") else { continue }
                count += 1
                let path = target(link, in: file)
                let exists = paths.contains(path)
                #expect(exists, "\(file.path): \(link)")
                guard let mark = link.firstIndex(of: "#") else { continue }
                let heading = String(link[link.index(after: mark)...])
                #expect(headings[path]?.contains(heading) == true, "\(file.path): \(link)")
            }
        }
        #expect(count > 50, "\(count)")
    }

    private let path = Pattern(
        #"(?:^|[^\w/.$}"])((?:Sources|Tests|Kiosk|Assets)/[\w./+*-]*[\w*])"#)

    /// The paths from the top that a text names, without the part after a `*`.
    private func named(_ text: String) -> [String] {
        path.matches(in: text).map { match in
            guard let star = match[1].firstIndex(of: "*") else { return match[1] }
            let before = match[1][..<star]
            return String(before[..<(before.lastIndex(of: "/") ?? star)])
        }
    }

    @Test("Every path that a text names from the top exists")
    func paths() throws {
        let paths = Tree.paths()
        let found = try Tree.texts().flatMap { file in
            named(file.text).map { (file.path, $0) }
        }
        expect(found, atLeast: 400, exist: paths.contains)
        let folder = "Sources"
        #expect(named("see \(folder)/Nowhere/x, Tests/*") == ["Sources/Nowhere/x", "Tests"])
    }

    @Test("Every Swift file that a document names exists")
    func swiftFiles() throws {
        let files = Tree.paths().filter { $0.hasSuffix(".swift") }.map { "/" + $0 }
        let name = Pattern(#"\*?[\w/+-]+\.swift\b"#)
        let found = try documents().flatMap { file in
            name.matches(in: file.text).map { (file.path, $0[0]) }
                .filter { !$0.1.hasPrefix("*") }
        }
        expect(found, atLeast: 100) { name in files.contains { $0.hasSuffix("/" + name) } }
    }

    @Test("Every row of the matrix of faults names tests, and all of them exist")
    func faults() throws {
        var rows: [Int] = []
        for line in try Tree.file("Tests/FAULTS.md").lines {
            guard let row = line.firstMatch(of: /^\| (\d+) \|/), let number = Int(row.output.1)
            else { continue }
            rows.append(number)
            let named = line.matches(of: /`(Tests\/[\w\/]+\.swift)`: ((?:`[\w.]+\/\w+`(?:, )?)+)/)
            #expect(!named.isEmpty, "\(number)")
            for file in named {
                let path = String(file.output.1)
                let text = try Tree.file(path).text
                for test in file.output.2.matches(of: /`(\w+)\.(\w+)\/(\w+)`/) {
                    let (_, target, suite, function) = test.output
                    #expect(
                        path.hasPrefix("Tests/\(target)/")
                            && hasTest(text, suite, function), "\(number): \(test.output.0)")
                }
            }
        }
        #expect(rows == Array(1...rows.count))
    }

    private func hasTest(_ text: String, _ suite: Substring, _ function: Substring?) -> Bool {
        ["struct \(suite) {", "class \(suite): "].contains { text.contains($0) }
            && function.map { name in
                // A function of the suite itself, not one within another function.
                ["    func", "    mutating func"].contains { text.contains("\n\($0) \(name)(") }
            } ?? true
    }

    @Test("Every test that is repeated beside a busy neighbour exists")
    func hurried() throws {
        let named = try Tree.file("Tests/hurried").text.matches(
            of: /(?m)^(\w+)\.(\w+)(?:\/(\w+))?$/)
        #expect(named.count > 40)
        for (target, tests) in Dictionary(grouping: named, by: \.output.1) {
            let files = try Tree.files(in: ["Tests/\(target)"], [".swift"])
            for test in tests {
                let (name, _, suite, function) = test.output
                #expect(files.contains { hasTest($0.text, suite, function) }, "\(name)")
            }
        }
    }

    @Test(
        "Every target is in the guide to the code, and every group in the guide to the tests"
    )
    func targets() throws {
        let rows = try Tree.file("Sources/README.md").text.matches(of: /\n\|[^|]*\| ([\w, -]+) \|/)
        let table = Set(rows.flatMap { $0.output.1.components(separatedBy: ", ") })
        let tests = try Tree.file("Tests/README.md").text
        let parts = Tree.paths().map { $0.split(separator: "/").map(String.init) }
        let sources = parts.filter { $0.count == 3 && $0[0] == "Sources" && $0[1] != "C" }
            .map { $0[2] }.filter { !$0.contains(".") }
        let groups = parts.filter { $0.count == 2 && $0[0] == "Tests" && $0[1].hasSuffix("Tests") }
            .map { $0[1] }
        expect(sources.map { ("Sources", $0) }, atLeast: 40, exist: table.contains)
        expect(groups.map { ("Tests", $0) }, atLeast: 20, exist: tests.contains)
    }

    @Test("Every variable of the environment that is read is explained, and no other one is")
    func variables() throws {
        let variable = Pattern(#"\bCLUP_[A-Z]+(?:_[A-Z]+)*\b"#)
        func variables(_ text: String) -> Set<String> {
            Set(variable.matches(in: text).map { $0[0] })
        }
        let explained = variables(try Tree.file("Tests/README.md").text)
        let read = try Tree.texts().filter { !$0.path.hasSuffix(".md") }
            .reduce(into: Set<String>()) { $0.formUnion(variables($1.text)) }
        #expect(explained == read, "\(explained.symmetricDifference(read).sorted())")
    }

    @Test("Every type that the glossary and the guide to the code name exists")
    func types() throws {
        let declaration = Pattern(
            #"\b(?:struct|enum|class|actor|protocol|typealias|case|func|var|let) `?(\w+)"#)
        var declared = Set(Tree.paths().flatMap { $0.split(separator: "/").map(String.init) })
        for file in try Tree.files(in: ["Sources"], [".swift"]) {
            declared.formUnion(declaration.matches(in: file.text).map { $0[1] })
        }
        for document in ["Sources/GLOSSARY.md", "Sources/README.md"] {
            let named = try Tree.file(document).text.matches(of: /`([A-Z]\w*(?:\.\w+)?)`/)
                .map { String($0.output.1) }.filter { !$0.hasSuffix(".swift") }
            #expect(named.count > 20, "\(document): \(named.count)")
            let parts = named.flatMap { $0.split(separator: ".").map(String.init) }
            expect(parts.map { (document, $0) }, atLeast: 20, exist: declared.contains)
        }
    }
}
