/// The machine's own font: which pieces make which text, as `Kiosk/make-font` wrote it.
///
/// Letters stand at multiples of an eighth of a cell. A piece shows what all letters of a text have in one cell, so
/// that neighbours that share a cell are drawn with their own distance. Only letters and pairs that occur in the
/// catalogues are there, and all digits.
public struct PieceFont: Sendable {
    private let sizes: [PieceSize]
    private let shapes: [String: Figure]

    /// The file is not one that this program reads.
    public struct Malformed: Error, Hashable, Sendable {}

    /// - Parameter bytes: of the file `pieces`.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = ByteReader(bytes)
        // The name, and the version of the form.
        guard try reader.take(8) == [0x43, 0x4C, 0x75, 0x70, 1, 0, 0, 0] else { throw Malformed() }
        var shapes: [String: Figure] = [:]
        for _ in 0..<(try reader.number(4)) {
            let length = try reader.number(1)
            let columns = try reader.number(2)
            let rows = try reader.number(1)
            let name = String(decoding: try reader.take(length), as: UTF8.self)
            var pieces: [Piece] = []
            for _ in 0..<columns * rows {
                pieces.append(Piece(number: UInt16(try reader.number(2))))
            }
            shapes[name] = Figure(pieces: pieces, columns: columns)
        }
        self.shapes = shapes
        var sizes: [PieceSize] = []
        for _ in 0..<(try reader.number(4)) { sizes.append(try PieceSize(&reader)) }
        self.sizes = sizes
        guard reader.isAtEnd else { throw Malformed() }
    }

    /// An icon or a part of a button; nil if the font has none of this name.
    func shape(_ name: String) -> Figure? { shapes[name] }

    /// A text in one line of a size; nil if a letter or a pair of it is not in the font.
    ///
    /// - Parameters:
    ///   - rows: rows of the line, if they are not those of the size.
    ///   - width: columns in whose middle the line will stand; nil for a line that begins at an edge.
    public func line(
        _ text: String, _ type: TypeSize, rows: Int? = nil, centredIn width: Int? = nil
    ) -> Figure? {
        size(type, rows: rows)?.line(text, centredIn: width)
    }

    private func size(_ type: TypeSize, rows: Int? = nil) -> PieceSize? {
        sizes.first { $0.capitals == type.capitals && $0.rows == rows ?? type.rows }
    }

    /// A text in as few lines as a width allows, none much shorter than the others; nil if a word is wider or not in
    /// the font.
    func lines(
        _ text: String, _ type: TypeSize, rows: Int? = nil, columns: Int, alignment: Alignment
    ) -> LargeText? {
        guard let size = size(type, rows: rows) else { return nil }
        let parts = text.split { $0 == " " || $0 == "\n" }.map { size.words($0) }
        let words = parts.compactMap(\.self)
        guard !words.isEmpty, words.count == parts.count else { return nil }
        func broken(at limit: Int) -> [(words: Range<Int>, columns: Int)]? {
            var lines: [(words: Range<Int>, columns: Int)] = []
            var pen = PieceSize.Pen()
            for (index, word) in words.enumerated() {
                var longer = pen
                size.move(&longer, over: word)
                if let line = lines.last, longer.columns <= limit {
                    lines[lines.count - 1] = (line.words.lowerBound..<index + 1, longer.columns)
                    pen = longer
                    continue
                }
                pen = PieceSize.Pen()
                size.move(&pen, over: word)
                guard pen.columns <= limit else { return nil }
                lines.append((index..<index + 1, pen.columns))
            }
            return lines
        }
        guard var best = broken(at: columns) else { return nil }
        while best.count > 1, let widest = best.map(\.columns).max(),
            let narrower = broken(at: widest - 1), narrower.count == best.count
        { best = narrower }
        let figures = best.compactMap { line in
            size.line(
                words[line.words].flatMap(\.self), centredIn: alignment == .centre ? columns : nil)
        }
        return figures.count == best.count ? LargeText(figures, gap: 0) : nil
    }
}

