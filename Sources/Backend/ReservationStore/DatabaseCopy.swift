public import Reservations
internal import RowColumns

/// Copies everything from one database to an empty one, of either engine.
public enum DatabaseCopy {
    /// A table that was copied, and its content, which is now the same in both databases.
    public struct Table: Hashable, Sendable {
        public let name: String
        public let content: TableContent
    }

    /// The tables that were copied and compared.
    public struct Copied: Hashable, Sendable {
        public var tables: [Table] = []
        /// The finding for the audit of each shop, the same in both databases.
        public var audits: [ShopID: AuditFinding] = [:]
    }

    /// The number of rows of one INSERT: its parameters stay below the limits (32,766 of SQLite, 65,535 of PostgreSQL).
    private static let insertBatchRows = 64
    /// The number of rows that are read at once: batches, and one row more, with which the batches are waited for.
    private static let pageRows = 32 * insertBatchRows + 1

    private static let selectShops = Query("SELECT shop_id FROM shop ORDER BY shop_id")

    /// Copies every row in one transaction of the target, reads all of it there again, and commits only if counts,
    /// digests and audits are those that were read from the source.
    ///
    /// The source is not changed, and no other program writes to it meanwhile. Both have the present schema.
    ///
    /// - Parameter tables: All tables of the source; a table comes after those it refers to.
    public static func copy(
        _ tables: [TableShape], from source: any Database, to target: any Database
    ) throws(StoreError) -> Copied {
        try source.beginWrite()
        defer { source.rollback() }
        return try target.transaction { () throws(StoreError) in
            try target.excludeAdministrators()
            for table in tables { try refuseRows(of: table, in: target) }
            var copied = Copied()
            for table in tables {
                let content = try fill(table, from: source, to: target)
                copied.tables.append(Table(name: table.name, content: content))
            }
            for (table, former) in zip(tables, copied.tables) {
                let content = try content(of: table, in: target)
                guard content == former.content else { throw unequal("the table \(table.name)") }
            }
            for shop in try source.rows(selectShops, read: { ShopID($0.text(0)) }) {
                let head = try source.auditHead(of: shop)
                let finding = try source.verifyAudit(shop, kept: head, key: nil)
                guard try target.verifyAudit(shop, kept: head, key: nil) == finding else {
                    throw unequal("the audit of shop \(shop)")
                }
                copied.audits[shop] = finding
            }
            return copied
        }
    }

    static func content(
        of table: TableShape, in database: any Database
    ) throws(StoreError) -> TableContent {
        var content = TableContent()
        try pages(of: table, in: database) { rows throws(StoreError) in
            for row in rows { content.add(row) }
        }
        return content
    }

    private static func refuseRows(
        of table: TableShape, in target: any Database
    ) throws(StoreError) {
        let query = Query("SELECT 1 FROM \(table.name) LIMIT 1")
        guard try target.rows(query, read: { _ in true }).isEmpty else {
            throw StoreError(
                .refused, operation: "copy a database",
                "the target is not empty: its table \(table.name) has rows; copy into a new, "
                    + "empty database")
        }
    }

    private static func fill(
        _ table: TableShape, from source: any Database, to target: any Database
    ) throws(StoreError) -> TableContent {
        let (many, single) = (insert(table, rows: insertBatchRows), insert(table, rows: 1))
        var content = TableContent()
        try pages(of: table, in: source) { rows throws(StoreError) in
            for row in rows { content.add(row) }
            var rest = rows[...]
            while rest.count > insertBatchRows {
                let values = rest.prefix(insertBatchRows).flatMap(\.self)
                try target.post(many, values, changing: insertBatchRows)
                rest = rest.dropFirst(insertBatchRows)
            }
            for row in rest.dropLast() { try target.post(single, row, changing: 1) }
            if let last = rest.last { try target.execute(single, last) }
        }
        return content
    }

    private static func insert(_ table: TableShape, rows: Int) -> Query {
        let columns = table.columns.map(\.name)
        let lists = (0..<rows).map { row in
            let names = columns.map { "$\($0.filter { $0 != "_" })\(row)" }
            return "(\(names.joined(separator: ", ")))"
        }
        return Query(
            "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES "
                + lists.joined(separator: ", "))
    }

    /// Passes every row of a table to `body` in the order of its key, a number of rows at a time.
    private static func pages(
        of table: TableShape, in database: any Database,
        _ body: ([[DatabaseValue]]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let all = "SELECT \(columns) FROM \(table.name)"
        guard !table.key.isEmpty else {
            return try body(try database.rows(Query(all)) { table.values($0) })
        }
        let key = table.key.joined(separator: ", ")
        let places = table.key.map { name in table.columns.firstIndex { $0.name == name } ?? 0 }
        let end = "ORDER BY \(key) LIMIT \(pageRows)"
        let first = Query("\(all) \(end)")
        let after = table.key.indices.map { "$after\($0)" }.joined(separator: ", ")
        let next = Query("\(all) WHERE (\(key)) > (\(after)) \(end)")
        var rows = try database.rows(first) { table.values($0) }
        while let last = rows.last {
            try body(rows)
            guard rows.count == pageRows else { return }
            rows = try database.rows(next, places.map { last[$0] }) { table.values($0) }
        }
    }

    private static func unequal(_ what: String) -> StoreError {
        StoreError(
            .corrupt, operation: "compare the copy",
            "\(what) is not in the target as it is in the source; nothing was copied")
    }
}
