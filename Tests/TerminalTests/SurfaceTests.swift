import Reservations
import Testing

@testable import TerminalSurface

private let plain = Style(.white, on: .black)

private func text(_ surface: Surface, row: Int) -> String {
    (0..<surface.size.columns).map { surface[row, $0].text }.joined()
}

struct SurfaceTests {
    @Test("A character that covers another one is counted")
    func covered() {
        var surface = Surface(size: GridSize(columns: 6, rows: 1), style: plain)
        surface.put("ab", row: 0, column: 0, plain)
        surface.put("c", row: 0, column: 2, plain)
        #expect(surface.covered == 0)
        surface.put("d", row: 0, column: 1, plain)
        #expect(surface.covered == 1)
        surface.fill(surface.bounds, plain)
        #expect(surface.covered == 4)
    }

    @Test("Small capitals take three rows with accents; a character without a glyph is not drawn")
    func smallCapitals() throws {
        let plain = try #require(SmallCapitals.bitmap("Conferma"))
        let accented = try #require(SmallCapitals.bitmap("Löschen à côté"))
        #expect(plain.rows == 3 && accented.rows == 3)
        // C, O, F, E, R and A of 3 dots, N of 4, M of 5, and one dot between letters.
        #expect(plain.columns == 6 * 3 + 4 + 5 + 7)
        #expect(SmallCapitals.bitmap("字") == nil && SmallCapitals.bitmap("") == nil)
        let room = GridSize(columns: plain.columns, rows: 7)
        #expect(SmallCapitals.lines("Conferma conferma", fitting: room) == nil)
        #expect(SmallCapitals.lines("Conferma conferma", fitting: room, most: 2)?.lines.count == 2)
    }

    @Test("Text beyond the surface is cut off and counted, at any position")
    func clipping() {
        var surface = Surface(size: GridSize(columns: 5, rows: 2), style: plain)
        surface.put("abcdefg", row: 0, column: 3, plain)
        #expect(text(surface, row: 0) == "   ab" && surface.lost == 5)
        surface.put("xyz", row: 1, column: -2, plain)
        #expect(text(surface, row: 1) == "z    " && surface.lost == 7)
        for place in [(-1, 0), (2, 0), (Int.min / 2, 3), (1, Int.max / 2)] {
            surface.put("q", row: place.0, column: place.1, plain)
        }
        surface.fill(Rectangle(row: -5, column: -5, rows: 100, columns: 100), plain)
        #expect(text(surface, row: 1) == "     " && surface.lost == 11)
        #expect(surface[7, 7].text == " ")
    }

    @Test("Half of a wide character never stays")
    func wide() {
        var surface = Surface(size: GridSize(columns: 6, rows: 1), style: plain)
        surface.put("長長長", row: 0, column: 0, plain)
        #expect(surface[0, 0].width == 2 && surface[0, 1].width == 0)
        surface.put("x", row: 0, column: 1, plain)
        #expect(text(surface, row: 0) == " x長長")
        surface.put("長", row: 0, column: 3, plain)
        #expect(text(surface, row: 0) == " x 長 ")
        surface.put("長", row: 0, column: 5, plain)
        #expect(surface.lost == 1, "no room for its right half")
    }

    @Test("A cell keeps two marks over its character, and cells with other marks differ")
    func marks() {
        var surface = Surface(size: GridSize(columns: 3, rows: 1), style: plain)
        surface.put("e\u{302}\u{301}\u{300}b", row: 0, column: 0, plain)
        #expect(surface[0, 0].text.unicodeScalars.elementsEqual("e\u{302}\u{301}".unicodeScalars))
        #expect(surface[0, 0].base == 0x65 && surface[0, 0].marks == (0x302, 0x301))
        #expect(surface[0, 1].text == "b" && surface[0, 1].marks == (0, 0))
        var other = surface
        other.put("e\u{302}", row: 0, column: 0, plain)
        #expect(!other.hasSameRow(0, as: surface))
        // A mark goes with a character that has no room, and one without a character goes to none.
        surface.put("x\u{301}", row: 0, column: 3, plain)
        surface.put("\u{301}y", row: 0, column: 2, plain)
        #expect(surface[0, 1].text == "b" && surface[0, 2].marks == (0, 0))
    }

