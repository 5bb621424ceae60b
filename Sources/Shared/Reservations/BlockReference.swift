private import TextForms

/// Eight digits with which the staff lift the block of a customer who missed too many calls (rules: blocks).
///
/// The backend makes them from the holder's name with its key, so that they say nothing about the holder.
public struct BlockReference: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public static let length = 8

    /// Nil unless the text is eight digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, rawValue.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        self.rawValue = rawValue
    }
}
