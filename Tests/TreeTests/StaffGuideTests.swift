import Testing

/// The guide for the shop's staff is read beside the screen, in the language in which the screen is.
@Suite("The guide for the shop's staff")
struct StaffGuideTests {
    /// The endings of its files; English has none.
    private static let languages: [String?] = [nil, "it", "de", "fr", "es"]

    private func guide(_ language: String?) throws -> Tree.File {
        try Tree.file("Kiosk/staff\(language.map { ".\($0)" } ?? "").md")
    }

    /// The texts of the screens in a language; in English they are the names of the messages.
    private func screens(_ language: String?) throws -> Set<String> {
        let catalogue = try Tree.file("Assets/Locale/\(language ?? "it").po").text
        let field =
            language == nil
            ? /\nmsgid(?:_plural)? "(.+)"/ : /\nmsgstr(?:\[\d\])? "(.+)"/
        return Set(catalogue.matches(of: field).map { String($0.output.1) })
    }

    @Test("What it emphasises is the text of a button or a screen, in each language")
    func buttons() throws {
        for language in Self.languages {
            let guide = try guide(language)
            let screens = try screens(language)
            let named = guide.text.matches(of: /\*([^*\n]+)\*/).map { String($0.output.1) }
            #expect(named.count > 35, "\(guide.path)")
            for words in named where !screens.contains(words) {
                Issue.record("\(guide.path): no screen has \"\(words)\"")
            }
        }
    }

    @Test("It has the same headings, points and rows in each language, and no commands")
    func structure() throws {
        func outline(_ file: Tree.File) -> [String] {
            file.lines.compactMap { line in
                if line.hasPrefix("#") { return String(line.prefix { $0 == "#" }) }
                if line.hasPrefix("|") {
                    // Codes have the same name in every language.
                    let name = line.split(separator: "|")[0]
                    let isCode = name.contains { $0.isNumber }
                    return isCode ? "|\(name)" : "|"
                }
                let point = line.prefixMatch(of: /\s*(-|\d\.)\s/)
                return point.map { String($0.output.0) }
            }
        }
        let own = try outline(guide(nil))
        #expect(own.count > 50)
        for language in Self.languages {
            let guide = try guide(language)
            #expect(outline(guide) == own, "\(guide.path)")
            let code = guide.text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            #expect(Set(code) == ["OK", "!!", ".."], "\(guide.path): no command")
        }
    }
}
