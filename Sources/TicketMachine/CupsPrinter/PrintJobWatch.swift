internal import KioskFlow
internal import KioskRuntime

/// What the queue says of a job (RFC 8011 5.3.7, 5.3.8).
struct JobReport: Hashable, Sendable {
    enum State: Hashable, Sendable { case waiting, processing, stopped, cancelled, completed }

    var state: State
    /// Pages the printer reports as put out.
    var impressions = 0
    /// What CUPS's backend says of the printer, in words.
    var message = ""
    var reasons: [String] = []
}

/// A paper on its way, as a value: what is heard of its job goes in, what to do comes out.
///
/// Times count from the moment the paper was sent off.
struct PrintJobWatch {
    /// Rules 15: after so long without progress the customer is shown the code.
    static let silence = Duration.seconds(5)
    /// Rules 15: after so long a job is cancelled; nobody waits longer or must find it later.
    static let patience = Duration.seconds(8)

    enum Action: Hashable {
        case tell(PrintProgress)
        /// Ask the printer what became of the job: `confirmed(by:)`.
        case confirm
        /// Cancel the job, and say what came of it: `cancelled(_:)`.
        case cancel
        case end
    }

    /// What came of cancelling a job.
    enum Cancellation: Hashable {
        /// Queue and printer agree that no paper comes.
        case certain
        case uncertain
        /// It was completed before.
        case tooLate
    }

    /// Less from the moment on when the customer leaves.
    var patience: PrintTimeoutPolicy
    private var lastProgress = Duration.zero
    private var seen: JobReport?
    /// By whom it was reported: each takes back only his own.
    private var printerTrouble: PrinterTrouble?
    private var queueTrouble: PrinterTrouble?
    private var told: PrinterTrouble?

    private var trouble: PrinterTrouble? { printerTrouble ?? queueTrouble }

    init(_ patience: PrintTimeoutPolicy = .full) {
        self.patience = patience
    }

    /// The queue answered about the job.
    mutating func jobReported(_ report: JobReport, at now: Duration) -> [Action] {
        switch report.state {
        case .completed:
            // CUPS calls a job completed whose document the printer did not take.
            let refused =
                report.message.contains("Unable to add document")
                || report.reasons.contains { $0.hasPrefix("job-completed-with-errors") }
            return refused ? [.tell(.failed(.other)), .end] : [.confirm]
        case .cancelled:
            return [.tell(.failed(trouble ?? .other)), .end]
        case .waiting, .processing, .stopped:
            if seen?.state != report.state || seen?.impressions != report.impressions {
                lastProgress = now
            }
            seen = report
            queueTrouble = report.state == .stopped ? .stopped : Self.trouble(in: report.message)
            return timePassed(to: now)
        }
    }

    /// The printer, or the queue about it, said what holds it up.
    mutating func printerReported(_ trouble: PrinterTrouble?, at now: Duration) -> [Action] {
        printerTrouble = trouble
        return timePassed(to: now)
    }

    /// The queue did not answer about the job.
    mutating func queueUnreachable(at now: Duration) -> [Action] {
        queueTrouble = .offline
        return timePassed(to: now)
    }

    /// The customer left, or the machine stops.
    func abandoned() -> [Action] { [.cancel] }

    /// The job was cancelled; it may have been quicker.
    func cancelled(_ cancellation: Cancellation) -> [Action] {
        let trouble = trouble ?? told ?? .silent
        switch cancellation {
        case .tooLate: return [.confirm]
        case .certain: return [.tell(.failed(trouble)), .end]
        case .uncertain: return [.tell(.failed(trouble, mayComeOut: true)), .end]
        }
    }

    /// What the printer says of a job that CUPS calls completed; nil if it cannot tell.
    ///
    /// CUPS's ipp backend asks from two threads, and by which of them sees it first a job that the
    /// printer aborted ends as cancelled or as completed.
    func confirmed(by printer: JobReport.State?) -> [Action] {
        [.tell(printer == .cancelled ? .failed(trouble ?? .other) : .printed), .end]
    }

    mutating func timePassed(to now: Duration) -> [Action] {
        var actions: [Action] = []
        let silent = now - lastProgress >= Self.silence ? PrinterTrouble.silent : nil
        let present = trouble ?? silent
        if let news = present, news != told {
            told = news
            actions.append(.tell(.troubled(news)))
        }
        let isHopeless = patience == .untilTrouble && present != nil
        if now >= Self.patience || isHopeless { actions.append(.cancel) }
        return actions
    }

    /// Messages of CUPS's backends about a printer that does not answer.
    private static func trouble(in message: String) -> PrinterTrouble? {
        let offline = [
            "may not exist or is unavailable", "not responding", "Unable to connect",
            "Unable to locate printer", "unreachable", "Network host", "printer is in use",
        ]
        return offline.contains { message.contains($0) } ? .offline : nil
    }
}
