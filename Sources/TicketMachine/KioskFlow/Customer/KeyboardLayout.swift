internal import Reservations
internal import VisitCalendar

/// A keyboard layout whose keys differ from the US layout to which code readers are set.
///
/// A reader that acts as a keyboard sends keys, not letters: the terminal's layout turns them into letters. `CLUP:1:`
/// arrives as `CLUPç1ç` through an Italian layout. Only keys that occur in our codes and in their links are listed.
public struct KeyboardLayout: Sendable {
    public let name: Name
    /// Maps what the layout makes of a US key, in small letters, to what the reader meant.
    let meant: [Character: Character]

    /// The layouts that can be distinguished.
    public enum Name: String, Codable, Hashable, Sendable, CaseIterable {
        case us, italian, german, spanish, french
    }

    /// From xkeyboard-config's symbols. The British layout is the same as the US one for every character of a code.
    static let all = [
        // Italian: the key beside L, with Shift.
        KeyboardLayout(name: .italian, meant: ["ç": ":", "'": "-", "-": "/", "£": "#"]),
        KeyboardLayout(
            name: .german,
            meant: ["ö": ":", "z": "y", "y": "z", "ß": "-", "-": "/", "§": "#"]),
        KeyboardLayout(name: .spanish, meant: ["ñ": ":", "'": "-", "-": "/", "·": "#"]),
        // French: digits need Shift, and some letters have other positions.
        KeyboardLayout(
            name: .french,
            meant: [
                "m": ":", "?": "m", "q": "a", "a": "q", "z": "w", "w": "z", "&": "1", "é": "2",
                "\"": "3", "'": "4", "(": "5", "-": "6", "è": "7", "_": "8", "ç": "9", "à": "0",
                ")": "-", "!": "/", ":": ".", "3": "#",
            ]),
    ]

    /// The layout through which a code of ours came; nil if the text is no such code, or if several layouts are
    /// possible.
    static func of(_ text: String) -> Name? {
        if isCode(text) { return .us }
        guard text.utf8.count <= 2 * PresentedCode.maxCharacters else { return nil }
        let possible = all.filter { $0.read(text).map(isCode) ?? false }
        return possible.count == 1 ? possible.first?.name : nil
    }

    private static func isCode(_ text: String) -> Bool {
        PresentedCode(text, takesGarbledLinks: false) != nil
            || PresentedOrderCode(text, takesGarbledLinks: false) != nil
            || StaffBadge(text) != nil
    }

    /// What the reader meant if this is the terminal's layout; nil if no key of a code makes that text.
    func read(_ text: String) -> String? {
        var result = ""
        let replaced = Set(meant.values)
        for character in text.lowercased() {
            if let known = meant[character] {
                result.append(known)
            } else if character.isASCII, !replaced.contains(character) {
                result.append(character)
            } else {
                return nil
            }
        }
        return result
    }
}

extension ShownCode {
    /// As `init(_:)`, but also through a layout that is not the reader's, if only one code is possible.
    ///
    /// The signs of a link show the layout, so that a link counts as garbled only if no layout makes it a whole one.
    init?(read text: String, layouts: [KeyboardLayout] = KeyboardLayout.all) {
        if let code = Self(text, takesGarbledLinks: false) {
            self = code
            return
        }
        guard text.utf8.count <= 2 * Self.maxCharacters else { return nil }
        // Of a link in a shop's mail only its end is a code.
        let isLink = text.lowercased().hasPrefix("http")
        let texts = isLink ? [text, String(text.suffix(SymbolCode<Subject>.length))] : [text]
        let meant = Set(
            layouts.flatMap { texts.compactMap($0.read) }.compactMap {
                Self($0, takesGarbledLinks: false)
            })
        if let code = meant.count == 1 ? meant.first : nil {
            self = code
        } else if meant.isEmpty, let code = SymbolCode<Subject>(link: text, isGarbled: true) {
            self = .entry(code)
        } else {
            return nil
        }
    }
}

extension Capability {
    /// The capability of a link that a reader hands over through any keyboard layout.
    ///
    /// Through several layouts it is a capability, but not always the one that was meant: the machine needs only to know
    /// that the symbol is for phones.
    init?(read text: String) {
        guard text.utf8.count <= 2 * PresentedCode.maxCharacters, text.count > Self.length,
            text.lowercased().hasPrefix("http")
        else { return nil }
        let end = String(text.suffix(Self.length))
        let meant = [end] + KeyboardLayout.all.compactMap { $0.read(end) }
        // A link has further characters before the capability; here "#" stands for them.
        guard let capability = meant.lazy.compactMap({ Capability(link: "#\($0)") }).first else {
            return nil
        }
        self = capability
    }
}

extension EventSymbol {
    /// As `isLine(_:)`, but also through a layout that is not the reader's.
    static func isLine(read text: String) -> Bool {
        isLine(text) || KeyboardLayout.all.contains { isLine(text, meaning: $0.read) }
    }
}
