public import KioskFlow
public import Reservations
private import Synchronization

/// What remote management needs of the machine (rules 25).
public struct StatusPort: Sendable {
    /// Sends a report in a single attempt of at most 2.5 s.
    public var send:
        @Sendable (MachineStatusReport, AttemptKey) async -> Result<
            MachineStatusReply, BackendFailure
        >
    /// The oldest events that the backend does not have, at most as many as asked for.
    public var unsent: @Sendable (Int) async -> UnsentEvents
    /// Records that the backend has the events up to this one.
    public var sent: @Sendable (Int64) async -> Void
    /// Print outcomes from a day on, or of all days that are kept.
    public var papers: @Sendable (CalendarDay?) async -> [PrintTally]
    /// The number of receipts that may be missing and that the staff can still check.
    public var unknownPapers: @Sendable () async -> Int
    /// Records that the receipt of a confirmation was printed again on this day.
    public var copied: @Sendable (AttemptKey, CalendarDay) -> Void
    /// The last remote commands that were carried out.
    public var obeyed: @Sendable () -> [Int64]
    /// Remembers that a remote command was carried out; returns whether that is on disk.
    public var keepObeyed: @Sendable (Int64) -> Bool
    /// The last decision about the machine's service, which survives a restart.
    public var service: @Sendable () -> ServiceStatus
    public var keepService: @Sendable (ServiceStatus) -> Void
    /// Gives the machine another key; returns the reason if that failed.
    public var rotate: @Sendable () async -> String?
    /// Resets all counts of wrong PINs; returns whether that is on disk.
    public var unlock: @Sendable () -> Bool
    public var printers: @Sendable () -> [PrinterStatus]
    /// Seconds that the backend's clock is ahead of the machine's.
    public var clockOffset: @Sendable () -> Int

    public init(
        send:
            @escaping @Sendable (MachineStatusReport, AttemptKey) async -> Result<
                MachineStatusReply, BackendFailure
            >,
        unsent: @escaping @Sendable (Int) async -> UnsentEvents,
        sent: @escaping @Sendable (Int64) async -> Void,
        papers: @escaping @Sendable (CalendarDay?) async -> [PrintTally],
        unknownPapers: @escaping @Sendable () async -> Int,
        copied: @escaping @Sendable (AttemptKey, CalendarDay) -> Void,
        obeyed: @escaping @Sendable () -> [Int64],
        keepObeyed: @escaping @Sendable (Int64) -> Bool,
        service: @escaping @Sendable () -> ServiceStatus,
        keepService: @escaping @Sendable (ServiceStatus) -> Void,
        rotate: @escaping @Sendable () async -> String?,
        unlock: @escaping @Sendable () -> Bool,
        printers: @escaping @Sendable () -> [PrinterStatus],
        clockOffset: @escaping @Sendable () -> Int
    ) {
        self.send = send
        self.unsent = unsent
        self.sent = sent
        self.papers = papers
        self.unknownPapers = unknownPapers
        self.copied = copied
        self.obeyed = obeyed
        self.keepObeyed = keepObeyed
        self.service = service
        self.keepService = keepService
        self.rotate = rotate
        self.unlock = unlock
        self.printers = printers
        self.clockOffset = clockOffset
    }
}

/// The last report of each printer, whichever part of the program asked for it.
public final class PrinterStatusCache: Sendable {
    private let names: [String]
    private let conditions: Mutex<[Int: PrinterCondition]> = Mutex([:])

    /// - Parameter names: the names of the queues, the preferred one first.
    public init(names: [String]) { self.names = names }

    public var printers: [PrinterStatus] {
        let known = conditions.withLock { $0 }
        return names.enumerated().compactMap { index, name in
            known[index].map { PrinterStatus(name: name, $0) }
        }
    }

    /// The printer with this index; its reports are recorded.
    public func listening(to printer: PrinterPort, at index: Int) -> PrinterPort {
        PrinterPort(
            condition: { [self] in
                let condition = await printer.condition()
                conditions.withLock { $0[index] = condition }
                return condition
            }, print: printer.print)
    }
}
