/// Somebody wants to look after the machine and types a PIN.
public struct StaffEntrance: Hashable, Sendable {
    public var digits = ""
    /// The check that is under way; no digit is taken meanwhile.
    public var attempt: AttemptKey?
    /// What became of the last one.
    public var answer: PINAnswer?
    /// When the next may be typed.
    public var opens: Duration = .zero

    public init() {}
}

/// A person of the shop looks after the machine.
public struct StaffVisit: Hashable, Sendable {
    public let person: StaffPerson
    public var screen: StaffScreen = .overview
    /// What becomes of the paper that was asked for last.
    public var print: StaffPrint?
    /// What is about to be printed again, by its place in the list of papers.
    public var chosen: IssuedPaper?
    /// The first of the papers or events that is shown.
    public var page = 0
    /// Whether a deed that ends what customers see was asked for and not yet confirmed.
    public var isAsked = false

    public init(person: StaffPerson) { self.person = person }
}

/// The screens of maintenance mode, in the order of their buttons.
public enum StaffScreen: String, Hashable, Sendable, CaseIterable {
    case overview, printer, papers, events, machine
}

/// A paper that a person of the staff has asked for.
public struct StaffPrint: Hashable, Sendable {
    public let attempt: AttemptKey
    public var progress: Progress

    public enum Progress: Hashable, Sendable {
        case under
        case printed
        case failed(PrinterTrouble)
        /// The backend does not say that the reservation stands.
        case notStanding(BackendFailure)
    }
}

/// Why a paper is printed again.
public enum ReprintReason: String, Hashable, Sendable, CaseIterable {
    case unreadable, torn, neverCame = "never-came"
}
