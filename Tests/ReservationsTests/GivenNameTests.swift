import Reservations
import Testing

@Suite("Names that administrators give")
struct GivenNameTests {
    @Test(
        "Names of shops and people in any script are accepted",
        arguments: [
            "A", "Città Mercato", "L'Été", "Ñandú-2", "Günther & Söhne", "店", "दुकान", "a-b",
            "7-Eleven",
            "Famiglia 👨‍👩‍👧‍👦",
        ])
    func good(_ name: String) { #expect(GivenName.isGood(name, maxCharacters: 40)) }

    @Test(
        "Names that are blank, begin with a hyphen or hide text beside them are refused",
        arguments: [
            "", " ", "\u{00A0}", "\u{3000}", "\u{200D}", " Anna", "Anna ", "-Anna", "-",
            "An\u{7}na",
            "An\nna", "An\u{202E}na", "An\u{2066}na", "An\u{200F}na", "An\u{2028}na",
            "\u{FEFF}Anna",
            "a" + String(repeating: "\u{301}", count: 12),
        ])
    func bad(_ name: String) { #expect(!GivenName.isGood(name, maxCharacters: 40)) }

    @Test("A name has a maximum length, and the blanks around it are removed")
    func bounds() {
        #expect(GivenName.isGood(String(repeating: "ß", count: 40), maxCharacters: 40))
        #expect(!GivenName.isGood(String(repeating: "ß", count: 41), maxCharacters: 40))
        #expect(GivenName.trimmed(" \u{00A0}Anna Maria\t") == "Anna Maria")
        #expect(GivenName.trimmed("  ").isEmpty)
    }

    @Test("A name that was given under an older rule can still be read")
    func older() {
        #expect(GivenName.isReadable("-x", maxCharacters: 80))
        #expect(GivenName.isReadable("Anna ", maxCharacters: 80))
        #expect(!GivenName.isReadable("An\u{202E}na", maxCharacters: 80))
        #expect(!GivenName.isReadable("  ", maxCharacters: 80))
    }
}
