/// A value of one of the column types that all databases of the product have.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// The columns of a row that a database answers, from 0; valid only until the next row.
public protocol Columns {
    /// Whether the column is NULL.
    func isNull(_ column: Int) -> Bool
    /// The column as an integer; 0 if it is NULL.
    func integer(_ column: Int) -> Int64
    /// The column as text; empty if it is NULL.
    func text(_ column: Int) -> String
    /// The column's bytes; empty if it is NULL.
    func blob(_ column: Int) -> [UInt8]
}

/// Names the columns of a query in its order, so that the list after SELECT and the code that reads a row agree.
public protocol SelectedColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// The expression that is selected; by default the case's name, as `shop_id` for `shopID`.
    var sql: String { get }
}

extension SelectedColumn {
    public var sql: String { columnName }

    /// The name of a table's column: words in lower case with underscores between them.
    public var columnName: String {
        var name = ""
        var wasCapital = true
        for letter in "\(self)" {
            if letter.isUppercase, !wasCapital { name += "_" }
            name += letter.lowercased()
            wasCapital = letter.isUppercase
        }
        return name
    }

    /// The list of columns after SELECT.
    public static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

/// A row whose columns are read by their names in the query.
public struct Row<Column: SelectedColumn> {
    private let columns: any Columns

    /// - Parameter columns: the row of a query that selects `Column.list`.
    public init(_ columns: any Columns) { self.columns = columns }

    public func isNull(_ column: Column) -> Bool { columns.isNull(column.rawValue) }
    public func integer(_ column: Column) -> Int64 { columns.integer(column.rawValue) }
    public func text(_ column: Column) -> String { columns.text(column.rawValue) }
    public func blob(_ column: Column) -> [UInt8] { columns.blob(column.rawValue) }

    public func count(_ column: Column) -> Int { Int(integer(column)) }

    /// Whether the integer is not 0.
    public func isTrue(_ column: Column) -> Bool { integer(column) != 0 }

    /// The text; nil if it is NULL.
    public func optionalText(_ column: Column) -> String? { isNull(column) ? nil : text(column) }

    /// The integer; nil if it is NULL.
    public func optionalInteger(_ column: Column) -> Int64? {
        isNull(column) ? nil : integer(column)
    }
}
