public import KioskFlow
public import KioskScreens
internal import Synchronization

/// The receipt printer; no call blocks the caller, none throws: trouble is what it reports.
public struct PrinterPort: Sendable {
    /// The page for a roll; nil when it cannot be made.
    public typealias Page = @Sendable (RollMedia) -> ReceiptPage?

    /// Asks the printer itself (the queue's idea of it is stale while idle); answers within 3 s.
    public var condition: @Sendable () async -> PrinterCondition
    /// Prints a page, made for the roll in the queue, and follows the job to its end, within 8 s:
    /// later it is cancelled (rules 15).
    ///
    /// `patience` is asked again and again while the job is under way.
    ///
    /// The stream ends after `printed` or `failed`; its cancellation cancels the job.
    public var print:
        @Sendable (_ page: @escaping Page, _ title: String, _ patience: @escaping Patience)
            -> AsyncStream<PrintProgress>
    /// What a job in trouble is given now: its customer may leave meanwhile.
    public typealias Patience = @Sendable () -> PrintTimeoutPolicy

    public init(
        condition: @escaping @Sendable () async -> PrinterCondition,
        print:
            @escaping @Sendable (@escaping Page, String, @escaping Patience)
            -> AsyncStream<PrintProgress>
    ) {
        self.condition = condition
        self.print = print
    }
}

/// What a job in trouble is given.
public enum PrintTimeoutPolicy: Hashable, Sendable {
    /// The whole 8 s: somebody may see to the printer meanwhile.
    case full
    /// Nothing: it is cancelled in its first trouble, since another printer is there, or nobody any more
    /// who would take the paper.
    case untilTrouble
}

/// Whether the customer of a paper is still there.
final class ReceiptCustomer: Sendable {
    private let hasLeft = Mutex(false)

    var patience: PrintTimeoutPolicy { hasLeft.withLock { $0 } ? .untilTrouble : .full }

    func leaves() { hasLeft.withLock { $0 = true } }
}
