/// Text set into lines.
public enum TextFlow {
    /// The lines of a text at most so wide, broken at spaces; a word wider than that is cut.
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
        var narrow = greedy.map(TextWidth.of).max() ?? width
        var best = greedy
        while narrow > 1 {
            narrow -= 1
            let tighter = lines(text, width: narrow)
            // A cut word shows as a line that does not end where a space was.
            guard tighter.count == greedy.count, keepsWords(tighter, of: text) else { break }
            best = tighter
        }
        return best
    }

    private static func keepsWords(_ lines: [String], of text: String) -> Bool {
        lines.flatMap { $0.split(separator: " ") } == text.split(separator: " ")
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
                // A wide character in a column of one: nothing of it can be set.
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
}

extension Surface {
    /// Sets a text into a rectangle from its top and answers with the rows it took; lines that have
    /// no room are left out and counted as lost.
    @discardableResult
    public mutating func set(
        _ text: String, in area: Rectangle, _ style: Style, _ alignment: Alignment = .left
    ) -> Int {
        let lines =
            alignment == .centre
            ? TextFlow.balanced(text, width: area.columns)
            : TextFlow.lines(text, width: area.columns)
        return set(lines: lines, in: area, style, alignment)
    }

    /// The same with lines that are broken already.
    @discardableResult
    public mutating func set(
        lines: [String], in area: Rectangle, _ style: Style, _ alignment: Alignment = .left
    ) -> Int {
        for (index, line) in lines.enumerated() {
            let free = area.columns - TextWidth.of(line)
            let indent =
                switch alignment {
                case .left: 0
                case .centre: max(0, free / 2)
                case .right: max(0, free)
                }
            put(line, row: area.row + index, column: area.column + indent, style, within: area)
        }
        return min(lines.count, area.rows)
    }
}
