internal import Glibc
internal import ReservationStore
internal import SQLite

extension SQLiteDatabase {
    /// Refuses a damaged file, if it is small enough to be checked completely.
    static func check(_ connection: Connection, path: String) throws {
        guard let size = size(of: path), size <= maxCheckedBytes else { return }
        let findings = try connection.rows("PRAGMA quick_check(1)") { $0.text(0) }
        guard findings == ["ok"] else {
            throw StoreError(
                .corrupt, operation: "check \(path)",
                "\(path) is damaged (\(findings.first ?? "unknown")); restore it from a backup")
        }
    }

    /// The file's size in bytes; nil if there is no such file.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Runs `body`; its errors become the store's.
    ///
    /// - Parameter path: The file that `body` opens; nil if it uses an open one.
    static func translated<Result>(
        opening path: String? = nil, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw path.map { opening(error, path: $0) } ?? StoreError(error)
        } catch let error as StoreError { throw error } catch {
            throw StoreError(.other, operation: "use the database", "\(error)")
        }
    }

    /// Describes for an administrator why the file could not be opened.
    private static func opening(_ error: SQLiteError, path: String) -> StoreError {
        let sentence: String
        let code: StoreError.Code
        switch error.kind {
        case .notADatabase: (code, sentence) = (.notOurs, "\(path) is not a database of CLup")
        case .corrupt: (code, sentence) = (.corrupt, "\(path) is damaged; restore it from a backup")
        case .readOnly:
            (code, sentence) = (.readOnly, "\(path) or its folder can be read but not written")
        case .cannotOpen: (code, sentence) = (.missing, "\(path) cannot be opened")
        case .busy, .full, .inputOutput, .constraint, .other: return StoreError(error)
        }
        return StoreError(code, operation: "open \(path)", "\(sentence) (\(error.message))")
    }
}

extension StoreError {
    /// SQLite's refusal of a statement.
    init(_ error: SQLiteError) {
        let code: Code
        let sentence: String
        switch error.kind {
        case .busy: (code, sentence) = (.busy, "another process holds the database's lock")
        case .full: (code, sentence) = (.full, "there is no room for the database")
        case .inputOutput: (code, sentence) = (.inputOutput, "the disk of the database failed")
        case .corrupt, .notADatabase: (code, sentence) = (.corrupt, "the database is damaged")
        case .readOnly, .cannotOpen:
            (code, sentence) = (.readOnly, "the database cannot be written")
        case .constraint: (code, sentence) = (.constraint, "a rule of the database refused a row")
        case .other: (code, sentence) = (.other, "the database failed")
        }
        self.init(
            code, operation: error.operation,
            "\(sentence) (SQLite \(error.extendedCode): \(error.message))")
    }
}
