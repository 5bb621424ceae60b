/// Text for a terminal of 100 columns.
public enum Layout {
    private static let columns = 100
    /// Longer names get a line of their own.
    private static let maxNameColumns = 22

    /// Names and their meanings below each other; the lines of all meanings begin in one column.
    public static func table(_ rows: [(name: String, meaning: String)]) -> String {
        let width = rows.map(\.name.count).filter { $0 <= maxNameColumns }.max() ?? maxNameColumns
        let indentation = width + 4
        return rows.map { name, meaning in
            let words = meaning.split(separator: " ").map(String.init)
            let begin = "  \(name)"
            guard name.count <= width else {
                let space = String(repeating: " ", count: indentation - 1)
                return begin + "\n" + wrap(words, first: space, indentation: indentation)
            }
            let space = String(repeating: " ", count: indentation - 1 - begin.count)
            return wrap(words, first: begin + space, indentation: indentation)
        }.joined(separator: "\n")
    }

    /// Parts with spaces between them; the lines after the first begin with `indentation` spaces.
    static func wrap(_ parts: [String], first: String, indentation: Int) -> String {
        var lines = [first]
        for part in parts {
            if lines[lines.count - 1].count + 1 + part.count <= columns {
                lines[lines.count - 1] += " " + part
            } else {
                lines.append(String(repeating: " ", count: indentation) + part)
            }
        }
        return lines.joined(separator: "\n")
    }
}
