internal import TextForms

/// Reads the two signature fields: the part of Structured Fields (RFC 8941) that RFC 9421 needs.
///
/// It is strict: one signature with any label, or of several, which other parties have added with labels of their own
/// (RFC 9421 4.3), exactly one with this product's label; and each name and parameter once.
public enum SignatureText {
    /// The most bytes of a field that are parsed; this product's fields are under 300.
    static let maxBytes = 2_048

    /// Parses `label=("a" "b");created=1;nonce="x"`; nil if it is anything else.
    ///
    /// Of several members the one with this product's label counts.
    public static func input(_ field: String) -> (label: String, parameters: SignatureParameters)? {
        guard let member = member(of: field) else { return nil }
        var scanner = Scanner(member)
        guard let label = scanner.key(), scanner.take("=") else { return nil }
        let start = scanner.position
        guard scanner.take("(") else { return nil }
        var components: [String] = []
        while !scanner.take(")") {
            if !components.isEmpty { guard scanner.take(" ") else { return nil } }
            guard let name = scanner.component(), !components.contains(name) else { return nil }
            components.append(name)
        }
        var parameters: [(name: String, value: String)] = []
        while scanner.take(";") {
            guard let name = scanner.key(), scanner.take("="),
                let value = name == "created" || name == "expires"
                    ? scanner.integer() : scanner.string(),
                !parameters.contains(where: { $0.name == name })
            else { return nil }
            parameters.append((name, value))
        }
        guard scanner.isAtEnd else { return nil }
        return (
            label,
            SignatureParameters(
                components: components, parameters: parameters, text: scanner.text(from: start))
        )
    }

    /// The same as `bytes` for a field that may have further signatures.
    public static func signature(_ field: String) -> (label: String, base64: String)? {
        member(of: field).flatMap(bytes)
    }

    /// The only member of a dictionary, or the one with this product's label (RFC 8941 3.2); nil if that does not
    /// appear exactly once, or if another member has no label.
    private static func member(of field: String) -> String? {
        guard field.utf8.count <= maxBytes else { return nil }
        if field.hasOnlyBytes(where: { $0 != UInt8(ascii: ",") }) { return field }
        var members: [Substring] = []
        var start = field.utf8.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in field.utf8.indices {
            switch field.utf8[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                members.append(field[start..<index])
                start = field.utf8.index(after: index)
            default: break
            }
        }
        members.append(field[start...])
        guard members.count > 1 else { return field }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var ours: [String] = []
        for member in members {
            let text = member.drop(while: isSpace)
            var scanner = Scanner(String(text))
            guard let label = scanner.key(), scanner.isAtEnd || scanner.take("=") else {
                return nil
            }
            if label == MachineSignature.label {
                ours.append(String(text.trimmed(while: isSpace)))
            }
        }
        return ours.count == 1 ? ours[0] : nil
    }

    /// Parses `label=:base64:`; nil if it is anything else. The base64 is not decoded here.
    public static func bytes(_ field: String) -> (label: String, base64: String)? {
        var scanner = Scanner(field)
        guard let label = scanner.key(), scanner.take("="), scanner.take(":"),
            let base64 = scanner.base64(), scanner.take(":"), scanner.isAtEnd
        else { return nil }
        return (label, base64)
    }

    private struct Scanner {
        private let bytes: [UInt8]
        private(set) var position = 0

        init(_ field: String) {
            let all = Array(field.utf8)
            bytes = all.count <= SignatureText.maxBytes ? all : []
        }

        var isAtEnd: Bool { position == bytes.count }

        func text(from start: Int) -> String {
            String(decoding: bytes[start..<position], as: UTF8.self)
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
                return false
            }
            position += 1
            return true
        }

        private mutating func run(_ isIn: (UInt8) -> Bool) -> String? {
            let start = position
            while position < bytes.count, isIn(bytes[position]) { position += 1 }
            return position > start ? text(from: start) : nil
        }

        /// RFC 8941 3.1.2: lower case, digits, `_ - . *`.
        mutating func key() -> String? {
            run { $0.isASCIILowercase || $0.isASCIIDigit || "_-.*".utf8.contains($0) }
        }

        /// RFC 8941 3.3.1, without a sign: moments before 1970 are not needed.
        mutating func integer() -> String? {
            let digits = run(\.isASCIIDigit)
            return digits.flatMap { $0.utf8.count <= 15 ? $0 : nil }
        }

        /// RFC 8941 3.3.3; escapes are refused, since none of the values needs one.
        mutating func string() -> String? {
            guard take("\"") else { return nil }
            let text = run { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C } ?? ""
            return take("\"") ? text : nil
        }

        /// A component's name; a component of the request in an answer's signature keeps its `;req` (RFC 9421 2.4).
        mutating func component() -> String? {
            guard let name = string(), name.hasOnlyBytes(where: { $0 != UInt8(ascii: ";") }) else {
                return nil
            }
            guard take(";") else { return name }
            return key() == "req" ? name + SignatureParameters.ofRequest : nil
        }

        mutating func base64() -> String? {
            run { $0.isASCIIDigit || $0.isASCIILetter || $0 == 0x2B || $0 == 0x2F || $0 == 0x3D }
        }
    }
}
