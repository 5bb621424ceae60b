public import KioskFlow

/// The machine's memory over a restart; writes are durable when they return.
public struct JournalPort: Sendable {
    /// Writes all or none of the records.
    public var record: @Sendable ([JournalRecord]) throws -> Void
    /// Confirmations that are neither shown nor settled, oldest first.
    public var open: @Sendable () throws -> [OpenConfirmation]
    /// Writes and forgets a line, to see whether the disk takes it.
    public var check: @Sendable () throws -> Void

    public init(
        record: @escaping @Sendable ([JournalRecord]) throws -> Void,
        open: @escaping @Sendable () throws -> [OpenConfirmation],
        check: @escaping @Sendable () throws -> Void
    ) {
        self.record = record
        self.open = open
        self.check = check
    }
}