    @Test("A surface of any claimed size is bounded and cannot fail")
    func sizes() {
        #expect(GridSize(columns: 100_000, rows: -3) == GridSize(columns: 640, rows: 0))
        var surface = Surface(size: GridSize(columns: 0, rows: 0), style: plain)
        surface.put("x", row: 0, column: 0, plain)
        surface.draw(Bitmap(width: 3, height: 3), row: 0, column: 0, plain)
        #expect(surface.lost == 7)
    }

    @Test("Rectangles split and centre within themselves")
    func rectangles() {
        let whole = Rectangle(row: 2, column: 3, rows: 10, columns: 20)
        #expect(whole.splitBottom(3).bottom.end == whole.end)
        #expect(whole.splitRight(25).right == whole && whole.splitRight(25).rest.isEmpty)
        #expect(whole.splitTop(-1).top.isEmpty && whole.splitTop(-1).rest == whole)
        #expect(whole.contains(whole.centred(rows: 30, columns: 5)))
        #expect(whole.inset(rows: 6).isEmpty)
        let apart = Rectangle(row: 50, column: 0, rows: 1, columns: 1)
        #expect(whole.intersection(apart).isEmpty)
    }

    @Test("Contrast is that of WCAG's own examples")
    func contrast() {
        #expect(abs(Colour.black.contrast(with: .white) - 21) < 0.001)
        // #777777 on white has the well-known 4.48, and #767676 is the first grey that passes.
        #expect(abs(Colour(0x777777).contrast(with: .white) - 4.478) < 0.01)
        #expect(Colour(0x767676).contrast(with: .white) >= 4.5)
        #expect(abs(Colour(0xFF0000).contrast(with: .white) - 3.998) < 0.01)
    }
}

struct TextTests {
    @Test("Widths are those of a terminal")
    func widths() {
        #expect(TextWidth.of("Città") == 5 && TextWidth.of("Citta\u{300}") == 5)
        #expect(TextWidth.of("超市") == 4 && TextWidth.of("ｱｲ") == 2 && TextWidth.of("한글") == 4)
        #expect(TextWidth.of("😀") == 2 && TextWidth.of("▄█═►…–") == 6)
        #expect(TextWidth.of("\u{200B}\u{202E}\u{1B}\u{AD}\u{FEFF}") == 0)
        #expect(TextWidth.clusters("a\u{301}\u{301}b").map(\.text) == ["a\u{301}\u{301}", "b"])
        #expect(TextWidth.clusters("\u{301}x").map(\.text) == ["x"])
    }

