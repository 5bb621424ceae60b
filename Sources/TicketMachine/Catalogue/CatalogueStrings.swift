import KioskScreens

/// Makes the messages of a file into a language; each is checked against its source text.
enum CatalogueStrings {
    static func wording(language: String, _ entries: [MessageFile.Entry]) throws(MessageFileFault)
        -> Strings
    {
        guard let header = entries.first(where: { $0.original.isEmpty })?.translation else {
            throw MessageFileFault("It has no header.")
        }
        let fields = headerFields(header)
        guard let name = fields["x-language-name"], !name.isEmpty, name.count <= 20 else {
            throw MessageFileFault(
                "Its header lacks X-Language-Name, the language's name in itself.")
        }
        guard fields["content-type"]?.lowercased().hasSuffix("charset=utf-8") == true else {
            throw MessageFileFault("Its header does not say charset=UTF-8.")
        }
        guard let rule = fields["plural-forms"].flatMap(PluralRule.init) else {
            throw MessageFileFault("Its header has no Plural-Forms that can be read.")
        }
        var messages: [Strings.Key: [String]] = [:]
        for entry in entries where !entry.original.isEmpty {
            let (key, sources) = key(of: entry.original)
            let forms = entry.translation.split(separator: "\0", omittingEmptySubsequences: false)
                .map { String($0) }
            try check(forms, against: sources, rule: rule)
            messages[key] = forms
        }
        return Strings(language: language, name: name, rule: rule, messages: messages)
    }

    private static func key(of original: String) -> (Strings.Key, sources: [String]) {
        let parts = original.split(separator: "\u{4}", maxSplits: 1)
        let context = parts.count == 2 ? String(parts[0]) : nil
        let sources = (parts.last ?? "").split(separator: "\0").map { String($0) }
        return (Strings.Key(sources.first ?? "", context: context), sources)
    }

    private static func check(
        _ forms: [String], against sources: [String], rule: PluralRule
    ) throws(MessageFileFault) {
        let source = sources.first ?? ""
        guard forms.count == (sources.count > 1 ? rule.forms : 1) else {
            throw MessageFileFault(
                "\"\(source)\" has \(forms.count) forms instead of \(rule.forms).")
        }
        let wanted = Set(sources.map(Strings.placeholders))
        for form in forms {
            guard wanted.contains(Strings.placeholders(in: form)) else {
                throw MessageFileFault(
                    "The placeholders of \"\(form)\" are not those of \"\(source)\".")
            }
            let isPlain = form.unicodeScalars.allSatisfy {
                $0 == "\n" || $0.properties.generalCategory != .control
            }
            guard isPlain else {
                throw MessageFileFault("The text for \"\(source)\" has control characters in it.")
            }
        }
    }

    private static func headerFields(_ header: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in header.split(separator: "\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            fields[sides[0].lowercased()] = String(sides[1].drop { $0 == " " })
        }
        return fields
    }
}