/// The large letters of one size.
private struct PieceSize: Sendable {
    let rows: Int
    /// The height of capitals in units of the font.
    let capitals: Int
    private let letters: [Unicode.Scalar: Letter]
    /// The advance of a space.
    private let space: Int
    /// In eighths of a cell, by the numbers of two letters.
    private let kerning: [UInt32: Int]
    /// Sorted by the key: eight bytes of it, then two for each row's piece.
    private let cells: ArraySlice<UInt8>
    private let cellCount: Int

    /// Widths in eighths of a cell.
    fileprivate struct Letter {
        let number: Int
        let advance: Int
        /// The first and the last eighth with ink; equal for a space.
        let left: Int
        let right: Int
    }

    init(_ reader: inout ByteReader) throws(PieceFont.Malformed) {
        rows = try reader.number(2)
        capitals = try reader.number(2)
        guard (1...40).contains(rows) else { throw PieceFont.Malformed() }
        var letters: [Unicode.Scalar: Letter] = [:]
        for number in 0..<(try reader.number(4)) {
            guard let scalar = Unicode.Scalar(UInt32(try reader.number(4))) else {
                throw PieceFont.Malformed()
            }
            letters[scalar] = Letter(
                number: number, advance: try reader.signed(2), left: try reader.signed(2),
                right: try reader.signed(2))
        }
        self.letters = letters
        guard let space = letters[" "]?.advance else { throw PieceFont.Malformed() }
        self.space = space
        var kerning: [UInt32: Int] = [:]
        for _ in 0..<(try reader.number(4)) {
            kerning[UInt32(try reader.number(4))] = try reader.signed(2)
        }
        self.kerning = kerning
        cellCount = try reader.number(4)
        guard cellCount <= 1 << 20 else { throw PieceFont.Malformed() }
        cells = try reader.take(cellCount * (8 + 2 * rows))
    }

    /// A letter at its place in a line, in eighths of a cell.
    fileprivate struct Placed {
        let letter: Letter
        let place: Int
        var left: Int { place + letter.left }
        var right: Int { place + letter.right }
    }

    /// The letters of a word, placed from its own beginning.
    struct Word {
        fileprivate let letters: [Placed]
        fileprivate let left: Int
        fileprivate let right: Int
        fileprivate let advance: Int
        /// Whether it begins with a digit or what stands beside digits.
        fileprivate let isBesideDigits: Bool
    }

    /// The end of a line that is being set.
    struct Pen {
        /// Where the next word would begin if words could share a cell, in eighths of one.
        fileprivate var natural = 0
        /// The columns up to the last one with ink.
        fileprivate(set) var columns = 0
    }

    func line(_ text: String, centredIn width: Int? = nil) -> Figure? {
        words(text).flatMap { line($0, centredIn: width) }
    }

    /// - Parameter width: columns in whose middle the line will stand; nil for a line that begins at an edge.
    func line(_ words: [Word], centredIn width: Int? = nil) -> Figure? {
        var placed = placed(words, from: 0)
        // Its first word may also begin within a cell, which may be nearer to the middle of the width.
        if let width {
            for start in words.first?.isBesideDigits == true ? [2, 4, 6] : [4] {
                let shifted = self.placed(words, from: start)
                if Self.distance(shifted, fromMiddleOf: width)
                    < Self.distance(placed, fromMiddleOf: width)
                {
                    placed = shifted
                }
            }
        }
        guard let end = placed.map(\.right).max() else { return nil }
        let columns = (end + 7) / 8
        var pieces = [Piece](repeating: .blank, count: rows * columns)
        var first = placed.startIndex
        for column in 0..<columns {
            while first < placed.endIndex, placed[first].right <= 8 * column { first += 1 }
            var key: UInt64 = 0
            for letter in placed[first...] {
                guard letter.left < 8 * column + 8, letter.right > 8 * column else { continue }
                let offset = letter.place - 8 * column + 240
                key = key << 16 | UInt64(letter.letter.number + 1) << 8 | UInt64(offset & 0xFF)
            }
            guard key != 0 else { continue }
            guard let found = cell(key) else { return nil }
            for row in 0..<rows { pieces[row * columns + column] = found(row) }
        }
        // In half rows, like that of half blocks.
        let height = (2 * capitals + TypeSize.unitsPerRow / 2) / TypeSize.unitsPerRow
        return Figure(pieces: pieces, columns: columns, capHeight: height)
    }

