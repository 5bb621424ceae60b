public import Reservations
internal import SMSTexts

/// An SMS to one telephone.
///
/// Gateways cut a text that is too long without saying so; the length is therefore checked here.
public struct SMSMessage: Sendable {
    public let to: PhoneNumber
    /// One to `GSM7.maxSeptets` septets of the GSM 7 bit default alphabet.
    public let text: String
    /// How long the network tries to deliver it, in minutes: 1 to 1,440. A gateway that is a program does not get it.
    public let validMinutes: Int

    /// Nil if the text is empty or too long, or has a character that the alphabet lacks.
    ///
    /// - Parameter validMinutes: After that, what the text says is of no use. Fewer than 1 count as 1, and more than
    ///   1,440 as 1,440.
    public init?(to number: PhoneNumber, text: String, validMinutes: Int) {
        guard let septets = GSM7.septets(text), (1...GSM7.maxSeptets).contains(septets) else {
            return nil
        }
        to = number
        self.text = text
        self.validMinutes = min(max(validMinutes, 1), 1_440)
    }
}

extension SMSMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that shows nothing of the number and the text.
    public var description: String { "an SMS" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
