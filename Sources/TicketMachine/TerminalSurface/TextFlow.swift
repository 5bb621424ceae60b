/// Breaks text into lines and sets them.
public enum TextFlow {
    /// The lines of a text, at most `width` wide, broken at spaces; a wider word is cut.
    ///
    /// A line end in the text starts a new line; no-break spaces hold together.
    public static func lines(_ text: String, width: Int) -> [String] {
        guard width > 0 else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { paragraph(words: $0.split(separator: " "), width: width) }
    }

    /// The same number of lines as `lines`, but none much shorter than the others.
    public static func balanced(_ text: String, width: Int) -> [String] {
        let greedy = lines(text, width: width)
        guard greedy.count > 1, !text.contains("\n") else { return greedy }
        let widths = text.split(separator: " ").map { TextWidth.of(String($0)) }
        // No line is made narrower than the widest word, so that no word is cut.
        guard let widest = widths.max(), widest <= width else { return greedy }
        var narrow = width
        while case let used = filled(widths, width: narrow), used.count == greedy.count {
            narrow = (used.max() ?? 0) - 1
            if narrow < widest { break }
        }
        return lines(text, width: narrow + 1)
    }

    /// The widths of the lines made of words with these widths.
    private static func filled(_ words: [Int], width: Int) -> [Int] {
        words.reduce(into: []) { lines, word in
            if let last = lines.last, last + 1 + word <= width {
                lines[lines.count - 1] = last + 1 + word
            } else {
                lines.append(word)
            }
        }
    }

    /// A text in two lines, broken at the space that makes them most equal in width; nil for a single word, or if
    /// `width` returns nil for a line.
    static func halves(_ text: String, width: (String) -> Int?) -> [String]? {
        let words = text.split(separator: " ")
        guard words.count > 1 else { return nil }
        return (1..<words.count).map {
            [words[..<$0].joined(separator: " "), words[$0...].joined(separator: " ")]
        }.compactMap { lines in
            let widths = lines.compactMap(width)
            return widths.count == 2 ? (lines, max(widths[0], widths[1])) : nil
        }.min { (one: ([String], Int), other: ([String], Int)) in one.1 < other.1 }?.0
    }

    private static func paragraph(words: [Substring], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var taken = 0
        for word in words {
            var rest = word
            let needed = TextWidth.of(String(rest))
            if taken > 0, taken + 1 + needed <= width {
                line += " " + rest
                taken += 1 + needed
                continue
            }
            if taken > 0 { lines.append(line) }
            while TextWidth.of(String(rest)) > width {
                let piece = TextWidth.prefix(rest, fitting: width)
                // A wide character has no room in a width of one column.
                guard !piece.isEmpty else { return lines }
                lines.append(String(piece))
                rest = rest[piece.endIndex...]
            }
            line = String(rest)
            taken = TextWidth.of(line)
        }
        if taken > 0 || lines.isEmpty { lines.append(line) }
        return lines
    }
}

public enum Alignment: Hashable, Sendable {
    case left, centre, right

    /// Columns before a line that leaves so many columns free.
    func indent(free: Int) -> Int {
        switch self {
        case .left: 0
        case .centre: max(0, free / 2)
        case .right: max(0, free)
        }
    }
}

extension Surface {
    /// Sets a text into a rectangle from its top and returns the rows it took; lines without room are left out and
    /// counted as lost.
    @discardableResult public mutating func set(
        _ text: String, in area: Rectangle, _ style: Style, _ alignment: Alignment = .left
    ) -> Int {
        let lines =
            alignment == .centre
            ? TextFlow.balanced(text, width: area.columns)
            : TextFlow.lines(text, width: area.columns)
        return set(lines: lines, in: area, style, alignment)
    }

    /// Does the same with lines that are already broken.
    @discardableResult public mutating func set(
        lines: [String], in area: Rectangle, _ style: Style, _ alignment: Alignment = .left
    ) -> Int {
        for (index, line) in lines.enumerated() {
            let indent = alignment.indent(free: area.columns - TextWidth.of(line))
            put(line, row: area.row + index, column: area.column + indent, style, within: area)
        }
        return min(lines.count, area.rows)
    }
}