    @Test("Text breaks at spaces, and a word too long for a line is cut")
    func lines() {
        #expect(TextFlow.lines("one two three", width: 7) == ["one two", "three"])
        #expect(TextFlow.lines("abcdefgh xy", width: 3) == ["abc", "def", "gh", "xy"])
        #expect(TextFlow.lines("25\u{A0}minutes now", width: 10) == ["25\u{A0}minutes", "now"])
        #expect(
            TextFlow.lines("a\nb", width: 9) == ["a", "b"] && TextFlow.lines("", width: 9) == [""])
        #expect(TextFlow.lines("長長長", width: 5) == ["長長", "長"])
        #expect(TextFlow.lines("長", width: 1) == [] && TextFlow.lines("x", width: 0) == [])
        #expect(
            TextFlow.balanced("You may have a place already", width: 24)
                == ["You may have a", "place already"])
    }

    @Test(
        "Text that moves, hides, recolours or reorders other text does not get through",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"), ("\u{1B}]0;title\u{7}x", "]0;titlex"),
            ("a\u{9B}2Jb\u{85}c\u{7F}d\0e", "a2Jb cde"), ("a\r\n\tb\u{8}c", "a bc"),
            ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}a\u{2066}\u{2067}\u{2068}\u{2069}b", "ab"),
            ("\u{200E}a\u{200F}\u{61C}b", "ab"),
            ("a\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}b", "ab"),
            ("a\u{AD}b\u{34F}c\u{115F}d\u{3164}e\u{FFA0}f\u{2800}g", "abcdefg"),
            ("a\u{E0041}\u{FE0F}\u{E0100}\u{180E}b", "ab"), ("a\u{E000}\u{10FFFF}\u{378}b", "ab"),
            ("a\u{2028}b\u{2029}c", "a b c"), ("  a   b  ", "a b"), ("\u{301}\u{301}a", "a"),
            ("👍🏽 x", "👍 x"), ("1\u{20E3}", "1"), ("a \u{301}b", "a b"), ("a\u{3000}b", "a b"),
            ("25\u{A0}min", "25\u{A0}min"), ("Città Studi – “Sì”", "Città Studi – “Sì”"),
        ])
    func clean(_ dirty: String, _ cleaned: String) {
        let result = PlainText.clean(dirty, limit: 80)
        #expect(result.unicodeScalars.elementsEqual(cleaned.unicodeScalars))
        #expect(PlainText.clean(result, limit: 80) == result, "cleaning twice changes nothing")
    }

    @Test("Piles of marks and endless texts end")
    func limits() {
        let pile = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
        #expect(PlainText.clean(pile, limit: 10).unicodeScalars.count == 4)
        let long = PlainText.clean(String(repeating: "x", count: 100_000), limit: 12)
        #expect(long == String(repeating: "x", count: 11) + "…")
        #expect(PlainText.clean("abc def", limit: 5) == "abc…")
        #expect(PlainText.clean("abcde", limit: 5) == "abcde")
        #expect(PlainText.clean("abc", limit: 0) == "" && PlainText.clean("abc", limit: 1) == "…")
    }

    @Test("No scalar becomes a control, a format or a lone mark")
    func everyScalar() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for left in PlainText.clean(String(scalar), limit: 4).unicodeScalars {
                #expect(TextWidth.of(left) > 0, "\(String(value, radix: 16))")
            }
        }
    }
}

