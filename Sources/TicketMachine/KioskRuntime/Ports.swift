public import KioskFlow
public import KioskScreens
public import Reservations

/// The receipt printer; no call blocks the caller, none throws: trouble is what it reports.
public struct PrinterPort: Sendable {
    /// Asks the printer itself (the queue's idea of it is stale while idle); answers within 3 s.
    public var condition: @Sendable () async -> PrinterCondition
    /// The roll in the queue; nil while it cannot be asked and never was.
    public var media: @Sendable () async -> RollMedia?
    /// Prints a page and follows the job to its end, within 8 s: later it is cancelled (rules 15).
    ///
    /// The stream ends after `printed` or `failed`; its cancellation cancels the job.
    public var print:
        @Sendable (_ page: PaperDocument, _ title: String) -> AsyncStream<PrintProgress>

    public init(
        condition: @escaping @Sendable () async -> PrinterCondition,
        media: @escaping @Sendable () async -> RollMedia?,
        print: @escaping @Sendable (PaperDocument, String) -> AsyncStream<PrintProgress>
    ) {
        self.condition = condition
        self.media = media
        self.print = print
    }
}

/// The backend as the machine calls it; every call ends within its own time (rules 14), repeats
/// itself with the same key until then, and says what kind of failure it was.
public struct BackendPort: Sendable {
    public var shop: @Sendable () async -> Result<ShopReport, BackendFailure>
    public var queue: @Sendable () async -> Result<QueueReport, BackendFailure>
    /// At most 9 s.
    public var takePlace: @Sendable (AttemptKey) async -> Result<HeldPlace, BackendFailure>
    /// At most 4.5 s.
    public var extend:
        @Sendable (ReservationID, AttemptKey) async -> Result<HeldPlace, BackendFailure>
    /// At most 4.5 s.
    public var release: @Sendable (ReservationID, AttemptKey) async -> Result<Void, BackendFailure>
    /// At most 9 s.
    public var confirm:
        @Sendable (ReservationID, AttemptKey) async -> Result<Reservation, BackendFailure>
    /// At most 4.5 s.
    public var delete:
        @Sendable (ReservationID, EntryCode, AttemptKey) async -> Result<Void, BackendFailure>

    public init(
        shop: @escaping @Sendable () async -> Result<ShopReport, BackendFailure>,
        queue: @escaping @Sendable () async -> Result<QueueReport, BackendFailure>,
        takePlace: @escaping @Sendable (AttemptKey) async -> Result<HeldPlace, BackendFailure>,
        extend:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                HeldPlace, BackendFailure
            >,
        release:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                Void, BackendFailure
            >,
        confirm:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                Reservation, BackendFailure
            >,
        delete:
            @escaping @Sendable (ReservationID, EntryCode, AttemptKey) async -> Result<
                Void, BackendFailure
            >
    ) {
        self.shop = shop
        self.queue = queue
        self.takePlace = takePlace
        self.extend = extend
        self.release = release
        self.confirm = confirm
        self.delete = delete
    }
}

/// The machine's memory over a restart; writes are durable when they return.
public struct JournalPort: Sendable {
    public var record: @Sendable (JournalRecord) throws -> Void
    /// Confirmations that are neither shown nor settled, oldest first.
    public var open: @Sendable () throws -> [OpenConfirmation]
    /// Writes and forgets a line, to see whether the disk takes it.
    public var check: @Sendable () throws -> Void

    public init(
        record: @escaping @Sendable (JournalRecord) throws -> Void,
        open: @escaping @Sendable () throws -> [OpenConfirmation],
        check: @escaping @Sendable () throws -> Void
    ) {
        self.record = record
        self.open = open
        self.check = check
    }
}
