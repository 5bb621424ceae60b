/// One place of the screen, packed so that a screen is compared and copied as plain memory.
public struct Cell: Hashable, Sendable {
    /// The base character and up to two marks over it, 21 bits each, the base in the lowest ones; 0 for the right half
    /// of a wide character.
    private var scalars: UInt64
    public var style: Style
    private let columns: UInt8

    private static let bitsPerScalar = 21

    /// - Parameter scalar: the base character; nil for the right half of a wide one.
    fileprivate init(_ scalar: Unicode.Scalar?, width: Int, style: Style) {
        scalars = UInt64(scalar?.value ?? 0)
        columns = UInt8(truncatingIfNeeded: width)
        self.style = style
    }

    /// A space.
    static func blank(_ style: Style) -> Cell { Cell(" ", width: 1, style: style) }

    /// - Parameter text: one base character with at most two marks over it; empty for the right half of a wide one.
    init(text: String, width: Int, style: Style) {
        self.init(text.unicodeScalars.first, width: width, style: style)
        for mark in text.unicodeScalars.dropFirst() { add(mark) }
    }

    /// One base character with the combining marks over it; empty for the right half of a wide one.
    public var text: String {
        var text = String.UnicodeScalarView()
        var rest = scalars
        while rest != 0 {
            if let scalar = Unicode.Scalar(UInt32(rest & Self.scalarMask)) { text.append(scalar) }
            rest >>= UInt64(Self.bitsPerScalar)
        }
        return String(text)
    }

    /// 1, or 2 for an East Asian wide character, or 0 for the right half of one.
    public var width: Int { Int(columns) }

    /// The base character; 0 for the right half of a wide one.
    public var base: UInt32 { UInt32(scalars & Self.scalarMask) }

    /// The marks over the base character in their order; 0 for none.
    public var marks: (UInt32, UInt32) {
        let rest = scalars >> UInt64(Self.bitsPerScalar)
        return (UInt32(rest & Self.scalarMask), UInt32(rest >> UInt64(Self.bitsPerScalar)))
    }

    fileprivate var isBlank: Bool { scalars == 0x20 }

    /// Adds a mark over the base character; clean texts have two at most (`PlainText.mostMarks`), and a further one is
    /// left out.
    fileprivate mutating func add(_ mark: Unicode.Scalar) {
        for place in 1...PlainText.mostMarks {
            let shift = UInt64(place * Self.bitsPerScalar)
            guard scalars >> shift == 0 else { continue }
            scalars |= UInt64(mark.value) << shift
            return
        }
    }

    private static let scalarMask: UInt64 = 0x1F_FFFF
}

/// A whole screen as a value: every drawing call clips, and none can fail.
public struct Surface: Hashable, Sendable {
    public let size: GridSize
    private var cells: [Cell]
    /// Characters that had no room; 0 if everything that was drawn can be seen.
    public private(set) var lost = 0
    /// Characters drawn over other ones; 0 if nothing is hidden.
    public private(set) var covered = 0

    public init(size: GridSize, style: Style) {
        self.size = size
        cells = Array(
            repeating: .blank(style), count: size.rows * size.columns)
    }

    public var bounds: Rectangle { Rectangle(size) }

    /// A cell of the surface; a blank black one for a place outside of it.
    public subscript(row: Int, column: Int) -> Cell {
        guard bounds.contains(GridPosition(row: row, column: column)) else {
            return .blank(Style(.white, on: .black))
        }
        return cells[row * size.columns + column]
    }

    /// Whether cells are on the surface and those of their first row are empty.
    public func isFree(_ place: Rectangle) -> Bool {
        guard bounds.contains(place) else { return false }
        let first = place.row * size.columns + place.column
        return cells[first..<first + place.columns].allSatisfy(\.isBlank)
    }

    /// Whether a row has the same cells as that of another surface.
    public func hasSameRow(_ row: Int, as other: Surface) -> Bool {
        guard other.size == size, bounds.contains(GridPosition(row: row, column: 0)) else {
            return false
        }
        let range = row * size.columns..<(row + 1) * size.columns
        return cells[range] == other.cells[range]
    }

    /// A cell by its place in the rows one after the other.
    func cell(_ index: Int) -> Cell { cells[index] }

    /// Replaces each cell.
    mutating func mapCells(_ replacement: (Cell, Int) -> Cell) {
        for index in cells.indices { cells[index] = replacement(cells[index], index) }
    }

    public mutating func fill(_ rectangle: Rectangle, _ style: Style) {
        let area = rectangle.intersection(bounds)
        guard !area.isEmpty else { return }
        for row in area.row..<area.end {
            let first = row * size.columns + area.column
            let range = first..<first + area.columns
            for index in range where !cells[index].isBlank {
                // A right half goes with its left one.
                if cells[index].width > 0 || index == first { covered += 1 }
            }
            freeHalves(beside: range)
            for index in range { cells[index] = .blank(style) }
        }
    }

    /// Writes text in one line and returns the columns it took. Text outside `limits`, by default the whole surface,
    /// is left out and counted as lost.
    ///
    /// The text is expected to be clean (`PlainText`). Characters without a width of their own are dropped here too,
    /// so that no control character ever reaches a terminal.
    @discardableResult public mutating func put(
        _ text: String, row: Int, column: Int, _ style: Style, within limits: Rectangle? = nil
    ) -> Int {
        let area = (limits ?? bounds).intersection(bounds)
        var place = column
        /// The cell that was written last; nil if the last character had no room.
        var last: Int?
        for scalar in text.unicodeScalars {
            let width = TextWidth.of(scalar)
            guard width > 0 else {
                if let last, TextWidth.isMark(scalar) { cells[last].add(scalar) }
                continue
            }
            let fits =
                (area.row..<area.end).contains(row) && place >= area.column
                && place + width <= area.endColumn
            if fits { set(row, place, scalar, width, style) } else { lost += 1 }
            last = fits ? row * size.columns + place : nil
            place += width
        }
        return place - column
    }

    /// Sets one cell to a character of width 1, without the text width tables.
    mutating func putSingle(_ scalar: Unicode.Scalar, row: Int, column: Int, _ style: Style) {
        guard bounds.contains(GridPosition(row: row, column: column)) else {
            lost += 1
            return
        }
        set(row, column, scalar, 1, style)
    }

    private mutating func set(
        _ row: Int, _ column: Int, _ scalar: Unicode.Scalar, _ width: Int, _ style: Style
    ) {
        let index = row * size.columns + column
        if !cells[index].isBlank { covered += 1 }
        freeHalves(beside: index..<index + width)
        cells[index] = Cell(scalar, width: width, style: style)
        if width == 2 { cells[index + 1] = Cell(nil, width: 0, style: style) }
    }

    /// Half of a wide character cannot stay beside cells of a row that are written: it becomes a space.
    private mutating func freeHalves(beside range: Range<Int>) {
        let before = range.lowerBound - 1
        if cells[range.lowerBound].width == 0, before >= 0 {
            cells[before] = .blank(cells[before].style)
        }
        let last = range.upperBound - 1
        if cells[last].width == 2, range.upperBound % size.columns != 0 {
            cells[range.upperBound] = .blank(cells[range.upperBound].style)
        }
    }
}
