public import KioskFlow
public import Reservations

/// The durable record of requests and receipts; writes are on disk when they return.
public protocol JournalPort: Sendable {
    /// Writes all or none of the records.
    func write(_ records: [JournalRecord]) throws
    /// Requests whose tickets are neither shown nor resolved, and those to be deleted; oldest first.
    func open() throws -> [OpenRequest]
    /// Erases old data, as `write` does from time to time; fails if the disk accepts no writes.
    func prune() throws
    /// Receipts issued since then, and older ones that may be missing, newest first.
    func papers(since: Moment) async throws -> [IssuedPaper]
    /// The print outcomes of each day of the shop from `day` on, or of all days that are kept, oldest first; receipts
    /// that are still being printed are not counted.
    func outcomes(from day: CalendarDay?) async throws -> [PrintTally]
    /// The number of receipts that may be missing and can still be printed again.
    func unknownPapers() async throws -> Int
    /// Writes down that the receipt of a request was printed again on this day of the shop.
    func copied(_ key: AttemptKey, on day: CalendarDay) throws
}
