internal import KioskFlow
internal import KioskRuntime

/// The queue's report about a job (RFC 8011 5.3.7, 5.3.8).
struct JobReport: Hashable, Sendable {
    enum State: Hashable, Sendable { case waiting, processing, stopped, cancelled, completed }

    var state: State
    /// Pages that the printer reports as printed.
    var impressions = 0
    /// The message of CUPS's backend about the printer.
    var message = ""
    var reasons: [String] = []
}

/// A state machine for a paper on its way: reports about its job go in, actions come out.
///
/// Times count from the moment when the paper was sent.
struct PrintJobWatch {
    /// After this time without progress the customer is shown the code (rules: no-printout).
    static let silenceTimeout = Duration.seconds(5)
    /// After this time a job is cancelled, so that no customer waits longer, and none finds the paper later.
    static let jobTimeout = Duration.seconds(8)

    enum Action: Hashable {
        case report(PrintProgress)
        /// Ask the printer for the job's result and report it with `confirmed(by:)`.
        case confirm
        /// Cancel the job and report the result with `cancelled(_:)`.
        case cancel
        case end
    }

    enum Cancellation: Hashable {
        /// Queue and printer agree that no paper comes out.
        case certain
        case uncertain
        /// The job was completed before.
        case tooLate
    }

    var timeout: PrintTimeoutPolicy
    private var lastProgress = Duration.zero
    private var seen: JobReport?
    /// The source of each trouble: a report takes back only a trouble of the same source.
    private var printerTrouble: PrinterTrouble?
    private var queueTrouble: PrinterTrouble?
    private var reported: PrinterTrouble?

    private var trouble: PrinterTrouble? { printerTrouble ?? queueTrouble }

    init(_ timeout: PrintTimeoutPolicy = .full) { self.timeout = timeout }

    mutating func jobReported(_ report: JobReport, at now: Duration) -> [Action] {
        switch report.state {
        case .completed:
            // CUPS also calls a job completed if the printer did not take its document.
            let refused =
                report.message.contains("Unable to add document")
                || report.reasons.contains { $0.hasPrefix("job-completed-with-errors") }
            return refused ? [.report(.failed(.other)), .end] : [.confirm]
        case .cancelled: return [.report(.failed(trouble ?? .other)), .end]
        case .waiting, .processing, .stopped:
            if seen?.state != report.state || seen?.impressions != report.impressions {
                lastProgress = now
            }
            seen = report
            queueTrouble = report.state == .stopped ? .stopped : Self.trouble(in: report.message)
            return timePassed(to: now)
        }
    }

    /// Handles a trouble that the printer reported, or the queue for it; nil means none.
    mutating func printerReported(_ trouble: PrinterTrouble?, at now: Duration) -> [Action] {
        printerTrouble = trouble
        return timePassed(to: now)
    }

    mutating func queueUnreachable(at now: Duration) -> [Action] {
        queueTrouble = .offline
        return timePassed(to: now)
    }

    func abandoned() -> [Action] { [.cancel] }

    /// Handles the result of a cancellation; the job may have been completed before it.
    func cancelled(_ cancellation: Cancellation) -> [Action] {
        let trouble = trouble ?? reported ?? .silent
        switch cancellation {
        case .tooLate: return [.confirm]
        case .certain: return [.report(.failed(trouble)), .end]
        case .uncertain: return [.report(.failed(trouble, mayComeOut: true)), .end]
        }
    }

    /// Handles the printer's state of a job that CUPS calls completed; nil if the printer does not know it.
    ///
    /// CUPS's ipp backend asks the printer from two threads. A job that the printer aborted ends as cancelled or as
    /// completed, depending on which thread notices it first.
    func confirmed(by printer: JobReport.State?) -> [Action] {
        [.report(printer == .cancelled ? .failed(trouble ?? .other) : .printed), .end]
    }

    mutating func timePassed(to now: Duration) -> [Action] {
        var actions: [Action] = []
        let silent = now - lastProgress >= Self.silenceTimeout ? PrinterTrouble.silent : nil
        let present = trouble ?? silent
        if let news = present, news != reported {
            reported = news
            actions.append(.report(.troubled(news)))
        }
        let isHopeless = timeout == .untilTrouble && present != nil
        if now >= Self.jobTimeout || isHopeless { actions.append(.cancel) }
        return actions
    }

    /// The trouble in a message of CUPS's backends about a printer that does not answer.
    private static func trouble(in message: String) -> PrinterTrouble? {
        let offline = [
            "may not exist or is unavailable", "not responding", "Unable to connect",
            "Unable to locate printer", "unreachable", "Network host", "printer is in use",
        ]
        return offline.contains { message.contains($0) } ? .offline : nil
    }
}
