/// Words in narrow capitals of three rows of cells, for labels without room for `BigText`.
///
/// A letter is 3 dots wide (some are 1, 2, 4 or 5) and 5 high. An accented letter gives a dot of its height to its
/// accent, so that every line has the same 3 rows.
public enum SmallCapitals {
    /// A text in one line; nil if a character has no glyph.
    public static func bitmap(_ text: String) -> Bitmap? {
        let glyphs = text.uppercased().compactMap { Self.glyphs[$0] }
        guard !glyphs.isEmpty, glyphs.count == text.uppercased().count else { return nil }
        let width = glyphs.reduce(0) { $0 + $1.width + 1 } - 1
        var line = Bitmap(width: width, height: height)
        line.capHeight = height - 1
        // Without an accent the free row of dots is below the letters, apart from the next line.
        let isAccented = glyphs.contains { glyph in (0..<glyph.width).contains { glyph[0, $0] } }
        var column = 0
        for glyph in glyphs {
            line.draw(glyph, row: isAccented ? 0 : -1, column: column)
            column += glyph.width + 1
        }
        return line
    }

    /// A text in one line, or in two if `most` allows it; nil if it does not fit.
    public static func lines(_ text: String, fitting room: GridSize, most: Int = 1) -> [Bitmap]? {
        guard let width = columns(text) else { return nil }
        if width <= room.columns, let line = bitmap(text), fits([line], room) { return [line] }
        guard most > 1, let halves = TextFlow.halves(text, width: columns) else { return nil }
        let lines = halves.compactMap(bitmap)
        return fits(lines, room) ? lines : nil
    }

    /// Columns of a text in one line; nil if a character has no glyph.
    public static func columns(_ text: String) -> Int? {
        var columns = -1
        for character in text.uppercased() {
            guard let glyph = glyphs[character] else { return nil }
            columns += glyph.width + 1
        }
        return columns < 0 ? nil : columns
    }

    private static func fits(_ lines: [Bitmap], _ room: GridSize) -> Bool {
        lines.reduce(0) { $0 + $1.rows + 1 } - 1 <= room.rows
            && lines.allSatisfy { $0.columns <= room.columns }
    }

    /// One row for accents above 5 rows of letters.
    private static let height = 6

    /// Characters, and their rows of dots from the top, one group of dots for each character.
    private static let sheets: [(characters: String, rows: [String])] = [
        (
            "ABCDEFGHIJKLM",
            [
                "... ... ... ... ... ... ... ... . ... ... .. .....",
                ".#. ##. .## ##. ### ### .## #.# # ..# #.# #. #...#",
                "#.# #.# #.. #.# #.. #.. #.. #.# # ..# #.# #. ##.##",
                "### ##. #.. #.# ##. ##. #.# ### # ..# ##. #. #.#.#",
                "#.# #.# #.. #.# #.. #.. #.# #.# # #.# #.# #. #...#",
                "#.# ##. .## ##. ### #.. .## #.# # .#. #.# ## #...#",
            ]
        ),
        (
            "NOPQRSTUVWXYZ",
            [
                ".... ... ... ... ... ... ... ... ... ..... ... ... ...",
                "#..# ### ##. ### ##. .## ### #.# #.# #...# #.# #.# ###",
                "##.# #.# #.# #.# #.# #.. .#. #.# #.# #...# #.# #.# ..#",
                "#.## #.# ##. #.# ##. .#. .#. #.# #.# #.#.# .#. .#. .#.",
                "#..# #.# #.. ### #.# ..# .#. #.# #.# ##.## #.# .#. #..",
                "#..# ### #.. ..# #.# ##. .#. ### .#. #...# #.# .#. ###",
            ]
        ),
        (
            "0123456789",
            [
                "... ... ... ... ... ... ... ... ... ...",
                "### .#. ##. ##. #.# ### .## ### ### ###",
                "#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#",
                "#.# .#. .#. .#. ### ##. ### .#. ### ###",
                "#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#",
                "### ### ### ##. ..# ##. ### .#. ### ##.",
            ]
        ),
        (
            "ÀÈÌÒÙÁÉÍÓÚÂÊÎÔÛ",
            [
                "#.. #.. #. #.. #.. ..# ..# .# ..# ..# .#. .#. .#. .#. .#.",
                "... ... .. ... ... ... ... .. ... ... #.# #.# #.# #.# #.#",
                ".#. ### .# ### #.# .#. ### #. ### #.# .#. ### .#. ### ...",
                "#.# ##. .# #.# #.# #.# ##. #. #.# #.# #.# ##. .#. #.# #.#",
                "### #.. .# #.# #.# ### #.. #. #.# #.# ### #.. .#. #.# #.#",
                "#.# ### .# ### ### #.# ### #. ### ### #.# ### .#. ### ###",
            ]
        ),
        (
            "ÄËÏÖÜÑÇ.,:'’!?-–/ \u{A0}",
            [
                "#.# #.# #.# #.# #.# .##. ... . .. . . . . ... ... ... ... .. ..",
                "... ... ... ... ... .... .## . .. . # # # ##. ... ... ..# .. ..",
                ".#. ### .#. ### #.# #..# #.. . .. # # # # ..# ... ... ..# .. ..",
                "#.# ##. .#. #.# #.# ##.# #.. . .. . . . # .#. ### ### .#. .. ..",
                "### #.. .#. #.# #.# #.## .## . .# # . . . ... ... ... #.. .. ..",
                "#.# ### .#. ### ### #..# .#. # #. . . . # .#. ... ... #.. .. ..",
            ]
        ),
    ]

    private static let glyphs: [Character: Bitmap] = {
        var glyphs: [Character: Bitmap] = [" ": Bitmap(width: 2, height: height)]
        for sheet in sheets {
            for (index, character) in sheet.characters.enumerated() {
                let rows = sheet.rows.map { $0.split(separator: " ")[index] }
                var glyph = Bitmap(width: rows[0].count, height: height)
                for (row, dots) in rows.enumerated() {
                    for (column, dot) in dots.enumerated() where dot == "#" {
                        glyph[row, column] = true
                    }
                }
                glyphs[character] = glyph
            }
        }
        return glyphs
    }()
}
