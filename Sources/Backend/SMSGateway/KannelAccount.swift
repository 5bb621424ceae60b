/// The user of Kannel in whose name SMS are sent (the group `sendsms-user` of its configuration), and their sender.
public struct KannelAccount: Sendable {
    let user: String
    let password: String
    /// Nil for the sender of Kannel's configuration.
    let sender: String?

    /// Nil if user or password is empty, longer than 100 bytes or has other characters than printable ones of ASCII
    /// without blanks, or if the sender is none (`isSender`).
    public init?(user: String, password: String, sender: String?) {
        guard Self.isSecret(user), Self.isSecret(password), sender.map(Self.isSender) ?? true else {
            return nil
        }
        self.user = user
        self.password = password
        self.sender = sender
    }

    /// Whether telephones can show a text as the sender of an SMS: at most 11 letters, digits and blanks of ASCII, or
    /// 1 to 15 digits, which may begin with "+" (3GPP TS 23.040 9.1.2.5).
    public static func isSender(_ text: String) -> Bool {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        if (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy(isDigit) { return true }
        return (1...11).contains(text.utf8.count) && text.first != " " && text.last != " "
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: " "):
                    true
                default: isDigit(byte)
                }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isSecret(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension KannelAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that does not show the password.
    public var description: String { "an account of Kannel" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
