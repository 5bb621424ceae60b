internal import TextForms

/// The characters of names on the wire: names of machines and keys, nonces and Idempotency-Keys.
public enum PlainName {
    /// 1 to 64 of A-Z a-z 0-9 - and _.
    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.hasOnlyBytes { byte in
                byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}

/// The characters of identifiers that the backend generates and that paths of calls name.
public enum PathIdentifier {
    /// 1 to 64 of the characters a-z 0-9 and -, which need no percent-encoding in a path.
    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.hasOnlyBytes {
                $0.isASCIIDigit || $0.isASCIILowercase || $0 == UInt8(ascii: "-")
            }
    }
}
