public import KioskFlow
public import KioskScreens
internal import Synchronization

/// The receipt printer; no call blocks the caller or throws, because trouble is what the port reports.
public protocol PrinterPort: Sendable {
    /// Makes the page for a roll; returns nil if that is not possible.
    typealias Page = @Sendable (RollMedia) -> ReceiptPage?
    /// How long a job in trouble may wait now, because its customer may leave meanwhile.
    typealias Timeout = @Sendable () -> PrintTimeoutPolicy

    /// Asks the printer itself (the queue's information is out of date while it is idle); answers within 3 s.
    func condition() async -> PrinterCondition
    /// Prints a page, made for the roll in the queue, and follows the job to its end. After 8 s the job is cancelled
    /// (rules: no-printout).
    ///
    /// `timeout` is called repeatedly while the job is under way.
    ///
    /// The stream ends after `printed` or `failed`; its cancellation cancels the job.
    func print(_ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout)
        -> AsyncStream<PrintProgress>
}

/// A printer as the staff sees it in maintenance mode.
public protocol StaffPrinter: PrinterPort {
    /// What the printer reports about itself and its queue; nil if it does not answer.
    func inspect() async -> PrinterInspection?
    /// Takes a job out of its queue; returns whether it is out.
    func cancel(_ job: Int) async -> Bool
}

/// How long a job in trouble may wait.
public enum PrintTimeoutPolicy: Hashable, Sendable {
    /// The full 8 s: a staff member may repair the printer meanwhile.
    case full
    /// The job is cancelled at the first trouble, since another printer is available, or since its customer has left.
    case untilTrouble
}

extension AsyncStream<PrintProgress> {
    /// The reports of a job that `follow` prints; they end with it, and their cancellation cancels it.
    public init(of follow: @escaping @Sendable (Continuation) async -> Void) {
        self.init { continuation in
            let task = Task {
                await follow(continuation)
                continuation.finish()
            }
            continuation.onTermination = { end in if case .cancelled = end { task.cancel() } }
        }
    }
}

/// Whether the customer of a receipt is still at the machine.
final class ReceiptCustomer: Sendable {
    private let hasLeft = Mutex(false)

    var timeout: PrintTimeoutPolicy { hasLeft.withLock { $0 } ? .untilTrouble : .full }

    func leaves() { hasLeft.withLock { $0 = true } }
}
