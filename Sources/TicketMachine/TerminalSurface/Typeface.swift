/// How large letters and shapes are drawn: with half blocks, which every terminal has, or with the machine's own font,
/// which only the terminal of the session has.
///
/// The machine's own font has the sizes of `TypeSize`; half blocks are drawn as large as there is room for.
public struct Typeface: Sendable {
    public static let blocks = Typeface(font: nil)

    private let font: PieceFont?

    private init(font: PieceFont?) { self.font = font }

    public init(_ font: PieceFont) { self.font = font }

    /// Whether there are icons, round corners and rings.
    public var hasShapes: Bool { font != nil }

    /// An icon or a part of a button; nil without a font of the machine's own.
    public func shape(_ name: String) -> Figure? { font?.shape(name) }

    /// How many dots a cell has.
    var dotsPerCell: (across: Int, down: Int) { hasShapes ? (2, 4) : (1, 2) }

    /// Dots as small as there are: half a cell wide in the machine's own font, otherwise as wide as a cell.
    func dots(_ bitmap: Bitmap) -> Figure {
        guard let patterns = font?.shape("dots") else { return Figure(bitmap) }
        let (across, down) = dotsPerCell
        let columns = (bitmap.width + across - 1) / across
        let rows = (bitmap.height + down - 1) / down
        var pieces: [Piece] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let mask = (0..<8).reduce(0) { mask, bit in
                    mask
                        | (bitmap[down * row + bit / across, across * column + bit % across]
                            ? 1 << bit : 0)
                }
                pieces.append(patterns.piece(row: 0, column: mask))
            }
        }
        return Figure(pieces: pieces, columns: columns)
    }

    // MARK: Labels

    /// A button's label in letters of the smaller size.
    public func label(
        _ words: String, fitting room: GridSize, _ alignment: Alignment = .centre
    ) -> LargeText? {
        guard let font else { return SmallCapitals.lines(words, fitting: room, most: 2) }
        // In an odd number of rows it is in their middle, also if it has two lines.
        if room.rows % 2 == 1, alignment == .centre,
            let text = font.lines(
                words, .label, rows: 3, columns: room.columns, alignment: alignment)
        {
            let interlocked = text.lines.count == 2 ? text.interlocked(columns: room.columns) : text
            if let interlocked, interlocked.lines.count <= 2, interlocked.rows <= room.rows {
                return interlocked
            }
        }
        return Self.text(words, font, size: .label, fitting: room, lines: 2, alignment)
    }

    /// A button's label in letters of the larger size.
    ///
    /// - Parameter isLarge: whether the customer has asked for large letters.
    public func title(_ words: String, fitting room: GridSize, isLarge: Bool) -> LargeText? {
        guard let font else { return BigText.largest(words, fitting: room, lines: 2) }
        return Self.largest(
            words, font, sizes: isLarge ? [.value, .title] : [.title],
            fitting: room, lines: 2)
    }

    /// The digit of a key, as large as the key allows.
    public func key(_ digit: String, fitting room: GridSize) -> LargeText? {
        guard let font else {
            return BigText.largest(digit, fitting: room)
                ?? SmallCapitals.lines(digit, fitting: room)
        }
        for size in [TypeSize.value, .title, .label] {
            guard let line = font.line(digit, size, centredIn: room.columns)?.trimmed(),
                line.rows <= room.rows, line.columns <= room.columns
            else { continue }
            return LargeText([line], gap: 0)
        }
        return nil
    }

    /// The columns of a label in one line of the smaller size; nil if it cannot be set in it.
    public func labelColumns(_ words: String) -> Int? {
        guard let font else { return SmallCapitals.columns(words) }
        return font.line(words, .label)?.columns
    }

    // MARK: Texts

    /// A heading, in one line or two.
    public func heading(_ words: String, fitting room: GridSize, isLarge: Bool) -> LargeText? {
        guard let font else {
            return BigText.largest(words, fitting: room, lines: 2)
                ?? SmallCapitals.lines(words, fitting: room, most: 2)
        }
        return Self.largest(
            words, font, sizes: (isLarge ? [.value] : []) + [.title, .label], fitting: room,
            lines: 2)
    }

    /// A sentence in large letters, in as many lines as it needs.
    ///
    /// - Parameter isLarge: whether the customer has asked for large letters.
    public func sentence(_ words: String, fitting room: GridSize, isLarge: Bool) -> LargeText? {
        guard let font else {
            let lines = LargeText(BigText.lines(words, columns: room.columns) ?? [])
            let fits = !lines.lines.isEmpty && lines.rows <= room.rows
            return fits ? lines : SmallCapitals.lines(words, fitting: room, most: 2)
        }
        return Self.largest(
            words, font, sizes: (isLarge ? [.title] : []) + [.label], fitting: room, lines: .max)
    }

    /// Words beside a value or a label, in one line of the machine's own font; nil without one.
    public func caption(
        _ words: String, fitting room: GridSize, _ alignment: Alignment = .centre
    ) -> LargeText? {
        font.flatMap { Self.text(words, $0, size: .label, fitting: room, lines: 1, alignment) }
    }

    /// A line of a list; nil if it is wider than the screen may be or cannot be set.
    public func listLine(_ words: String) -> Figure? {
        guard let font else { return SmallCapitals.bitmap(words).map { Figure($0) } }
        return font.line(words, .label)
    }

    /// Lines of a list; nil if one of them cannot be set.
    public func list(_ lines: [String]) -> LargeText? {
        let figures = lines.compactMap(listLine)
        return figures.count == lines.count ? LargeText(figures, gap: font == nil ? 1 : 0) : nil
    }

    // MARK: Values

    /// A number, a time or a few words as large as there is room for, digits first.
    public func value(
        _ words: String, fitting room: GridSize, isLarge: Bool, lines: Int
    ) -> LargeText? {
        guard let font else {
            let words = words.replacing("–", with: "-")
            if isLarge, lines > 1, let stacked = BigDigits.stacked(amount: words, fitting: room) {
                // Several lines are used if one line has no room for a large number and its unit.
                let line = BigDigits.largest(
                    amount: words, fitting: room, narrowest: Self.narrowest(isLarge))
                if stacked[0].capHeight > line?.capHeight ?? 0 { return LargeText(stacked) }
            }
            return blockValue(words, fitting: room, isLarge: isLarge, lines: lines)
        }
        let sizes = (isLarge ? [TypeSize.largeNumber] : []) + [.number, .value, .title, .label]
        if let line = Self.largest(words, font, sizes: sizes, fitting: room, lines: 1) {
            guard isLarge, lines > 1, line.rows < TypeSize.number.rows,
                let stacked = Self.stacked(words, font, fitting: room)
            else { return line }
            return stacked
        }
        return Self.largest(
            words, font, sizes: [.title, .label], fitting: room, lines: lines)
    }

    private func blockValue(
        _ words: String, fitting room: GridSize, isLarge: Bool, lines: Int
    ) -> LargeText? {
        let narrowest = Self.narrowest(isLarge)
        let digits =
            BigDigits.largest(words, fitting: room, narrowest: narrowest)
            ?? BigDigits.largest(amount: words, fitting: room, narrowest: narrowest)
        return digits.map { LargeText([$0]) }
            ?? BigText.largest(words, fitting: room, lines: lines)
            ?? SmallCapitals.lines(words, fitting: room, most: lines)
    }

    /// Percent of their width to which digits may shrink before their height does.
    private static func narrowest(_ isLarge: Bool) -> Int { isLarge ? 64 : 80 }

    /// The digits of an amount such as "25 minutes" in the size of numbers, over its unit.
    private static func stacked(
        _ words: String, _ font: PieceFont, fitting room: GridSize
    ) -> LargeText? {
        let parts = words.split(separator: " ", maxSplits: 1).map { String($0) }
        guard parts.count == 2, parts[0].allSatisfy({ $0.isNumber || $0 == "–" }),
            !parts[1].contains(where: \.isNumber),
            let number = font.line(parts[0], .number, centredIn: room.columns),
            let unit = font.line(parts[1], .title, centredIn: room.columns),
            number.columns <= room.columns, unit.columns <= room.columns,
            number.rows + unit.rows <= room.rows
        else { return nil }
        return LargeText([number, unit], gap: 0)
    }

    private static func largest(
        _ words: String, _ font: PieceFont, sizes: [TypeSize], fitting room: GridSize, lines: Int
    ) -> LargeText? {
        for size in sizes {
            if let text = text(words, font, size: size, fitting: room, lines: lines) { return text }
        }
        return nil
    }

    private static func text(
        _ words: String, _ font: PieceFont, size: TypeSize, fitting room: GridSize, lines: Int,
        _ alignment: Alignment = .centre
    ) -> LargeText? {
        guard
            let text = font.lines(words, size, columns: room.columns, alignment: alignment),
            text.lines.count <= lines, text.rows <= room.rows
        else { return nil }
        return text
    }
}
