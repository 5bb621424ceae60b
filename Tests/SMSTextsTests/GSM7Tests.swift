import Testing

@testable import SMSTexts

@Suite("The GSM 7 bit alphabet")
struct GSM7Tests {
    /// The default alphabet by code, as the table of 3GPP TS 23.038 6.2.1 has it; the escape, 0x1B, is none of it.
    private static let alphabet: [UInt8: UInt32] = [
        0x00: 0x40, 0x01: 0xA3, 0x02: 0x24, 0x03: 0xA5, 0x04: 0xE8, 0x05: 0xE9, 0x06: 0xF9,
        0x07: 0xEC, 0x08: 0xF2, 0x09: 0xC7, 0x0A: 0x0A, 0x0B: 0xD8, 0x0C: 0xF8, 0x0D: 0x0D,
        0x0E: 0xC5, 0x0F: 0xE5, 0x10: 0x394, 0x11: 0x5F, 0x12: 0x3A6, 0x13: 0x393, 0x14: 0x39B,
        0x15: 0x3A9, 0x16: 0x3A0, 0x17: 0x3A8, 0x18: 0x3A3, 0x19: 0x398, 0x1A: 0x39E, 0x1C: 0xC6,
        0x1D: 0xE6, 0x1E: 0xDF, 0x1F: 0xC9, 0x24: 0xA4, 0x40: 0xA1, 0x5B: 0xC4, 0x5C: 0xD6,
        0x5D: 0xD1, 0x5E: 0xDC, 0x5F: 0xA7, 0x60: 0xBF, 0x7B: 0xE4, 0x7C: 0xF6, 0x7D: 0xF1,
        0x7E: 0xFC, 0x7F: 0xE0,
    ]

    /// The extension table of 6.2.1.1: the form feed, ^ { } \ [ ~ ] | and the euro sign.
    private static let extensionTable: [UInt32] = [
        0x0C, 0x5E, 0x7B, 0x7D, 0x5C, 0x5B, 0x7E, 0x5D, 0x7C, 0x20AC,
    ]

    @Test("Each code of the default alphabet has the character of the standard")
    func table() {
        // The codes that the table above leaves out are those of ASCII.
        let expected = (UInt8(0)...0x7F).filter { $0 != 0x1B }
            .map { Self.alphabet[$0] ?? UInt32($0) }
        #expect(GSM7.alphabet.map(\.value) == expected)
        #expect(GSM7.extensionTable.map(\.value) == Self.extensionTable)
    }

    @Test("Of all characters of Unicode only those of the tables have a width")
    func widths() {
        let single = Set(GSM7.alphabet)
        let double = Set(GSM7.extensionTable)
        var counts = [0, 0, 0]
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let septets = GSM7.septets(String(scalar))
            let expected = single.contains(scalar) ? 1 : double.contains(scalar) ? 2 : nil
            if septets != expected { Issue.record("U+\(String(value, radix: 16))") }
            counts[septets ?? 0] += 1
        }
        #expect(counts[1] == 127 && counts[2] == 10)
    }

    @Test("The septets of a text are those of its characters, with separate accents refused")
    func texts() {
        #expect(GSM7.septets("") == 0)
        #expect(GSM7.septets("Ciao, è già ora: 5 €!") == 22)
        #expect(GSM7.septets("[~]") == 6)
        #expect(GSM7.septets("e\u{300}") == nil)
        #expect(GSM7.septets("ç") == nil)
        #expect(GSM7.septets("a\u{A0}b") == nil)
        #expect(GSM7.septets("’") == nil)
    }

    @Test(
        "A foreign text is as near to its original as the alphabet allows",
        arguments: [
            ("Supermercato Città Studi", "Supermercato Città Studi"),
            ("Bäckerei Groß & Söhne", "Bäckerei Groß & Söhne"),
            ("L’Épicerie «Chez Zoé»", "L'Épicerie \"Chez Zoé\""),
            ("Pâtisserie Française — Œuvre", "Patisserie Francaise - OEuvre"),
            ("Almacén García Núñez", "Almacén Garcia Nuñez"), ("ÀÈÌÒÙ", "AEIOU"),
            ("Žabka Łódź Kraków ą ę ś", "Zabka Lodz Krakow a e s"),
            ("Őrség Fűszer", "Örség Füszer"),
            ("Dağ İzmir ılık Şeker", "Dag Izmir ilik Seker"),
            ("Smørrebrød Århus", "Smørrebrød Århus"),
            ("Þór & Eyþór, Ðað", "Thor & Eythor, Dad"),
            ("Mega Image Țară Șoseaua", "Mega Image Tara Soseaua"),
            ("Đorđe Čačak", "Dorde Cacak"), ("Phở Việt Nam", "Pho Viet Nam"),
            ("Σούπερ μάρκετ Αθήνα", "ΣOYΠEP MAPKET AΘHNA"), ("ΑΒΓΔ", "ABΓΔ"),
            // Letters with separate marks.
            ("Citta\u{300} e\u{301} u\u{308} s\u{30C} q\u{301}", "Città é ü s q"),
            ("50 €, [5 ‰] {x}", "50 €, [5 ?] {x}"),
            ("a\u{A0}b\u{202F}c\u{2003}d", "a b c d"), ("a\nb\tc\u{0}d\u{85}e", "a b c d e"),
            ("a\u{200D}b\u{AD}c\u{FEFF}", "abc"), ("…“x”…", "...\"x\"..."),
            ("Магазин", "???????"), ("超市 24", "?? 24"), ("Pane 🥖!", "Pane ?!"),
            ("👨‍👩‍👧‍👦", "?"), ("🇮🇹", "?"), ("", ""),
        ])
    func folded(_ text: String, to expected: String) { #expect(GSM7.folded(text) == expected) }

    @Test("Every character is folded to one that can be sent, one of the alphabet to itself")
    func foldedToAlphabet() {
        var unknown = 0
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = GSM7.folded(String(scalar))
            if GSM7.septets(folded) == nil {
                Issue.record("U+\(String(value, radix: 16)): \(folded)")
            }
            if folded == "?" { unknown += 1 }
        }
        #expect((1_000_000...1_112_000).contains(unknown), "\(unknown)")
        for scalar in GSM7.alphabet + GSM7.extensionTable {
            let isLineEnd = scalar == "\n" || scalar == "\r" || scalar == "\u{C}"
            #expect(GSM7.folded(String(scalar)) == (isLineEnd ? " " : String(scalar)))
        }
    }

    @Test("Every letter of Europe's languages in Latin or Greek has a letter of the alphabet")
    func latin() {
        // Latin-1 Supplement, Latin Extended-A and Greek: letters only.
        for value in Array(UInt32(0xC0)...0x17F) + Array(0x386...0x3CE) {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else {
                continue
            }
            let folded = GSM7.folded(String(scalar))
            #expect(folded != "?" && !folded.isEmpty, "U+\(String(value, radix: 16)) \(scalar)")
        }
    }

    @Test("A pile of marks and a very long text take little time")
    func hostile() {
        let pile = "a" + String(repeating: "\u{301}", count: 50_000)
        #expect(GSM7.folded(pile).count <= 1)
        #expect(GSM7.folded(String(repeating: "ß", count: 50_000)).count == 50_000)
    }
}
