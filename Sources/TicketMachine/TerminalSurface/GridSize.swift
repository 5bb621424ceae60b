/// A number of rows and columns of cells.
public struct GridSize: Hashable, Sendable {
    public let columns: Int
    public let rows: Int

    /// The most rows or columns: four times the finest grid of the kiosk's panel. Cells of a terminal beyond them are
    /// not drawn, so that a frame stays within 4 MB.
    public static let maxSide = 640

    /// Takes a negative value as 0 and a value above `maxSide` as `maxSide`.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 0), Self.maxSide)
        self.rows = min(max(rows, 0), Self.maxSide)
    }

    /// Whether the other size fits in this one.
    public func holds(_ other: GridSize) -> Bool { other.columns <= columns && other.rows <= rows }
}

/// The place of a cell; row 0, column 0 is the top left one.
public struct GridPosition: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A rectangle of cells to the right of and below its top left one; empty if rows or columns are 0.
public struct Rectangle: Hashable, Sendable {
    public var row: Int
    public var column: Int
    public var rows: Int
    public var columns: Int

    public init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(rows, 0)
        self.columns = max(columns, 0)
    }

    /// The rectangle of a whole grid.
    public init(_ size: GridSize) {
        self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
    }

    /// The first row below the rectangle.
    public var end: Int { row + rows }
    /// The first column right of the rectangle.
    public var endColumn: Int { column + columns }
    public var isEmpty: Bool { rows == 0 || columns == 0 }
    public var size: GridSize { GridSize(columns: columns, rows: rows) }

    public func contains(_ place: GridPosition) -> Bool {
        (row..<end).contains(place.row) && (column..<endColumn).contains(place.column)
    }

    public func contains(_ other: Rectangle) -> Bool {
        other.row >= row && other.end <= end && other.column >= column
            && other.endColumn <= endColumn
    }

    public func intersection(_ other: Rectangle) -> Rectangle {
        let top = max(row, other.row)
        let left = max(column, other.column)
        return Rectangle(
            row: top, column: left, rows: min(end, other.end) - top,
            columns: min(endColumn, other.endColumn) - left)
    }

    /// The rectangle without so many rows above and below, and columns left and right.
    public func inset(rows: Int = 0, columns: Int = 0) -> Rectangle {
        Rectangle(
            row: row + rows, column: column + columns, rows: self.rows - 2 * rows,
            columns: self.columns - 2 * columns)
    }

    /// The first rows, and the rest below them.
    public func splitTop(_ count: Int) -> (top: Rectangle, rest: Rectangle) {
        let height = min(max(count, 0), rows)
        return (
            Rectangle(row: row, column: column, rows: height, columns: columns),
            Rectangle(row: row + height, column: column, rows: rows - height, columns: columns)
        )
    }

    /// The first columns, and the rest right of them.
    public func splitLeft(_ count: Int) -> (left: Rectangle, rest: Rectangle) {
        let width = min(max(count, 0), columns)
        return (
            Rectangle(row: row, column: column, rows: rows, columns: width),
            Rectangle(row: row, column: column + width, rows: rows, columns: columns - width)
        )
    }

    /// The last rows, and the rest above them.
    public func splitBottom(_ count: Int) -> (rest: Rectangle, bottom: Rectangle) {
        let (rest, bottom) = splitTop(rows - min(max(count, 0), rows))
        return (rest, bottom)
    }

    /// The last columns, and the rest left of them.
    public func splitRight(_ count: Int) -> (rest: Rectangle, right: Rectangle) {
        let (rest, right) = splitLeft(columns - min(max(count, 0), columns))
        return (rest, right)
    }

    /// A smaller rectangle in the middle; if the free space is odd, one cell higher or further left.
    public func centred(rows height: Int, columns width: Int) -> Rectangle {
        Rectangle(
            row: row + max(0, rows - height) / 2, column: column + max(0, columns - width) / 2,
            rows: min(height, rows), columns: min(width, columns))
    }
}
