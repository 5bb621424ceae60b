import BackendService
import QueueEngine
import Reservations
import TextForms

/// A file of orders that customers collect, as shops' own systems and tables export them: comma-separated values (RFC 4180),
/// also with semicolons, as tables write them where the comma is a decimal point.
///
/// The first line names the columns: `reference`, `promised` and `parcels`, in any order. Other columns are not read, so that
/// no name, address or item gets into the database.
struct OrderFile {
    static let maxLines = PickupOrder.maxOpen + 1
    private static let columns = ["reference", "promised", "parcels"]
    static let parcelsRule =
        "parcels are 1 to \(Parcel.counts.upperBound) words with blanks between, each a size "
        + Parcel.Size.allCases.map(\.rawValue).joined(separator: ", ")
        + " and, where it is on the shelf, @ and the shelf, as \"medium@A3 small@B-12\""
    static let promisedRule =
        "the promised time is the shop's, as 2026-11-27 17:00, or has an offset, as 2026-11-27T17:00:00+01:00"

    /// A file that cannot be read, with the line that is wrong.
    struct Wrong: Error, CustomStringConvertible {
        let description: String

        init(line: Int, _ sentence: String) { description = "line \(line): \(sentence)" }
    }

    let orders: [AnnouncedOrder]

    /// Reads all lines, or nothing if one is wrong.
    init(_ text: String, of shop: Shop, calendar: ShopCalendar) throws(Wrong) {
        let rows = try Self.rows(text)
        guard let header = rows.first else {
            throw Wrong(line: 1, "the first line must name the columns reference,promised,parcels")
        }
        let names = header.fields.map { $0.lowercased() }
        var places: [Int] = []
        for column in Self.columns {
            guard let place = names.firstIndex(of: column) else {
                throw Wrong(line: 1, "there is no column \"\(column)\"")
            }
            places.append(place)
        }
        var orders: [AnnouncedOrder] = []
        var lines: [String: Int] = [:]
        for row in rows.dropFirst() {
            guard row.fields.count == names.count else {
                throw Wrong(
                    line: row.line,
                    "there are \(row.fields.count) fields, and \(names.count) columns")
            }
            let (order, reference) = try Self.order(
                places.map { row.fields[$0] }, line: row.line, of: shop, calendar)
            if let first = lines.updateValue(row.line, forKey: reference) {
                throw Wrong(line: row.line, "order \(reference) is in line \(first) already")
            }
            orders.append(order)
        }
        self.orders = orders
    }

    private static func order(
        _ fields: [String], line: Int, of shop: Shop, _ calendar: ShopCalendar
    ) throws(Wrong) -> (AnnouncedOrder, reference: String) {
        let reference = fields[0]
        guard OrderReference.isValid(reference) else {
            throw Wrong(
                line: line,
                "a reference is 1 to \(OrderReference.maxCharacters) characters a-z, A-Z, 0-9, -, _ and ."
            )
        }
        guard let promised = moment(fields[1], of: shop, calendar) else {
            throw Wrong(line: line, promisedRule)
        }
        guard let parcels = parcels(fields[2]),
            let order = AnnouncedOrder(reference: reference, promised: promised, parcels: parcels)
        else { throw Wrong(line: line, parcelsRule) }
        return (order, reference)
    }

    /// The parcels of a text as `parcelsRule` describes it; nil if it is another one.
    static func parcels(_ text: String) -> [Parcel]? {
        let words = text.split(separator: " ")
        let parcels = words.compactMap { Parcel(text: String($0)) }
        return parcels.count == words.count && Parcel.counts.contains(parcels.count)
            ? parcels : nil
    }

    /// The moment of a text as `promisedRule` describes it; nil if it is another one.
    static func moment(_ text: String, of shop: Shop, _ calendar: ShopCalendar) -> Moment? {
        if let moment = LocalMoment(text) { return moment.moment }
        let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
        guard parts.count == 2, let day = CalendarDay(parts[0]), let time = TimeOfDay(parts[1])
        else { return nil }
        return calendar.moment(day, time, in: shop)
    }

    /// The fields of each line that is not empty, without blanks around them.
    private static func rows(_ text: String) throws(Wrong) -> [(line: Int, fields: [String])] {
        var rows: [(line: Int, fields: [String])] = []
        var reader = FieldReader(text)
        while let row = try reader.next() {
            guard rows.count < maxLines else {
                throw Wrong(line: row.line, "a file has at most \(maxLines - 1) orders")
            }
            rows.append(row)
        }
        return rows
    }
}

/// Reads the fields of comma-separated values, line by line (RFC 4180).
private struct FieldReader {
    private var rest: Substring.UnicodeScalarView
    private var line = 1
    /// The character between two fields: that of the first line.
    private let separator: Unicode.Scalar

    init(_ text: String) {
        // Some programs write a mark at the beginning that says that the text is UTF-8.
        rest = (text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).unicodeScalars
        let header = rest.prefix { $0 != "\n" }
        separator = header.contains(";") && !header.contains(",") ? ";" : ","
    }

    /// The next line that is not empty; nil after the last one.
    mutating func next() throws(OrderFile.Wrong) -> (line: Int, fields: [String])? {
        while !rest.isEmpty {
            let begun = line
            let fields = try fields()
            if fields != [""] { return (begun, fields) }
        }
        return nil
    }

    private mutating func fields() throws(OrderFile.Wrong) -> [String] {
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard let end = rest.popFirst() else { return fields }
            if end == "\n" {
                line += 1
                return fields
            }
        }
    }

    /// A field up to the separator, the end of the line or of the text, without blanks around it.
    private mutating func field() throws(OrderFile.Wrong) -> String {
        dropBlanks()
        guard rest.first == "\"" else {
            let text = rest.prefix { $0 != separator && $0 != "\n" }
            rest = rest.dropFirst(text.count)
            return String(text).trimmed
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
            guard rest.first.map({ $0 == separator || $0 == "\n" }) ?? true else {
                throw OrderFile.Wrong(line: line, "there is text after a quoted field")
            }
            return String(text).trimmed
        }
        throw OrderFile.Wrong(line: begun, "a quotation mark is not closed")
    }

    private mutating func dropBlanks() {
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    }
}
