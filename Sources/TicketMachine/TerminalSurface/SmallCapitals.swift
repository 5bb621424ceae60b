/// Words in narrow capitals of three rows of cells, for labels without room for `BigText`.
///
/// A letter is 3 dots wide (some are 1, 2, 4 or 5) and 5 high. An accented letter gives a dot of its height to its
/// accent, so that every line has the same 3 rows.
enum SmallCapitals {
    /// A text in one line; nil if a character has no glyph.
    static func bitmap(_ text: String) -> Bitmap? {
        guard let letters = letters(text) else { return nil }
        // Without an accent the free row of dots is below the letters, apart from the next line.
        let isAccented = letters.contains { letter in (0..<letter.width).contains { letter[0, $0] }
        }
        return Bitmap(
            letters, gap: 1, height: height, capHeight: height - 1, row: isAccented ? 0 : -1)
    }

    /// A text in one line, or in two if `most` allows it; nil if it does not fit.
    static func lines(_ text: String, fitting room: GridSize, most: Int = 1) -> LargeText? {
        guard let width = columns(text) else { return nil }
        if width <= room.columns, let line = bitmap(text).map({ LargeText([$0]) }), fits(line, room)
        {
            return line
        }
        guard most > 1, let halves = TextFlow.halves(text, width: columns) else { return nil }
        let lines = LargeText(halves.compactMap(bitmap))
        return fits(lines, room) ? lines : nil
    }

    /// Columns of a text in one line; nil if a character has no glyph.
    static func columns(_ text: String) -> Int? {
        letters(text).map { Bitmap.width(of: $0, gap: 1) }
    }

    /// The letters of a text; nil if a character has no glyph, or if there is none.
    private static func letters(_ text: String) -> [Bitmap]? {
        let capitals = text.uppercased()
        let letters = capitals.compactMap { glyphs[$0] }
        return letters.isEmpty || letters.count < capitals.count ? nil : letters
    }

    private static func fits(_ text: LargeText, _ room: GridSize) -> Bool {
        text.rows <= room.rows && text.columns <= room.columns
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
