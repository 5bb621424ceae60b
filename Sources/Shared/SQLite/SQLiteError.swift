internal import CSQLite

/// An error of SQLite: the operation, SQLite's message and its extended result code.
///
/// The codes are those of https://www.sqlite.org/rescode.html.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, as "open /var/lib/clup/clup.sqlite" or the statement's text.
    public let operation: String
    /// SQLite's own sentence, as "database or disk is full".
    public let message: String
    /// The extended result code; its low byte is the primary one.
    public let extendedCode: Int

    public var description: String { "SQLite: \(message) (\(extendedCode)) at: \(operation)" }

    /// The kind of the error, for callers that must choose a reaction.
    public var kind: Kind {
        switch Int32(extendedCode & 0xFF) {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_READONLY: .readOnly
        case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
        case SQLITE_CONSTRAINT: .constraint
        default: .other
        }
    }

    public enum Kind: Hashable, Sendable {
        case busy, full, inputOutput, corrupt, notADatabase, readOnly, cannotOpen, constraint, other
    }
}
