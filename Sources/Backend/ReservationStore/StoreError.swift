internal import Reservations

/// Why the store could not do what was asked, in a sentence that may be shown to an administrator.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// Another process holds the database's lock for longer than we wait.
        case busy
        /// There is no room on the disk.
        case full
        /// The disk failed.
        case inputOutput
        case corrupt
        /// The file or database belongs to another program.
        case notOurs
        /// Written by a newer version of this program.
        case newer
        case readOnly
        /// There is no such database.
        case missing
        /// Another `serve` works on this database (rules: one-server).
        case served
        /// A rule of the schema refused the row.
        case constraint
        /// Too many commands wait.
        case overloaded
        /// The connection to the database was lost or cannot be made. What was being committed may have been committed:
        /// a request with the same idempotency key shows whether it was.
        case lost
        /// Other transactions were in the way; the same transaction may succeed the next time.
        case conflict
        /// The store is stopping.
        case stopped
        case unknownShop
        /// An administrator asked to add something that exists already, or for something that does not exist.
        case refused
        case other
    }

    public let code: Code
    /// The operation that failed, as "commit".
    public let operation: String
    public let description: String

    public init(_ code: Code, operation: String, _ description: String) {
        self.code = code
        self.operation = operation
        self.description = description
    }

    static func noShop(_ shop: ShopID, operation: String) -> StoreError {
        StoreError(.unknownShop, operation: operation, "there is no shop \(shop)")
    }

    /// - Parameter detail: Which row it is; nil if the operation says that.
    static func unreadable(
        _ row: String, _ detail: String? = nil, operation: String
    ) -> StoreError {
        StoreError(
            .corrupt, operation: operation,
            "the database holds \(row) this program cannot read" + (detail.map { ": \($0)" } ?? ""))
    }

    /// A row is not as the state in memory knew it, so that the state must be loaded again.
    public static func notAsKnown(_ query: Query) -> StoreError {
        StoreError(
            .constraint, operation: query.operation, "a row was changed by someone else")
    }
}
