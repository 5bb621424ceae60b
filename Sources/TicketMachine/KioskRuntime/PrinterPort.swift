public import KioskFlow
public import KioskScreens
internal import Synchronization

/// The receipt printer; no call blocks the caller or throws, because trouble is what the port reports.
public struct PrinterPort: Sendable {
    /// Makes the page for a roll; returns nil if that is not possible.
    public typealias Page = @Sendable (RollMedia) -> ReceiptPage?

    /// Asks the printer itself (the queue's information is out of date while it is idle); answers within 3 s.
    public var condition: @Sendable () async -> PrinterCondition
    /// Prints a page, made for the roll in the queue, and follows the job to its end. After 8 s the job is cancelled
    /// (rules 15).
    ///
    /// `patience` is called repeatedly while the job is under way.
    ///
    /// The stream ends after `printed` or `failed`; its cancellation cancels the job.
    public var print:
        @Sendable (_ page: @escaping Page, _ title: String, _ patience: @escaping Patience)
            -> AsyncStream<PrintProgress>
    /// How long a job in trouble may wait now, because its customer may leave meanwhile.
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

/// How long a job in trouble may wait.
public enum PrintTimeoutPolicy: Hashable, Sendable {
    /// The full 8 s: a staff member may repair the printer meanwhile.
    case full
    /// The job is cancelled at the first trouble, since another printer is available, or since its customer has left.
    case untilTrouble
}

/// Whether the customer of a receipt is still at the machine.
final class ReceiptCustomer: Sendable {
    private let hasLeft = Mutex(false)

    var patience: PrintTimeoutPolicy { hasLeft.withLock { $0 } ? .untilTrouble : .full }

    func leaves() { hasLeft.withLock { $0 = true } }
}
