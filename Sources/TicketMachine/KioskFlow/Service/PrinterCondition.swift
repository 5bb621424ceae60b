/// Why no paper can come out, as far as the printer says; the customer's text is chosen by it.
public enum PrinterTrouble: String, Hashable, Sendable, CaseIterable, Codable {
    case noPaper, jam, coverOpen
    /// Does not answer, unplugged, or its queue cannot be reached.
    case offline
    /// The queue is stopped, or takes no jobs.
    case stopped
    /// The printer reports an error this program does not know by name.
    case other
    /// Nothing was heard of the job in time (rules 15).
    case silent
}

/// What the printer itself said when it was last asked.
public struct PrinterCondition: Hashable, Sendable, Codable {
    public var trouble: PrinterTrouble?
    public var paperLow: Bool

    public init(trouble: PrinterTrouble? = nil, paperLow: Bool = false) {
        self.trouble = trouble
        self.paperLow = paperLow
    }

    public static let ready = PrinterCondition()

    /// Two printers of which one prints while the other cannot: papers come while one is well.
    public init(_ first: PrinterCondition, standby: PrinterCondition) {
        trouble = standby.trouble == nil ? nil : first.trouble
        paperLow = first.paperLow || standby.paperLow
    }
}

/// What becomes of a paper on its way; the last one is `printed` or `failed`.
public enum PrintProgress: Hashable, Sendable, Codable {
    /// The queue has taken the job.
    case submitted(job: Int)
    /// The job waits with this trouble; it may still come out.
    case troubled(PrinterTrouble)
    case printed
    /// The job was refused, or cancelled so that nothing stale prints later; `mayComeOut` where
    /// nobody has confirmed that, so that the paper must not be printed elsewhere.
    case failed(PrinterTrouble, mayComeOut: Bool = false)

    /// Whether nothing comes after it.
    public var isFinal: Bool {
        switch self {
        case .printed, .failed: true
        case .submitted, .troubled: false
        }
    }
}
