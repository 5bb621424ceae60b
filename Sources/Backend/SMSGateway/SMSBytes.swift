/// The text of an SMS in the bytes that a gateway passes on.
///
/// Kannel writes UTF-8. Gateways that do not say what they write use Latin-1, or UCS-2 for a text that Latin-1 cannot write
/// (3GPP TS 23.038): which it is shows in the bytes.
public enum SMSBytes {
    public static func text(_ bytes: [UInt8]) -> String {
        if let wide = wide(bytes) { return wide }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The text in UCS-2, or UTF-16 for signs such as a thumb, the higher byte first; nil if the bytes are not that.
    private static func wide(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.count % 2 == 0 else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        // Latin letters and digits have an empty byte, which no other coding of a text has; pairs of surrogates and the mark
        // of the order of bytes are no UTF-8, and no words in Latin-1.
        let isWide =
            units.contains { $0 < 0x100 } || units.first == 0xFEFF
            || units.contains(where: UTF16.isLeadSurrogate)
                && String(validating: bytes, as: UTF8.self) == nil
        return isWide ? String(text.drop { $0 == "\u{FEFF}" }) : nil
    }
}
