/// Words drawn with half blocks in three sizes: Latin letters, digits and punctuation.
enum BigText {
    /// Heights of capitals in dots: the size drawn by hand, doubled, and doubled twice.
    static let capHeights = [7, 14, 28]

    /// A text in one line; nil if a character has no glyph or the size is not 0, 1 or 2.
    static func bitmap(_ text: String, size: Int = 0) -> Bitmap? {
        guard capHeights.indices.contains(size), let line = smallest(text) else { return nil }
        return doubled(line, times: size)
    }

    /// The largest size in which a text fits, in one line or more; nil if none does.
    static func largest(
        _ text: String, fitting room: GridSize, lines most: Int = 1
    ) -> LargeText? {
        // The smallest size shows what fits, because each further size is twice as large.
        let candidates = (1...max(most, 1)).compactMap { broken(text, into: $0) }
        for size in capHeights.indices.reversed() {
            for lines in candidates {
                let rows = lines.reduce(0) { $0 + (($1.height << size) + 1) / 2 } + lines.count - 1
                if rows <= room.rows, lines.allSatisfy({ $0.columns << size <= room.columns }) {
                    return LargeText(lines.map { doubled($0, times: size) })
                }
            }
        }
        return nil
    }

    /// A text in the smallest size, in as many lines as it needs; nil if a character has no glyph or a word is wider
    /// than a line.
    static func lines(_ text: String, columns: Int) -> [Bitmap]? {
        var lines: [String] = []
        for word in text.split(separator: " ").map({ String($0) }) {
            guard let alone = Self.columns(word), alone <= columns else { return nil }
            if let last = lines.last, let both = Self.columns("\(last) \(word)"), both <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines.compactMap(smallest)
    }

    /// The letters of a text in the smallest size; nil if a character has no glyph.
    private static func letters(_ text: String) -> [Bitmap]? {
        let letters = text.compactMap(glyph)
        return letters.count == text.count ? letters : nil
    }

    private static func columns(_ text: String) -> Int? {
        letters(text).map { max(0, Bitmap.width(of: $0, gap: 1)) }
    }

    private static func smallest(_ text: String) -> Bitmap? {
        letters(text).map {
            Bitmap($0, gap: 1, height: BigGlyphs.height, capHeight: capHeights[0]).trimmed()
        }
    }

    private static func doubled(_ line: Bitmap, times: Int) -> Bitmap {
        (0..<times).reduce(line) { line, _ in line.doubled() }
    }

    /// Breaks a text, in the smallest size, at the space that makes its two lines most equal.
    private static func broken(_ text: String, into count: Int) -> [Bitmap]? {
        guard count > 1 else { return smallest(text).map { [$0] } }
        return count == 2 ? TextFlow.halves(text, width: columns)?.compactMap(smallest) : nil
    }

    private static func glyph(_ character: Character) -> Bitmap? {
        BigGlyphs.glyphs[character] ?? accented[character]
    }

    private static let accented: [Character: Bitmap] = Dictionary(
        uniqueKeysWithValues: BigGlyphs.accented.keys.compactMap { character in
            compose(character).map { (character, $0) }
        })

    private static func compose(_ character: Character) -> Bitmap? {
        guard let (base, accent) = BigGlyphs.accented[character],
            let letter = BigGlyphs.glyphs[base], let mark = BigGlyphs.glyphs[accent]
        else { return nil }
        var result = Bitmap(width: max(letter.width, mark.width), height: BigGlyphs.height)
        // Small letters have their accent two dots lower; the accent replaces the dot of the i.
        let body = base == "i" ? BigGlyphs.glyphs["ı"] ?? letter : letter
        result.draw(body, row: 0, column: (result.width - body.width) / 2)
        let isLow = base.isLowercase && accent != "¸"
        result.draw(mark, row: isLow ? 2 : 0, column: (result.width - mark.width) / 2)
        return result
    }
}
