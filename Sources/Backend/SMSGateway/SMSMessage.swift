public import Reservations
internal import SMSTexts

/// An SMS to one telephone.
///
/// Gateways cut a text that is too long without saying so; the length is therefore checked here.
public struct SMSMessage: Sendable {
    public let to: PhoneNumber
    /// One to `GSM7.maxSeptets` septets of the GSM 7 bit default alphabet.
    public let text: String

    /// Nil if the text is empty or too long, or has a character that the alphabet lacks.
    public init?(to number: PhoneNumber, text: String) {
        guard let septets = GSM7.septets(text), (1...GSM7.maxSeptets).contains(septets) else {
            return nil
        }
        to = number
        self.text = text
    }
}

extension SMSMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that shows nothing of the number and the text.
    public var description: String { "an SMS" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
