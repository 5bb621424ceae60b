/// Counts the columns of text in a terminal as wcwidth(3) does: by scalars, not by graphemes.
public enum TextWidth {
    /// The content of one or two cells: a character that has width, and the marks over it.
    public struct Cluster: Hashable, Sendable {
        public var text: String
        /// 1 or 2.
        public var width: Int
    }

    /// Columns of a whole text.
    public static func of(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + of($1) } }

    /// 0 for combining and invisible characters, 2 for East Asian wide ones (UAX #11: W and F), otherwise 1.
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        // Most of a screen is Latin text, boxes and blocks, which are decided without the tables.
        if (0x20...0x7E).contains(value) || (0xA0...0x2FF).contains(value) && value != 0xAD {
            return 1
        }
        if (0x2500...0x259F).contains(value) { return 1 }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .nonspacingMark, .enclosingMark, .lineSeparator,
            .paragraphSeparator:
            return 0
        default: break
        }
        if isJoiningJamo(value) { return 0 }
        return isWide(value) ? 2 : 1
    }

    /// Cuts a text into the content of its cells; marks without a character before them are dropped.
    public static func clusters(_ text: String) -> [Cluster] {
        var clusters: [Cluster] = []
        clusters.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let width = of(scalar)
            if width > 0 {
                clusters.append(Cluster(text: String(scalar), width: width))
            } else if isMark(scalar), let last = clusters.indices.last {
                clusters[last].text.unicodeScalars.append(scalar)
            }
        }
        return clusters
    }

    /// The longest beginning of a text that fits in a width.
    static func prefix(_ text: Substring, fitting width: Int) -> Substring {
        var taken = 0
        var index = text.startIndex
        let scalars = text.unicodeScalars
        while index < scalars.endIndex {
            taken += of(scalars[index])
            if taken > width { break }
            index = scalars.index(after: index)
        }
        return text[..<index]
    }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark || isJoiningJamo(scalar.value)
    }

    /// Whether a scalar is a vowel or final consonant of Hangul, which joins the consonant before it.
    private static func isJoiningJamo(_ value: UInt32) -> Bool { (0x1160...0x11FF).contains(value) }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// EastAsianWidth.txt of Unicode 15, W and F; neighbouring ranges are joined over unassigned gaps.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
        0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
        0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
        0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
        0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F,
        0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7,
        0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF8,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
