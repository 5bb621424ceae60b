public import KioskFlow
public import KioskRuntime
public import KioskScreens
public import MachineClock

/// The reason why a configured queue cannot print tickets, for the administrator.
public struct CupsPrinterError: Error, Hashable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case serverUnreachable, queueUnknown, mediaUnknown, formatNotTaken, queueRefuses
    }

    public let code: Code
    /// A sentence that names queue and server, the fault and its remedy.
    public let description: String
}

/// The receipt printer behind a queue of CUPS.
///
/// libcups is called on two serial queues of our own, one for the server and one for the printer. Each question has
/// its own connection and time limit, so that neither a hung cupsd nor an unplugged printer blocks a caller or
/// accumulates threads.
public struct CupsPrinter: StaffPrinter {
    private let queue: PrintQueue

    /// The formats in which tickets can be sent.
    static let formats: Set = ["application/pdf", "image/pwg-raster", "image/urf"]

    /// Timeout of one answer: `condition` needs two of them, one after the other, and stays under 3 s.
    private static let answerTimeout = Duration.milliseconds(1_400)

    /// Prepares the printer without asking it. `server` is `host:port` or the path of a socket; nil leaves the choice
    /// to libcups (client.conf(5)).
    public init(queue: String, server: String? = nil, time: MachineClock = .system) {
        self.queue = PrintQueue(name: queue, server: server, time: time)
    }

    public func print(
        _ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout
    ) -> AsyncStream<PrintProgress> {
        AsyncStream(of: { continuation in
            await PrintRun(queue: queue, continuation: continuation).run(
                on: await media(), page, title: title, timeout)
        })
    }

    /// The roll in the queue's printer; nil if the queue has never answered.
    public func media() async -> RollMedia? {
        if let media = queue.media { return media }
        _ = await queue.report(within: Self.answerTimeout)
        // Only the printer knows which form of a page it takes.
        _ = await queue.printerReport(within: Self.answerTimeout)
        return queue.media
    }

    /// Asks the queue and then the printer itself, because an idle queue's report about its printer is old.
    public func condition() async -> PrinterCondition {
        guard case .success(let queued) = await queue.report(within: Self.answerTimeout) else {
            return PrinterCondition(trouble: .offline)
        }
        guard !queued.stopped, queued.accepting else { return PrinterCondition(trouble: .stopped) }
        switch await queue.printerReport(within: Self.answerTimeout) {
        case .success(let printer): return printer.condition
        case .failure: return PrinterCondition(trouble: .offline)
        case nil:
            // While the printer prints, its driver reports to the queue unasked.
            guard queue.canBeAsked, !queued.busy else { return queued.condition }
            if let asked = queue.askedStatus, asked.isFresh(at: queue.time.now) {
                return asked.condition
            }
            return await queue.ask(within: Self.answerTimeout)
        }
    }

    /// The printer's own report, or the queue's if the printer cannot be asked; nil if the queue does not answer.
    public func inspect() async -> PrinterInspection? {
        guard case .success(let queued) = await queue.report(within: Self.answerTimeout) else {
            return nil
        }
        let said = (try? await queue.printerReport(within: Self.answerTimeout)?.get()) ?? queued
        let jobs = (try? await queue.openJobs(within: Self.answerTimeout).get()) ?? []
        return PrinterInspection(
            state: queued.stopped || said.stopped ? .stopped : said.busy ? .printing : .idle,
            reasons: said.reasons.filter { $0 != "none" }, jobs: jobs)
    }

    public func cancel(_ job: Int) async -> Bool {
        await queue.cancel(job, within: Self.answerTimeout) == .cancelled
    }

    /// How the state of the printer is known while it prints nothing.
    public enum Insight: Hashable, Sendable {
        /// The printer itself is asked each time.
        case always
        /// A job of the queue asks the printer once a minute.
        case byTheMinute
        /// Only troubles during a print are known.
        case whilePrinting
    }

    /// Valid after `selfCheck`, which finds it out.
    public var insight: Insight {
        if queue.printer?.address != nil { return .always }
        return queue.canBeAsked ? .byTheMinute : .whilePrinting
    }

    /// Checks whether tickets can be printed on this queue. The error says what to change; the check is for set-up
    /// and start, not for troubles that come and go.
    public func selfCheck() async throws(CupsPrinterError) {
        let place =
            queue.server.map { "the print server at \($0)" } ?? "this machine's print server"
        switch await queue.report(within: Self.answerTimeout) {
        case .success(let report):
            guard report.accepting else {
                throw CupsPrinterError(
                    code: .queueRefuses,
                    description: """
                        The queue "\(queue.name)" on \(place) takes no jobs. \
                        Open it with: cupsaccept \(queue.name)
                        """)
            }
        case .failure(let fault) where fault.isNotFound:
            let names = (try? await queue.queueNames(within: Self.answerTimeout).get()) ?? []
            let others = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw CupsPrinterError(
                code: .queueUnknown,
                description: """
                    There is no queue "\(queue.name)" on \(place) (there: \(others)). \
                    Name one of them, or create it with lpadmin(8).
                    """)
        case .failure:
            throw CupsPrinterError(
                code: .serverUnreachable,
                description: """
                    \(place.prefix(1).uppercased())\(place.dropFirst()) does not answer about the \
                    queue "\(queue.name)". Is cupsd running there?
                    """)
        }
        guard queue.media != nil else {
            throw CupsPrinterError(
                code: .mediaUnknown,
                description: """
                    The queue "\(queue.name)" on \(place) does not say what paper it has. \
                    Create it with "lpadmin -m everywhere" or a driver that knows the roll.
                    """)
        }
        // A printer that takes none of these formats prints nothing, while CUPS reports "completed".
        if case .success(let printer) = await queue.printerReport(within: Self.answerTimeout),
            !printer.formats.isEmpty, Self.formats.isDisjoint(with: printer.formats)
        {
            throw CupsPrinterError(
                code: .formatNotTaken,
                description: """
                    The printer of the queue "\(queue.name)" on \(place) takes neither PDF nor \
                    raster. Choose a printer that does (IPP Everywhere).
                    """)
        }
    }
}
