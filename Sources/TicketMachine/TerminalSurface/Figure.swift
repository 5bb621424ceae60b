public import Reservations

/// A drawing that takes some cells, in one colour on another: large letters, an icon, a symbol.
public struct Figure: Hashable, Sendable {
    public let columns: Int
    public let rows: Int
    /// The height of capitals and digits in half rows if the figure is a text; otherwise 0. A line of the
    /// terminal's own letters has 1.
    public let capHeight: Int
    private let content: Content

    private enum Content: Hashable {
        /// Half blocks, which every terminal has.
        case dots(Bitmap)
        /// Characters of the machine's own font, row by row.
        case pieces([Piece])
    }

    public init(_ bitmap: Bitmap) {
        columns = bitmap.columns
        rows = bitmap.rows
        capHeight = bitmap.capHeight
        content = .dots(bitmap)
    }

    /// A QR symbol with its quiet zone, its modules as large as there is room for: in the machine's own font multiples of
    /// half a cell's width; nil if even the smallest do not fit.
    public static func symbol(
        _ qr: QRMatrix, _ typeface: Typeface, fitting room: GridSize
    ) -> Figure? {
        let once = Bitmap(qr)
        let dots = typeface.dotsPerCell
        let factor = min(
            room.columns * dots.across / max(1, once.width),
            room.rows * dots.down / max(1, once.height))
        guard factor > 0 else { return nil }
        // The symbol is in the middle of its white cells.
        let scaled = once.scaled(factor)
        var whole = Bitmap(
            width: (scaled.width + dots.across - 1) / dots.across * dots.across,
            height: (scaled.height + dots.down - 1) / dots.down * dots.down)
        let (left, top) = ((whole.width - scaled.width) / 2, (whole.height - scaled.height) / 2)
        for row in 0..<whole.height {
            for column in 0..<whole.width {
                let (y, x) = (row - top, column - left)
                let isInside = scaled.width > x && x >= 0 && scaled.height > y && y >= 0
                whole[row, column] = isInside ? scaled[y, x] : scaled[0, 0]
            }
        }
        return typeface.dots(whole)
    }

    /// - Parameter pieces: row by row, as many as the columns and rows have cells.
    init(pieces: [Piece], columns: Int, capHeight: Int = 0) {
        self.columns = columns
        rows = columns == 0 ? 0 : pieces.count / columns
        self.capHeight = capHeight
        content = .pieces(pieces)
    }

    /// The piece in a cell; blank for a drawing of half blocks.
    func piece(row: Int, column: Int) -> Piece {
        if case .pieces(let pieces) = content { pieces[row * columns + column] } else { .blank }
    }

    /// The half blocks of the drawing; nil if it has pieces.
    public var bitmap: Bitmap? { if case .dots(let bitmap) = content { bitmap } else { nil } }

    /// The figure without its empty rows above and below.
    func trimmed() -> Figure {
        guard case .pieces(let pieces) = content else { return self }
        let used = (0..<rows).filter { row in
            pieces[row * columns..<(row + 1) * columns].contains { $0 != .blank }
        }
        guard let first = used.first, let last = used.last else { return self }
        return Figure(
            pieces: Array(pieces[first * columns..<(last + 1) * columns]), columns: columns,
            capHeight: capHeight)
    }

    /// - Parameter isOver: whether what is already in the first row stays where this figure has nothing in it.
    fileprivate func draw(
        on surface: inout Surface, row: Int, column: Int, _ style: Style, isOver: Bool = false
    ) {
        switch content {
        case .dots(let bitmap): surface.draw(bitmap, row: row, column: column, style)
        case .pieces(let pieces):
            // Letters of the plain face have a bold one beside it, pieces have not.
            let shown = Style(style.foreground, on: style.background)
            let full = Style(style.background, on: style.foreground)
            for (index, piece) in pieces.enumerated() {
                if isOver, index < columns, piece == .blank { continue }
                surface.putSingle(
                    piece.scalar, row: row + index / columns, column: column + index % columns,
                    piece == .full ? full : shown)
            }
        }
    }
}

/// The part of an outline in one cell, as its number in the machine's own font.
struct Piece: Hashable, Sendable {
    let number: UInt16

    static let blank = Piece(number: 0)
    /// The whole cell.
    static let full = Piece(number: .max)

    /// Pieces in the private use area of the first plane; all others are in plane 15.
    private static let inFirstPlane: UInt32 = 6_400

    /// The character; a space for a cell of one colour.
    var scalar: Unicode.Scalar {
        guard self != .blank, self != .full else { return " " }
        let index = UInt32(number) - 1
        let value = index < Self.inFirstPlane ? 0xE000 + index : 0xF0000 + index - Self.inFirstPlane
        return Unicode.Scalar(value) ?? " "
    }
}

/// A text in large letters: lines one below the other.
public struct LargeText: Hashable, Sendable {
    public let lines: [Figure]
    /// Empty rows between two lines: letters of the machine's own font have their space within their rows. With a gap
    /// of -1 two lines share a row.
    private let gap: Int

    init(_ lines: [Figure], gap: Int) {
        self.lines = lines
        self.gap = gap
    }

    init(_ bitmaps: [Bitmap]) { self.init(bitmaps.map { Figure($0) }, gap: 1) }

    /// The half blocks of a single line.
    var bitmap: Bitmap? { lines.count == 1 ? lines[0].bitmap : nil }

    public var rows: Int { lines.reduce(-gap) { $0 + $1.rows + gap } }
    public var columns: Int { lines.map(\.columns).max() ?? 0 }
    /// The height of the first line's capitals in half rows.
    public var capHeight: Int { lines.first?.capHeight ?? 0 }

    fileprivate func draw(
        on surface: inout Surface, in area: Rectangle, _ style: Style, _ alignment: Alignment
    ) {
        var row = area.row
        for (index, line) in lines.enumerated() {
            let indent = alignment.indent(free: area.columns - line.columns)
            line.draw(
                on: &surface, row: row, column: area.column + indent, style,
                isOver: gap < 0 && index > 0)
            row += line.rows + gap
        }
    }

    /// Two lines that share a row, in which the lower ends of the upper line are beside the accents of the lower one;
    /// nil if a cell would have both.
    ///
    /// - Parameter columns: in whose middle the lines stand.
    func interlocked(columns: Int) -> LargeText? {
        guard lines.count == 2 else { return nil }
        func columnsWithInk(_ line: Figure, row: Int) -> Set<Int> {
            let indent = Alignment.centre.indent(free: columns - line.columns)
            return Set(
                (0..<line.columns).filter { line.piece(row: row, column: $0) != .blank }
                    .map { $0 + indent })
        }
        let lowerEnds = columnsWithInk(lines[0], row: lines[0].rows - 1)
        guard lowerEnds.isDisjoint(with: columnsWithInk(lines[1], row: 0)) else { return nil }
        return LargeText(lines, gap: -1)
    }
}

extension Surface {
    /// Draws a figure in the style's foreground on its background.
    public mutating func draw(_ figure: Figure, row: Int, column: Int, _ style: Style) {
        figure.draw(on: &self, row: row, column: column, style)
    }

    /// Draws large lines one below the other, from the top of a rectangle.
    public mutating func draw(
        _ text: LargeText, in area: Rectangle, _ style: Style, _ alignment: Alignment = .left
    ) { text.draw(on: &self, in: area, style, alignment) }
}
