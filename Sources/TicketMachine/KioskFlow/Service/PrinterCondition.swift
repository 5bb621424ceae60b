/// Why no receipt can come out, as far as the printer reports it; the text for the customer depends on it.
public enum PrinterTrouble: String, Hashable, Sendable, CaseIterable, Codable {
    case noPaper, jam, coverOpen
    /// The machine has no printer, which is no fault.
    case absent
    /// The printer does not answer, is unplugged, or its queue cannot be reached.
    case offline
    /// The queue is stopped, or accepts no jobs.
    case stopped
    /// The printer reports an error that this program does not know by name.
    case other
    /// No progress of the job was reported in time (rules: no-printout).
    case silent
}

/// What the printer itself reported when it was last asked.
public struct PrinterCondition: Hashable, Sendable, Codable {
    public var trouble: PrinterTrouble?
    public var paperLow: Bool

    public init(trouble: PrinterTrouble? = nil, paperLow: Bool = false) {
        self.trouble = trouble
        self.paperLow = paperLow
    }

    public static let ready = PrinterCondition()

    /// The condition of two printers, one of which prints while the other cannot: there is trouble only if both have
    /// it.
    public init(_ first: PrinterCondition, standby: PrinterCondition) {
        trouble = standby.trouble == nil ? nil : first.trouble
        paperLow = first.paperLow || standby.paperLow
    }
}

/// The progress of a receipt; the last one is `printed` or `failed`.
public enum PrintProgress: Hashable, Sendable, Codable {
    /// The queue has accepted the job.
    case submitted(job: Int)
    /// The job waits with this trouble; the receipt may still come out.
    case troubled(PrinterTrouble)
    case printed
    /// The job was refused, or cancelled so that no outdated receipt is printed later. `mayComeOut` if the cancellation
    /// was not confirmed, so that the receipt must not be printed elsewhere.
    case failed(PrinterTrouble, mayComeOut: Bool = false)

    /// Whether it is the last report.
    public var isFinal: Bool {
        switch self {
        case .printed, .failed: true
        case .submitted, .troubled: false
        }
    }
}
