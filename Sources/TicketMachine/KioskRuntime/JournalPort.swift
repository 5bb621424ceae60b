public import KioskFlow

/// The durable record of confirmations and receipts; writes are on disk when they return.
public struct JournalPort: Sendable {
    /// Writes all or none of the records.
    public var record: @Sendable ([JournalRecord]) throws -> Void
    /// Confirmations that are neither shown nor resolved, oldest first.
    public var open: @Sendable () throws -> [OpenConfirmation]
    /// Writes to the disk, to check whether it accepts writes.
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
