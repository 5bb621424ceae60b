public import KioskFlow
public import KioskScreens

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
