internal import CSQLite
public import RowColumns

/// A prepared statement: bind, step, read columns, reset. Like its connection, it is not Sendable.
public final class Statement: Columns {
    private let handle: OpaquePointer
    private let text: String

    /// Prepares the text for repeated use (SQLITE_PREPARE_PERSISTENT).
    init(_ text: String, on connection: Connection) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw Connection.error(connection.handle, code: code, operation: text)
        }
        handle = prepared
        self.text = text
    }

    deinit { sqlite3_finalize(handle) }

    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Binds to a parameter written `$name`; the leading `$` is part of the name.
    ///
    /// SQLite silently leaves an unbound parameter NULL, so that a name that does not exist is an error.
    public func bind(_ value: DatabaseValue, to name: String) throws(SQLiteError) {
        let index = sqlite3_bind_parameter_index(handle, name)
        guard index > 0 else {
            throw SQLiteError(
                operation: text, message: "there is no parameter \(name)",
                extendedCode: Int(SQLITE_RANGE))
        }
        try bind(value, at: Int(index))
    }

    /// Binds to the parameter of this number, from 1.
    public func bind(_ value: DatabaseValue, at index: Int) throws(SQLiteError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, Int32(index))
        case .integer(let integer): code = sqlite3_bind_int64(handle, Int32(index), integer)
        case .text(var text):
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    clup_sqlite3_bind_text(handle, Int32(index), $0.baseAddress, Int32($0.count))
                }
            }
        case .blob(let bytes):
            code = bytes.withUnsafeBytes {
                clup_sqlite3_bind_blob(handle, Int32(index), $0.baseAddress, Int32($0.count))
            }
        }
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs to the next row; false at the end.
    public func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Makes the statement ready to run again, with no values bound.
    public func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// Invalid UTF-8 is replaced.
    public func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    public func blob(_ column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func error(_ code: Int32) -> SQLiteError {
        Connection.error(sqlite3_db_handle(handle), code: code, operation: text)
    }
}
