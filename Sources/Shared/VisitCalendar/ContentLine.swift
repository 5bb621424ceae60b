/// A content line of iCalendar (RFC 5545 3.1): a property's name, a colon and its value.
struct ContentLine: Hashable {
    /// The most octets of a line without its end (RFC 5545 3.1).
    private static let maxOctets = 75

    /// The line without its end, in one piece.
    let line: String

    /// A line whose value is written as it is: a date, a number, a duration or an address.
    ///
    /// What could end the line is left out, so that no value can begin another one.
    init(_ name: String, _ value: String) {
        line =
            "\(name):"
            + String(String.UnicodeScalarView(value.unicodeScalars.filter { !Self.isControl($0) }))
    }

    /// A line whose value is text for people.
    init(_ name: String, text: String) { line = "\(name):\(Self.escaped(text))" }

    /// The line with its end, in pieces of at most 75 octets, each but the first after a space (RFC 5545 3.1). A character
    /// of UTF-8 is in one piece.
    var folded: String {
        var folded = String.UnicodeScalarView()
        var octets = 0
        for scalar in line.unicodeScalars {
            let count = UTF8.width(scalar)
            if octets + count > Self.maxOctets {
                folded.append(contentsOf: "\r\n ".unicodeScalars)
                octets = 1
            }
            folded.append(scalar)
            octets += count
        }
        folded.append(contentsOf: "\r\n".unicodeScalars)
        return String(folded)
    }

    /// Text as a value (RFC 5545 3.3.11): a backslash before backslashes, semicolons and commas, and `\n` for the end of a
    /// line, however that is written. Other control characters, which a value cannot have, are left out.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        var former: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped.append("\\")
                escaped.append(scalar)
            case "\n" where former == "\r": break
            case "\t": escaped.append(scalar)
            case "\r", "\n", "\u{85}", "\u{2028}", "\u{2029}":
                escaped.append(contentsOf: "\\n".unicodeScalars)
            case _ where isControl(scalar): break
            default: escaped.append(scalar)
            }
            former = scalar
        }
        return String(escaped)
    }

    /// Whether a scalar is a control character, or ends a line for some readers.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}
