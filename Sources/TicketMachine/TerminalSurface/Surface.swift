/// One place of the screen.
public struct Cell: Hashable, Sendable {
    /// One base character with the combining marks over it; empty for the right half of a wide one.
    public let text: String
    /// 1, or 2 for an East Asian wide character, or 0 for the right half of one.
    public let width: Int
    public var style: Style
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
            repeating: Cell(text: " ", width: 1, style: style), count: size.rows * size.columns)
    }

    public var bounds: Rectangle { Rectangle(size) }

    /// A cell of the surface; a blank black one for a place outside of it.
    public subscript(row: Int, column: Int) -> Cell {
        guard bounds.contains(GridPosition(row: row, column: column)) else {
            return Cell(text: " ", width: 1, style: Style(.white, on: .black))
        }
        return cells[row * size.columns + column]
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
        for row in area.row..<area.end {
            for column in area.column..<area.endColumn { set(row, column, " ", 1, style) }
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
        for cluster in TextWidth.clusters(text) {
            let fits =
                (area.row..<area.end).contains(row) && place >= area.column
                && place + cluster.width <= area.endColumn
            if fits { set(row, place, cluster.text, cluster.width, style) } else { lost += 1 }
            place += cluster.width
        }
        return place - column
    }

    /// Sets one cell to a character of width 1, without the text width tables.
    mutating func putSingle(_ text: String, row: Int, column: Int, _ style: Style) {
        guard bounds.contains(GridPosition(row: row, column: column)) else {
            lost += 1
            return
        }
        set(row, column, text, 1, style)
    }

    private mutating func set(
        _ row: Int, _ column: Int, _ text: String, _ width: Int, _ style: Style
    ) {
        let index = row * size.columns + column
        if cells[index].text != " " { covered += 1 }
        // Half of a wide character cannot stay: the other half becomes a space.
        if cells[index].width == 0, column > 0 {
            cells[index - 1] = Cell(text: " ", width: 1, style: cells[index - 1].style)
        }
        let last = index + width - 1
        if cells[last].width == 2, column + width < size.columns {
            cells[last + 1] = Cell(text: " ", width: 1, style: cells[last + 1].style)
        }
        cells[index] = Cell(text: text, width: width, style: style)
        if width == 2 { cells[index + 1] = Cell(text: "", width: 0, style: style) }
    }
}
