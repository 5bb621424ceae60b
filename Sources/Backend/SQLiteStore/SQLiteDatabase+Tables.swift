public import ReservationStore
internal import SQLite

extension SQLiteDatabase {
    /// Every table of the schema, a table after those it refers to; refuses a table with a value that is not of its
    /// column's type, which SQLite itself accepts.
    public func tables() throws(StoreError) -> [TableShape] {
        try Self.translated {
            // Only the table of shops is referred to.
            let names = try connection.rows(
                """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name <> 'schema_version' ORDER BY name <> 'shop', name
                """
            ) { $0.text(0) }
            let shapes = try names.map(shape)
            for shape in shapes { try checkTypes(shape) }
            return shapes
        }
    }

    private func shape(_ name: String) throws -> TableShape {
        var key: [(place: Int64, name: String)] = []
        let columns = try connection.rows(
            "SELECT name, type, pk FROM pragma_table_info($table)", ["$table": .text(name)]
        ) { row in
            if row.integer(2) > 0 { key.append((row.integer(2), row.text(0))) }
            let kind: TableShape.Kind =
                switch row.text(1) {
                case "BIGINT": .integer
                case "BLOB": .blob
                default: .text
                }
            return (row.text(0), kind)
        }
        return TableShape(
            name: name, columns: columns, key: key.sorted { $0.place < $1.place }.map(\.name))
    }

    private func checkTypes(_ table: TableShape) throws {
        let conditions = table.columns.map { column in
            let type =
                switch column.kind {
                case .integer: "integer"
                case .text: "text"
                case .blob: "blob"
                }
            return "typeof(\(column.name)) NOT IN ('\(type)', 'null')"
        }
        let strange = try connection.rows(
            "SELECT 1 FROM \(table.name) WHERE \(conditions.joined(separator: " OR ")) LIMIT 1"
        ) { _ in true }
        guard strange.isEmpty else {
            throw StoreError(
                .corrupt, operation: "read \(table.name)",
                "the table \(table.name) holds a value of another type than its column; "
                    + "restore a backup")
        }
    }
}