    /// How far the middle of the ink is from that of a width if the line's cells are in its middle, in sixteenths of a
    /// cell.
    private static func distance(_ placed: [Placed], fromMiddleOf width: Int) -> Int {
        let left = placed.map(\.left).min() ?? 0
        let right = placed.map(\.right).max() ?? 0
        let columns = (right + 7) / 8
        guard columns <= width else { return .max }
        let indent = 16 * Alignment.centre.indent(free: width - columns)
        // The digits of keys in a column stand over one another, as digits in a number do.
        if placed.count == 1, let only = placed.first {
            return abs(indent + 2 * only.place + only.letter.advance - 8 * width)
        }
        return abs(indent + left + right - 8 * width)
    }

    /// The letters with ink.
    ///
    /// - Parameter start: where the first word begins, in eighths of a cell.
    private func placed(_ words: [Word], from start: Int) -> [Placed] {
        var pen = Pen(natural: start)
        return words.flatMap { word in
            let begin = pen.begin(of: word, space: space)
            return word.letters.map { Placed(letter: $0.letter, place: $0.place + begin) }
        }
    }

    /// Moves a line's end behind further words.
    func move(_ pen: inout Pen, over words: [Word]) {
        for word in words { _ = pen.begin(of: word, space: space) }
    }

    /// The words of a text in one line; nil if one of its letters is not in the font.
    func words(_ text: some StringProtocol) -> [Word]? {
        var words: [Word] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" }) {
            guard let set = set(word.unicodeScalars) else { return nil }
            words.append(set)
        }
        return words
    }

    private func set(_ scalars: some Sequence<Unicode.Scalar>) -> Word? {
        var place = 0
        var before: Letter?
        var isBesideDigits: Bool?
        var placed: [Placed] = []
        for scalar in scalars {
            guard let letter = letters[scalar] else { return nil }
            if let before {
                place += kerning[UInt32(before.number) << 16 | UInt32(letter.number)] ?? 0
            }
            isBesideDigits = isBesideDigits ?? PieceFont.isBesideDigits(scalar)
            placed.append(Placed(letter: letter, place: place))
            place += letter.advance
            before = letter
        }
        guard let left = placed.map(\.left).min(), let right = placed.map(\.right).max(),
            let isBesideDigits
        else { return nil }
        return Word(
            letters: placed, left: left, right: right, advance: place,
            isBesideDigits: isBesideDigits)
    }

    /// The pieces of a cell, by its row; nil if the font has none for these letters at these places.
    private func cell(_ key: UInt64) -> ((Int) -> Piece)? {
        let stride = 8 + 2 * rows
        var low = 0
        var high = cellCount
        while low < high {
            let middle = (low + high) / 2
            let at = cells.startIndex + middle * stride
            let found = number(at, 8)
            if found == key {
                return { row in Piece(number: UInt16(self.number(at + 8 + 2 * row, 2))) }
            }
            if found < key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func number(_ at: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(cells[at + $1]) << UInt64(8 * $1) }
    }
}

extension PieceSize.Pen {
    /// Moves the line's end behind a word, and gives where that begins. Words share no cell: each begins at a half of
    /// one, with digits and marks at a quarter.
    fileprivate mutating func begin(of word: PieceSize.Word, space: Int) -> Int {
        let step = word.isBesideDigits ? 2 : 4
        // The first column with ink is one that the word before leaves empty.
        var begin = (max(natural, 0) + step / 2) / step * step
        while begin + word.left < 8 * columns { begin += step }
        columns = max(columns, (begin + word.right + 7) / 8)
        natural = begin + word.advance + space
        return begin
    }
}

extension PieceFont {
    /// Whether a character is a digit or stands beside digits without a space: their widths keep all digits of a word
    /// at quarters of a cell.
    fileprivate static func isBesideDigits(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
            || [":", ".", ",", "–", "-", "%", ")", "h", "_"].contains(scalar)
    }
}

/// Reads little-endian numbers one after the other.
private struct ByteReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ count: Int) throws(PieceFont.Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, bytes.count - place >= count else { throw PieceFont.Malformed() }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func number(_ count: Int) throws(PieceFont.Malformed) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func signed(_ count: Int) throws(PieceFont.Malformed) -> Int {
        Int(Int16(truncatingIfNeeded: try number(count)))
    }
}
