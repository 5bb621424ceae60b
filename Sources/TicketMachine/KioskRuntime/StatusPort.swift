public import KioskFlow
public import Reservations
private import Synchronization

/// What the machine needs to be seen and ordered from afar (rules 25).
public struct StatusPort: Sendable {
    /// One try, of at most 2.5 s.
    public var send:
        @Sendable (MachineStatusReport, AttemptKey) async -> Result<
            MachineStatusReply, BackendFailure
        >
    /// The oldest events that the backend does not have, so many at most.
    public var unsent: @Sendable (Int) async -> UnsentEvents
    /// The backend has the events up to this one.
    public var sent: @Sendable (Int64) async -> Void
    /// Fates of papers from a day on; of all days that are remembered where there is none.
    public var papers: @Sendable (CalendarDay?) async -> [PrintTally]
    /// Papers that may be missing, and that the staff can still see to.
    public var unknownPapers: @Sendable () async -> Int
    /// The paper of a confirmation was printed again on this day.
    public var copied: @Sendable (AttemptKey, CalendarDay) -> Void
    /// Orders that were carried out, the last ones.
    public var obeyed: @Sendable () -> [Int64]
    /// Remembers that an order was carried out; whether it is on the disk.
    public var keepObeyed: @Sendable (Int64) -> Bool
    /// What was decided last of the machine's service, over a restart.
    public var service: @Sendable () -> ServiceStatus
    public var keepService: @Sendable (ServiceStatus) -> Void
    /// Gives the machine another key; answers why it has none where that failed.
    public var rotate: @Sendable () async -> String?
    /// Forgets all wrong PINs; whether that is on the disk.
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

/// What each printer said when it was asked last, whoever asked.
public final class PrinterStatusCache: Sendable {
    private let names: [String]
    private let conditions: Mutex<[Int: PrinterCondition]> = Mutex([:])

    /// - Parameter names: of the queues, the preferred one first.
    public init(names: [String]) { self.names = names }

    public var printers: [PrinterStatus] {
        let known = conditions.withLock { $0 }
        return names.enumerated().compactMap { index, name in
            known[index].map { PrinterStatus(name: name, $0) }
        }
    }

    /// The printer with this index, listened to.
    public func listening(to printer: PrinterPort, at index: Int) -> PrinterPort {
        PrinterPort(
            condition: { [self] in
                let condition = await printer.condition()
                conditions.withLock { $0[index] = condition }
                return condition
            }, print: printer.print)
    }
}
