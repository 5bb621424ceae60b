/// Digits, colon, dash and the h between hours and minutes, drawn with strokes in any height of at least twelve dots,
/// for a queue number or a time as large as the grid allows.
public enum BigDigits {
    /// The largest drawing of a text of digits, `:`, `-`, `h` and spaces that fits; nil if even the smallest letters
    /// do not fit, or if the text has any other character.
    ///
    /// - Parameter narrowest: percent of their usual width to which digits may shrink before their height does.
    public static func largest(
        _ text: String, fitting room: GridSize, narrowest: Int = 80
    ) -> Bitmap? {
        guard !text.isEmpty, text.allSatisfy({ skeletons[$0] != nil }) else { return nil }
        for height in stride(from: room.rows * 2, through: smallest, by: -2) {
            // The digits become narrower before they become lower.
            for percent in [100, 80, 64] where percent >= narrowest {
                let shape = Shape(height: height, width: width(of: height, in: percent))
                if shape.columns(of: text) <= room.columns { return bitmap(text, shape) }
            }
        }
        return BigText.largest(text, fitting: room)?.bitmap
    }

    /// An amount such as "25 minutes" or "20-35 minutes": the digits as large as fits, with the unit in letters
    /// beside them; nil if the text has another form or the digits would not be larger than the unit.
    public static func largest(
        amount: String, fitting room: GridSize, narrowest: Int = 80
    ) -> Bitmap? {
        guard let (number, words) = parts(of: amount) else { return nil }
        for size in BigText.capHeights.indices.reversed() {
            guard let unit = BigText.bitmap(words, size: size) else { return nil }
            let gap = BigText.capHeights[size] / 2
            let rest = GridSize(columns: room.columns - unit.width - gap, rows: room.rows)
            guard let digits = largest(number, fitting: rest, narrowest: narrowest),
                digits.height >= BigText.capHeights[size] * 3 / 2
            else { continue }
            var line = Bitmap(width: digits.width + gap + unit.width, height: digits.height)
            line.capHeight = digits.capHeight
            line.draw(digits, row: 0, column: 0)
            line.draw(unit, row: digits.height - unit.height, column: digits.width + gap)
            return line
        }
        return nil
    }

    /// An amount such as "25 minutes" in two lines: the digits as large as fits over the unit in the smallest
    /// letters; nil if the text has another form or does not fit.
    public static func stacked(amount: String, fitting room: GridSize) -> [Bitmap]? {
        guard let (number, words) = parts(of: amount), let unit = BigText.bitmap(words),
            unit.columns <= room.columns
        else { return nil }
        let rest = GridSize(columns: room.columns, rows: room.rows - unit.rows - 1)
        return largest(number, fitting: rest).map { [$0, unit] }
    }

    /// The digits of an amount, and its unit.
    private static func parts(of amount: String) -> (number: String, unit: String)? {
        let parts = amount.split(separator: " ", maxSplits: 1).map { String($0) }
        guard parts.count == 2, parts[0].allSatisfy({ $0.isNumber || $0 == "-" }) else {
            return nil
        }
        return (parts[0], parts[1])
    }

    /// In lower digits, strokes of two dots would touch each other; `BigText` has letters drawn by hand for those
    /// sizes.
    private static let smallest = 12

    private static func width(of height: Int, in percent: Int) -> Int {
        max(6, height * 62 * percent / 10_000)
    }

    /// Height and width of a digit in dots, and the measures that follow from them.
    struct Shape {
        let height: Int
        let width: Int

        /// A sixth of the height reads best from a distance and leaves the holes of 8 open.
        var stroke: Int { max(2, (min(height, width * 5 / 3) + 3) / 6) }
        var gap: Int { max(1, (stroke * 3 + 2) / 4) }

        func width(of character: Character) -> Int {
            character == ":" || character == " " ? stroke + 2 : width
        }

