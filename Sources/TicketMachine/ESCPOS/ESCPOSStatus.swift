/// The meaning of a printer's four answers, in the keywords of CUPS.
public struct ESCPOSStatus: Hashable, Sendable {
    /// A keyword of `printer-state-reasons` (IANA IPP registry), with its severity.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case coverOpen = "cover-open-error"
        case paperEnd = "media-empty-error"
        case paperNearEnd = "media-low-warning"
        case cutter = "separation-cutter-jam-error"
        /// An error of the print head, its motor or its voltage.
        case error = "other-error"
        /// Switched offline by its button, or not answering.
        case offline = "offline-error"
    }

    public let reasons: Set<Reason>

    /// Whether the printer can print.
    public var isReady: Bool { reasons.isSubset(of: [.paperNearEnd]) }

    public init(_ reasons: Set<Reason>) { self.reasons = reasons }

    /// The status of a printer that does not answer.
    public static let mute = ESCPOSStatus([.offline])

    /// Reads the answers to DLE EOT 1 to 4; a missing answer adds no reason.
    public init(_ answers: [ESCPOSCommand.Question: UInt8]) {
        func isSet(_ bits: UInt8, of question: ESCPOSCommand.Question) -> Bool {
            (answers[question] ?? 0) & bits != 0
        }
        var reasons: Set<Reason> = []
        if isSet(0x04, of: .offlineCause) { reasons.insert(.coverOpen) }
        if isSet(0x20, of: .offlineCause) || isSet(0x60, of: .paper) { reasons.insert(.paperEnd) }
        if isSet(0x0C, of: .paper), !reasons.contains(.paperEnd) { reasons.insert(.paperNearEnd) }
        if isSet(0x08, of: .errorCause) { reasons.insert(.cutter) }
        let hasError = isSet(0x64, of: .errorCause) || isSet(0x40, of: .offlineCause)
        if hasError, !reasons.contains(.cutter) { reasons.insert(.error) }
        // The printer is offline with all reasons above too; without one of them, its button was pressed.
        if isSet(0x08, of: .printer), reasons.isSubset(of: [.paperNearEnd]) {
            reasons.insert(.offline)
        }
        self.reasons = reasons
    }
}
