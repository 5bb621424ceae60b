internal import Reservations
internal import VisitCalendar

// The secrets of an event that must not be written down: codes and links that are read, digits and PINs that are typed.
extension KioskEvent {
    /// The digits of a PIN that `PINRules` accepts, so that a replay takes the same path as the original.
    private static let typed = [7, 3, 9, 1, 4, 6, 5, 2, 8, 0]

    public var isDigit: Bool { if case .touched(.digit, _) = self { true } else { false } }

    /// The event with other digits than were typed, and with another text of the same kind as was read.
    ///
    /// - Parameter digits: how many digits were typed just before this event.
    public func withoutSecrets(afterDigits digits: Int) -> KioskEvent {
        if case .touched(.digit, let mark) = self {
            return .touched(.digit(Self.typed[digits % Self.typed.count]), at: mark)
        }
        if case .codeRead(let text) = self { return .codeRead(Self.likeness(of: text)) }
        return self
    }

    private static func likeness(of text: String) -> String {
        switch PresentedCode(read: text) {
        case .entry: return EntryCode.prefix + "XXXX" + String(repeating: "0", count: 26)
        case .typed: return String(repeating: "0", count: 10)
        case nil: break
        }
        if PresentedOrderCode(read: text) != nil {
            return PickupCode.prefix + "XXXX" + String(repeating: "0", count: 26)
        }
        if StaffBadge(read: text) != nil {
            return StaffBadge.prefix + String(repeating: "0", count: 26)
        }
        if Capability(read: text) != nil {
            return "http#XXXX00000001" + String(repeating: "0", count: 26)
        }
        // The log needs to know of no visit.
        if EventSymbol.isLine(read: text) { return "BEGIN:VEVENT" }
        return String(text.map { $0.isNumber ? "0" : "x" })
    }
}
