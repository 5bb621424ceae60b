import Reservations
import TextForms

/// A table as text: comma-separated values (RFC 4180), also with the other separators that spreadsheets and databases write.
/// Its first line names the columns.
struct OrderTable {
    /// The file cannot be read at all.
    struct Wrong: Error, CustomStringConvertible {
        let description: String

        init(line: Int, _ sentence: String) { description = "line \(line): \(sentence)" }
    }

    struct Row {
        let line: Int
        /// Those of the wanted columns, in their order.
        let fields: [String]
        /// Why the row cannot be read; nil if it can.
        let trouble: String?
    }

    let rows: [Row]

    /// Reads the text; the separator is the one with which the first line has the most of the wanted columns.
    init(_ text: String, columns: [String], maxRows: Int) throws(Wrong) {
        var reader = Self.reader(text, columns)
        guard let header = try reader.next() else {
            throw Wrong(
                line: 1,
                "the first line must name the columns \(columns.joined(separator: ","))")
        }
        let names = Self.names(header)
        var places: [Int] = []
        for column in columns {
            guard let place = names.firstIndex(of: column) else {
                let seen = names.prefix(20).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
                throw Wrong(
                    line: header.line, "there is no column \"\(column)\"; the columns are \(seen)")
            }
            guard names.lastIndex(of: column) == place else {
                throw Wrong(line: header.line, "two columns are named \"\(column)\"")
            }
            places.append(place)
        }
        var rows: [Row] = []
        while let record = try reader.next() {
            guard rows.count < maxRows else {
                throw Wrong(line: record.line, "a file has at most \(maxRows) rows below its head")
            }
            rows.append(
                Row(
                    line: record.line,
                    fields: places.map {
                        record.fields.indices.contains($0) ? record.fields[$0] : ""
                    }, trouble: record.trouble ?? Self.trouble(record, names, places)))
        }
        self.rows = rows
    }

    private static func names(_ header: Record) -> [String] {
        header.fields.map { $0.lowercased() }
    }

    /// A record that has too many or too few fields has perhaps not the one that is meant below a column's name.
    private static func trouble(_ record: Record, _ names: [String], _ places: [Int]) -> String? {
        let count = record.fields.count
        // Separators at the end of a line are no fields.
        guard record.fields.dropFirst(names.count).allSatisfy(\.isEmpty),
            places.allSatisfy({ $0 < count })
        else {
            return
                "there are \(count) fields, and \(names.count) columns; a field with the separator in it needs quotation marks"
        }
        return nil
    }

    private static func reader(_ text: String, _ columns: [String]) -> FieldReader {
        let whole = FieldReader.start(of: text)
        // Excel's own hint.
        if whole.hasPrefix("sep="), let mark = whole.dropFirst(4).unicodeScalars.first {
            return FieldReader(
                whole.drop { !$0.isNewline }, separator: mark, line: 1)
        }
        var best = (reader: FieldReader(whole, separator: ",", line: 1), found: 0)
        for separator in [",", ";", "\t", "|"] as [Unicode.Scalar] {
            let start = FieldReader(whole, separator: separator, line: 1)
            var reader = start
            let names = (try? reader.next()).map(Self.names) ?? []
            let found = columns.count(where: names.contains)
            if found > best.found { best = (start, found) }
        }
        return best.reader
    }
}

/// The fields of one line, or of several if a quoted field has line breaks.
private struct Record {
    let line: Int
    var fields: [String] = []
    var trouble: String?
}

/// Reads records one after the other.
private struct FieldReader {
    private var rest: Substring.UnicodeScalarView
    private var line: Int
    private let separator: Unicode.Scalar

    init(_ text: Substring, separator: Unicode.Scalar, line: Int) {
        rest = text.unicodeScalars
        self.separator = separator
        self.line = line
    }

    /// The text without the mark by which some programs say that it is UTF-8.
    static func start(of text: String) -> Substring {
        text.unicodeScalars.first == "\u{FEFF}"
            ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    }

    /// The next record of which a field has a text; nil after the last one.
    mutating func next() throws(OrderTable.Wrong) -> Record? {
        while !rest.isEmpty {
            let record = try record()
            if record.trouble != nil || !record.fields.allSatisfy(\.isEmpty) { return record }
        }
        return nil
    }

    private mutating func record() throws(OrderTable.Wrong) -> Record {
        var record = Record(line: line)
        while true {
            guard let field = try field() else {
                record.trouble = "there is text after a quoted field"
                rest = rest.drop { !Self.endsLine($0) }
                endLine()
                return record
            }
            record.fields.append(field)
            guard let end = rest.first else { return record }
            if end == separator {
                rest = rest.dropFirst()
            } else {
                endLine()
                return record
            }
        }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r"
    }

    /// Takes the end of a line: LF, CR LF or CR.
    private mutating func endLine() {
        if rest.popFirst() == "\r", rest.first == "\n" { rest = rest.dropFirst() }
        line += 1
    }

    /// A field up to the separator, the end of the line or of the text; nil if there is text after a quoted one.
    private mutating func field() throws(OrderTable.Wrong) -> String? {
        dropBlanks()
        guard rest.first == "\"" else {
            let text = rest.prefix { $0 != separator && !Self.endsLine($0) }
            rest = rest[text.endIndex...]
            return Self.clean(text)
        }
        let begun = line
        rest = rest.dropFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\n" { line += 1 }
            guard scalar == "\"" else {
                text.append(scalar)
                continue
            }
            // Two quotation marks in a quoted field are one.
            if rest.first == "\"" {
                rest = rest.dropFirst()
                text.append(scalar)
                continue
            }
            dropBlanks()
            let isEnd = rest.first.map { $0 == separator || Self.endsLine($0) } ?? true
            return isEnd ? Self.clean(text) : nil
        }
        throw OrderTable.Wrong(line: begun, "a quotation mark is not closed")
    }

    private mutating func dropBlanks() {
        rest = rest.drop { $0 != separator && !Self.endsLine($0) && $0.properties.isWhitespace }
    }

    /// The text with plain blanks, none of them at its ends, and without characters that are not seen.
    private static func clean(_ text: some Sequence<Unicode.Scalar>) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text {
            if scalar.properties.isWhitespace {
                clean.append(" ")
            } else if ![.control, .format].contains(scalar.properties.generalCategory) {
                clean.append(scalar)
            }
        }
        return String(clean).trimmed
    }
}
