/// Bytes as digits of base 16 (RFC 4648 8).
public enum Hexadecimal {
    private static let lowercase = Array("0123456789abcdef".utf8)

    /// Two lower-case digits for each byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.flatMap { [lowercase[Int($0 >> 4)], lowercase[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// The bytes of an even number of digits, in upper or lower case; nil for any other text.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap(value)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        if digit.isASCIIDigit { return digit - UInt8(ascii: "0") }
        let letter = digit | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter)
            ? letter - UInt8(ascii: "a") + 10 : nil
    }
}
