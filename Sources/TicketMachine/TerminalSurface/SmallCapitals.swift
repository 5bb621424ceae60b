/// Words in narrow capitals of three rows of cells, for labels without room for `BigText`.
///
/// A letter is 3 dots wide (some are 1, 2, 4 or 5) and 5 high. An accented letter gives a dot of its height to its
/// accent, so that every line has the same 3 rows.
public enum SmallCapitals {
    /// A text in one line; nil if a character has no glyph.
    public static func bitmap(_ text: String) -> Bitmap? {
        let glyphs = text.uppercased().compactMap { Self.glyphs[$0] }
        guard !glyphs.isEmpty, glyphs.count == text.uppercased().count else { return nil }
        // Without an accent the free row of dots is below the letters, apart from the next line.
        let isAccented = glyphs.contains { glyph in (0..<glyph.width).contains { glyph[0, $0] } }
        return Bitmap(
            glyphs, gap: 1, height: height, capHeight: height - 1, row: isAccented ? 0 : -1)
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
        lines.rows <= room.rows && lines.allSatisfy { $0.columns <= room.columns }
    }

    /// One row for accents above 5 rows of letters.
    private static let height = 6

    private static let glyphs = [Character: Bitmap](
        height: height,
        [
            "ABCDEFGHIJKLM": """
            ... ... ... ... ... ... ... ... . ... ... .. .....
            .#. ##. .## ##. ### ### .## #.# # ..# #.# #. #...#
            #.# #.# #.. #.# #.. #.. #.. #.# # ..# #.# #. ##.##
            ### ##. #.. #.# ##. ##. #.# ### # ..# ##. #. #.#.#
            #.# #.# #.. #.# #.. #.. #.# #.# # #.# #.# #. #...#
            #.# ##. .## ##. ### #.. .## #.# # .#. #.# ## #...#
            """,
            "NOPQRSTUVWXYZ": """
            .... ... ... ... ... ... ... ... ... ..... ... ... ...
            #..# ### ##. ### ##. .## ### #.# #.# #...# #.# #.# ###
            ##.# #.# #.# #.# #.# #.. .#. #.# #.# #...# #.# #.# ..#
            #.## #.# ##. #.# ##. .#. .#. #.# #.# #.#.# .#. .#. .#.
            #..# #.# #.. ### #.# ..# .#. #.# #.# ##.## #.# .#. #..
            #..# ### #.. ..# #.# ##. .#. ### .#. #...# #.# .#. ###
            """,
            "0123456789": """
            ... ... ... ... ... ... ... ... ... ...
            ### .#. ##. ##. #.# ### .## ### ### ###
            #.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
            #.# .#. .#. .#. ### ##. ### .#. ### ###
            #.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
            ### ### ### ##. ..# ##. ### .#. ### ##.
            """,
            "ÀÈÌÒÙÁÉÍÓÚÂÊÎÔÛ": """
            #.. #.. #. #.. #.. ..# ..# .# ..# ..# .#. .#. .#. .#. .#.
            ... ... .. ... ... ... ... .. ... ... #.# #.# #.# #.# #.#
            .#. ### .# ### #.# .#. ### #. ### #.# .#. ### .#. ### ...
            #.# ##. .# #.# #.# #.# ##. #. #.# #.# #.# ##. .#. #.# #.#
            ### #.. .# #.# #.# ### #.. #. #.# #.# ### #.. .#. #.# #.#
            #.# ### .# ### ### #.# ### #. ### ### #.# ### .#. ### ###
            """,
            "ÄËÏÖÜÑÇ.,:'’!?-–/ \u{A0}": """
            #.# #.# #.# #.# #.# .##. ... . .. . . . . ... ... ... ... .. ..
            ... ... ... ... ... .... .## . .. . # # # ##. ... ... ..# .. ..
            .#. ### .#. ### #.# #..# #.. . .. # # # # ..# ... ... ..# .. ..
            #.# ##. .#. #.# #.# ##.# #.. . .. . . . # .#. ### ### .#. .. ..
            ### #.. .#. #.# #.# #.## .## . .# # . . . ... ... ... #.. .. ..
            #.# ### .#. ### ### #..# .#. # #. . . . # .#. ... ... #.. .. ..
            """,
        ])
}
