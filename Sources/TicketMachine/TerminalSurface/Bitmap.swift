public import Reservations

/// Black and white dots, nearly square: two of them, one above the other, make a cell.
public struct Bitmap: Hashable, Sendable {
    /// Dots from left to right.
    public let width: Int
    /// Dots from top to bottom.
    public let height: Int
    /// The height of capitals and digits in dots if the bitmap is a text; otherwise 0.
    public internal(set) var capHeight = 0
    private var dots: [Bool]

    public init(width: Int, height: Int) {
        self.width = max(width, 0)
        self.height = max(height, 0)
        dots = Array(repeating: false, count: self.width * self.height)
    }

    /// A QR symbol with its quiet zone (ISO/IEC 18004 5.3.8); set dots are dark modules.
    public init(_ qr: QRMatrix, quietZone: Int = QRMatrix.quietZone) {
        let side = qr.side + 2 * quietZone
        self.init(width: side, height: side)
        for row in 0..<qr.side {
            for column in 0..<qr.side where qr.isDark(row: row, column: column) {
                self[row + quietZone, column + quietZone] = true
            }
        }
    }

    /// Letters beside one another, in a line of this height.
    ///
    /// - Parameter row: the row of dots in which the letters begin.
    init(_ letters: [Bitmap], gap: Int, height: Int, capHeight: Int, row: Int = 0) {
        self.init(width: Self.width(of: letters, gap: gap), height: height)
        self.capHeight = capHeight
        var column = 0
        for letter in letters {
            draw(letter, row: row, column: column)
            column += letter.width + gap
        }
    }

    /// Dots from left to right of letters beside one another; less than 0 for no letters.
    static func width(of letters: [Bitmap], gap: Int) -> Int {
        letters.reduce(-gap) { $0 + $1.width + gap }
    }

    /// Columns of cells that the bitmap takes.
    public var columns: Int { width }
    /// Rows of cells that the bitmap takes; an odd last row of dots is in the upper half of its cells.
    public var rows: Int { (height + 1) / 2 }

    /// A dot; a dot outside is never set, and setting it has no effect.
    public subscript(row: Int, column: Int) -> Bool {
        get { contains(row, column) && dots[row * width + column] }
        set { if contains(row, column) { dots[row * width + column] = newValue } }
    }

    private func contains(_ row: Int, _ column: Int) -> Bool {
        row >= 0 && row < height && column >= 0 && column < width
    }

    mutating func draw(_ other: Bitmap, row: Int, column: Int) {
        for y in 0..<other.height {
            for x in 0..<other.width where other.dots[y * other.width + x] {
                self[row + y, column + x] = true
            }
        }
    }

    /// The bitmap without the unset rows above and below.
    func trimmed() -> Bitmap {
        let used = (0..<height).filter { row in (0..<width).contains { self[row, $0] } }
        guard let first = used.first, let last = used.last else {
            return Bitmap(width: width, height: 0)
        }
        var result = Bitmap(width: width, height: last - first + 1)
        result.capHeight = capHeight
        for row in first...last {
            for column in 0..<width { result[row - first, column] = self[row, column] }
        }
        return result
    }

    /// The bitmap with each dot as a square of so many dots.
    public func scaled(_ factor: Int) -> Bitmap {
        var result = Bitmap(width: width * factor, height: height * factor)
        for row in 0..<result.height {
            for column in 0..<result.width {
                result[row, column] = self[row / factor, column / factor]
            }
        }
        return result
    }

    /// The bitmap twice as large, with slanted edges instead of steps (Scale2x, Andrea Mazzoleni, 2001).
    func doubled() -> Bitmap {
        var result = Bitmap(width: 2 * width, height: 2 * height)
        result.capHeight = 2 * capHeight
        for row in 0..<height {
            for column in 0..<width {
                let dot = self[row, column]
                let up = self[row - 1, column]
                let down = self[row + 1, column]
                let left = self[row, column - 1]
                let right = self[row, column + 1]
                let plain = up == down || left == right
                result[2 * row, 2 * column] = !plain && left == up ? left : dot
                result[2 * row, 2 * column + 1] = !plain && right == up ? right : dot
                result[2 * row + 1, 2 * column] = !plain && left == down ? left : dot
                result[2 * row + 1, 2 * column + 1] = !plain && right == down ? right : dot
            }
        }
        return result
    }
}

extension Surface {
    /// Draws a bitmap's set dots in the style's foreground, the others in its background.
    ///
    /// "▄" is used only if the halves of a cell differ, with the lower half as its foreground; a cell of one colour
    /// is a space. No seam of a font shows inside a surface, so that QR symbols can be scanned from every font tried.
    public mutating func draw(_ bitmap: Bitmap, row: Int, column: Int, _ style: Style) {
        for y in 0..<bitmap.rows {
            for x in 0..<bitmap.columns {
                let upper = bitmap[2 * y, x] ? style.foreground : style.background
                let lower = bitmap[2 * y + 1, x] ? style.foreground : style.background
                let same = upper == lower
                // A space needs another colour as its foreground, by which monochrome terminals see which of the two
                // is the dark one.
                let other = upper == style.background ? style.foreground : style.background
                putSingle(
                    same ? " " : "▄", row: row + y, column: column + x,
                    Style(same ? other : lower, on: upper))
            }
        }
    }
}
