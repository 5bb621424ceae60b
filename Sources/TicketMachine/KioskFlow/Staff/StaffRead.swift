public import Reservations
internal import TextForms
internal import VisitCalendar

/// What was read in the reader test, without the text itself.
public struct StaffRead: Hashable, Sendable, Codable {
    public let at: LocalMoment?
    public let kind: Kind
    /// The number of characters, as they arrived.
    public let length: Int
    /// The keyboard layout through which the text came; nil if that cannot be determined.
    public let layout: KeyboardLayout.Name?
    let attempt: AttemptKey?
    /// The backend's verdict on the code; nil until it has answered, or if it was not asked.
    public var verdict: Verdict?

    public enum Kind: Hashable, Sendable, Codable {
        case entryCode, orderCode, typedCode, symbolForPhones, symbolForCalendars, badge, barcode,
            other

        /// Classifies what a reader has read, through any keyboard layout.
        fileprivate init(_ text: String) {
            let digits = text.utf8.allSatisfy(\.isASCIIDigit)
            self =
                switch PresentedCode(read: text) {
                case .entry: .entryCode
                case .typed: .typedCode
                case nil where PresentedOrderCode(read: text) != nil: .orderCode
                case nil where StaffBadge(read: text) != nil: .badge
                case nil where Capability(read: text) != nil: .symbolForPhones
                case nil where EventSymbol.isLine(read: text): .symbolForCalendars
                // EAN-8, UPC-A, EAN-13 (GS1 General Specifications 5.1).
                case nil where digits && [8, 12, 13].contains(text.utf8.count): .barcode
                case nil: .other
                }
        }
    }

    public enum Verdict: Hashable, Sendable, Codable {
        case valid
        case refused(Refusal)
        case unanswered
    }

    /// More than a staff member needs to compare.
    static let maxCount = 4
}

extension StaffRead {
    /// - Parameter attempt: the call that asks the backend about the code.
    public init(_ text: String, at clock: LocalMoment?, attempt: AttemptKey? = nil) {
        self.init(
            at: clock, kind: Kind(text), length: text.count, layout: KeyboardLayout.of(text),
            attempt: attempt)
    }
}
