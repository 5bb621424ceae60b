/// Why the store could not do what was asked, in a sentence that may be shown to an administrator.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// Another process holds the database's lock for longer than we wait.
        case busy
        /// No room on the disk.
        case full
        /// The disk failed.
        case inputOutput
        case corrupt
        /// A file or database of something else.
        case notOurs
        /// Written by a newer version of this program.
        case newer
        case readOnly
        /// There is no such database.
        case missing
        /// Another `serve` works on this database (rules 27).
        case served
        /// A rule of the schema refused the row.
        case constraint
        /// More commands wait than may.
        case overloaded
        /// The connection to the database was lost or cannot be made. What was being committed may have
        /// been committed: the idempotency key tells.
        case lost
        /// Others were in the way; the same transaction may go well the next time.
        case conflict
        /// The store is stopping.
        case stopped
        case unknownShop
        /// An administrator asked for something that is there already or is not there.
        case refused
        case other
    }

    public let code: Code
    /// What was tried, as "commit".
    public let operation: String
    public let description: String

    public init(_ code: Code, operation: String, _ description: String) {
        self.code = code
        self.operation = operation
        self.description = description
    }

    /// A row is not as the state in memory knew it: that must be loaded again.
    public static func notAsKnown(_ query: Query) -> StoreError {
        let words = query.text.split(whereSeparator: \.isWhitespace).prefix(3)
        return StoreError(
            .constraint, operation: words.joined(separator: " "),
            "a row was changed by someone else")
    }
}