struct BitmapTests {
    @Test("Only the lower half block is used, where halves differ, with the right polarity")
    func polarity() throws {
        // The columns have the pairs of rows 00, 01, 10 and 11, dark and light.
        let qr = try #require(QRMatrix(side: 2, dark: [true, false, true, true]))
        var surface = Surface(size: GridSize(columns: 10, rows: 5), style: plain)
        surface.draw(Bitmap(qr), row: 0, column: 0, .code)
        #expect(surface.lost == 0)
        #expect(surface[0, 0] == Cell(text: " ", width: 1, style: Style(.black, on: .white)))
        #expect(surface[2, 4] == Cell(text: " ", width: 1, style: Style(.white, on: .black)))
        #expect(surface[2, 5] == Cell(text: "▄", width: 1, style: Style(.black, on: .white)))
        let other = try #require(QRMatrix(side: 2, dark: [true, false, false, true]))
        surface.draw(Bitmap(other), row: 0, column: 0, .code)
        #expect(surface[2, 4] == Cell(text: "▄", width: 1, style: Style(.white, on: .black)))
        for row in 0..<5 {
            for column in 0..<10 { #expect([" ", "▄"].contains(surface[row, column].text)) }
        }
    }

    @Test("A version 2 symbol takes 33 columns and 17 rows, four light modules all around")
    func quietZone() throws {
        let qr = try #require(QRMatrix(side: 25, dark: Array(repeating: true, count: 625)))
        let bitmap = Bitmap(qr)
        #expect(bitmap.columns == 33 && bitmap.rows == 17)
        for index in 0..<33 {
            for edge in [0, 1, 2, 3, 29, 30, 31, 32] {
                #expect(!bitmap[edge, index] && !bitmap[index, edge])
            }
        }
        #expect(bitmap[4, 4] && bitmap[28, 28])
        #expect(bitmap.scaled(2)[9, 9] && !bitmap.scaled(2)[7, 8])
    }

    @Test("Every letter the catalogues use in large words has a glyph of its own")
    func glyphs() {
        let letters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            + "àèéìòùÀÈÉÌÒÙäöüÄÖÜßâêîôûçñáíóú:-.,'’!?/% "
        #expect(BigText.bitmap(letters) != nil && BigText.bitmap("超") == nil)
        // As in print, O and 0 may look the same, and the two apostrophes do.
        var drawn: [Bitmap: Character] = [:]
        for letter in letters where !"O'’".contains(letter) {
            guard let bitmap = BigText.bitmap(String(letter)) else { continue }
            #expect(drawn[bitmap] == nil, "\(letter)")
            drawn[bitmap] = letter
        }
    }

    @Test("A number is as large as the room, and never larger")
    func largest() throws {
        for text in ["042", "1042", "123456", "14:30", "8"] {
            for rows in [5, 6, 7, 9, 12, 20, 50] {
                for columns in [36, 60, 97, 160] {
                    let room = GridSize(columns: columns, rows: rows)
                    let drawn = try #require(BigDigits.largest(text, fitting: room))
                    #expect(drawn.columns <= columns && drawn.rows <= rows, "\(text) in \(room)")
                }
            }
        }
        let room = GridSize(columns: 80, rows: 20)
        #expect(try #require(BigDigits.largest("042", fitting: room)).rows == 20)
        #expect(BigDigits.largest("abc", fitting: room) == nil)
        #expect(BigDigits.largest("042", fitting: GridSize(columns: 5, rows: 3)) == nil)
        #expect(BigDigits.largest(amount: "25 minutes", fitting: room) != nil)
        #expect(BigDigits.largest(amount: "1 h 20 min", fitting: room) != nil)
        #expect(BigDigits.largest(amount: "soon", fitting: room) == nil)
    }

    @Test("Digits differ from one another at every height", arguments: [12, 14, 16, 20, 28, 40])
    func digitsDiffer(_ height: Int) {
        let digits = (0...9).map {
            BigDigits.bitmap("\($0)", .init(height: height, width: height * 5 / 8))
        }
        #expect(Set(digits).count == 10)
        for digit in digits {
            #expect((0..<digit.width).contains { digit[0, $0] }, "the digit reaches the top row")
            #expect(
                (0..<digit.width).contains { digit[height - 1, $0] },
                "the digit reaches the bottom row")
        }
    }

    @Test("A surface that fades in has its text from the start, and colours of the terminal")
    func fading() {
        let size = GridSize(columns: 4, rows: 1)
        var former = Surface(size: size, style: plain)
        former.put("same", row: 0, column: 0, plain)
        var next = former
        next.put("x", row: 0, column: 0, Style(.black, on: .white))
        let half = next.fading(from: former, percent: 50)
        #expect(text(half, row: 0) == "xame" && half[0, 1] == former[0, 1])
        let ground = half[0, 0].style.background
        #expect(ground != .white && ground != .black)
        #expect((16..<256).contains { XtermPalette.colour($0, of: 256) == ground })
        #expect(next.fading(from: former, percent: 100) == next)
        let other = Surface(size: GridSize(columns: 3, rows: 1), style: plain)
        #expect(next.fading(from: other, percent: 50) == next)
    }

    @Test("What slides out shows its lower end first, over the former surface")
    func slidingOut() {
        let size = GridSize(columns: 1, rows: 6)
        func rows(_ letters: String) -> Surface {
            var surface = Surface(size: size, style: plain)
            for (row, letter) in letters.enumerated() {
                surface.put(String(letter), row: row, column: 0, plain)
            }
            return surface
        }
        let area = Rectangle(row: 1, column: 0, rows: 4, columns: 1)
        let half = rows("ABCDEF").slidingOut(of: area, over: rows("abcdef"), percent: 50)
        #expect(half == rows("ADEdeF"))
        #expect(rows("ABCDEF").slidingOut(of: area, over: half, percent: 100) == rows("ABCDEF"))
    }
}