        func columns(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) + gap } - gap }
    }

    static func bitmap(_ text: String, _ shape: Shape) -> Bitmap {
        Bitmap(
            text.map { glyph($0, shape) }, gap: shape.gap, height: shape.height,
            capHeight: shape.height)
    }

    /// Draws a character: a dot is set if its centre is within half a stroke of the skeleton.
    private static func glyph(_ character: Character, _ shape: Shape) -> Bitmap {
        let (height, width) = (shape.height, shape.width(of: character))
        let stroke = Double(shape.stroke)
        var result = Bitmap(width: width, height: height)
        if character == ":" {
            // The points of the colon are square, as ends of strokes are at these sizes, and symmetric from top to
            // bottom.
            for row in 0..<shape.stroke {
                for column in 0..<shape.stroke {
                    result[height / 4 + row, 1 + column] = true
                    result[height - 1 - height / 4 - row, 1 + column] = true
                }
            }
            return result
        }
        let (across, down) = (Double(width) - stroke, Double(height) - stroke)
        let segments = (skeletons[character] ?? []).flatMap { line in
            zip(line, line.dropFirst()).map { from, to in
                Segment(
                    from: Point(from.x * across + stroke / 2, from.y * down + stroke / 2),
                    to: Point(to.x * across + stroke / 2, to.y * down + stroke / 2))
            }
        }
        // The reach is a tenth of a dot longer, so that a centre on the edge is inside on both sides alike.
        let reach = stroke / 2 + 0.1
        for segment in segments {
            let (rows, columns) = segment.dots(within: reach, height: height, width: width)
            for row in rows {
                for column in columns where !result[row, column] {
                    let centre = Point(Double(column) + 0.5, Double(row) + 0.5)
                    result[row, column] = segment.squaredDistance(to: centre) <= reach * reach
                }
            }
        }
        return result
    }

    private struct Segment {
        let from: Point
        let to: Point

        /// Rows and columns of the dots whose centres may be within reach.
        func dots(
            within reach: Double, height: Int, width: Int
        ) -> (rows: Range<Int>, columns: Range<Int>) {
            func range(_ one: Double, _ other: Double, _ limit: Int) -> Range<Int> {
                let first = max(0, Int(min(one, other) - reach - 0.5))
                let end = min(limit, Int(max(one, other) + reach - 0.5) + 1)
                return first..<max(first, end)
            }
            return (range(from.y, to.y, height), range(from.x, to.x, width))
        }

        func squaredDistance(to point: Point) -> Double {
            let (x, y) = (to.x - from.x, to.y - from.y)
            let length = x * x + y * y
            let along =
                length == 0
                ? 0 : min(1, max(0, ((point.x - from.x) * x + (point.y - from.y) * y) / length))
            let (dx, dy) = (point.x - from.x - along * x, point.y - from.y - along * y)
            return dx * dx + dy * dy
        }
    }

    /// Lines in a square of side 1 with its origin at the top left; a stroke follows each line.
    private static let skeletons: [Character: [[Point]]] = [
        "0": [bowl(from: 0, to: 1)],
        "1": [[Point(0.12, 0.22), Point(0.55, 0), Point(0.55, 1)], [Point(0.1, 1), Point(1, 1)]],
        "2": [
            arc(Point(0, 0.26), Point(0, -0.08), Point(1, -0.08), Point(1, 0.28))
                + arc(Point(1, 0.28), Point(1, 0.52), Point(0.3, 0.72), Point(0, 1)) + [Point(1, 1)]
        ],
        "3": [
            arc(Point(0, 0.2), Point(0.1, -0.07), Point(1, -0.1), Point(1, 0.25))
                + arc(Point(1, 0.25), Point(1, 0.44), Point(0.8, 0.48), Point(0.4, 0.48)),
            arc(Point(0.4, 0.48), Point(0.8, 0.48), Point(1, 0.54), Point(1, 0.73))
                + arc(Point(1, 0.73), Point(1, 1.1), Point(0.08, 1.09), Point(0, 0.8)),
        ], "4": [[Point(0.78, 1), Point(0.78, 0), Point(0, 0.7), Point(1, 0.7)]],
        "5": [
            [Point(0.92, 0), Point(0.08, 0), Point(0.03, 0.45)]
                + arc(Point(0.03, 0.45), Point(0.3, 0.3), Point(1, 0.3), Point(1, 0.67))
                + arc(Point(1, 0.67), Point(1, 1.1), Point(0.1, 1.1), Point(0, 0.82))
        ],
        "6": [
            bowl(from: 0.4, to: 1),
            arc(Point(0, 0.7), Point(0, 0.3), Point(0.25, 0), Point(0.85, 0)),
        ], "7": [[Point(0, 0), Point(1, 0), Point(0.35, 1)]],
        "8": [bowl(from: 0, to: 0.47), bowl(from: 0.47, to: 1)],
        "9": [
            bowl(from: 0, to: 0.6),
            arc(Point(1, 0.3), Point(1, 0.7), Point(0.75, 1), Point(0.15, 1)),
        ], ":": [],
        // French writes it between hours and minutes.
        "h": [
            [Point(0, 0), Point(0, 1)],
            arc(Point(0, 0.66), Point(0, 0.3), Point(1, 0.3), Point(1, 0.7)) + [Point(1, 1)],
        ], "-": [[Point(0.1, 0.5), Point(0.9, 0.5)]], " ": [],
    ]

    /// An oval as wide as the square, between two heights.
    private static func bowl(from top: Double, to bottom: Double) -> [Point] {
        let middle = (top + bottom) / 2
        // 4/3 (sqrt 2 - 1) makes a cubic a quarter of a circle; a larger value makes it squarer, which suits digits.
        let bend = 0.7
        let (rise, run) = ((bottom - top) / 2 * bend, 0.5 * bend)
        return arc(
            Point(0, middle), Point(0, middle - rise), Point(0.5 - run, top), Point(0.5, top))
            + arc(Point(0.5, top), Point(0.5 + run, top), Point(1, middle - rise), Point(1, middle))
            + arc(
                Point(1, middle), Point(1, middle + rise), Point(0.5 + run, bottom),
                Point(0.5, bottom))
            + arc(
                Point(0.5, bottom), Point(0.5 - run, bottom), Point(0, middle + rise),
                Point(0, middle))
    }

    /// A cubic Bézier curve as eight straight pieces, finer than a dot in every size drawn.
    private static func arc(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> [Point] {
        (0...8).map { step in
            let t = Double(step) / 8
            let s = 1 - t
            return Point(
                s * s * s * a.x + 3 * s * s * t * b.x + 3 * s * t * t * c.x + t * t * t * d.x,
                s * s * s * a.y + 3 * s * s * t * b.y + 3 * s * t * t * c.y + t * t * t * d.y)
        }
    }
}

struct Point: Hashable, Sendable {
    let x: Double
    let y: Double

    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}
