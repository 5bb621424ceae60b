import BackendService
import QueueEngine
import Reservations

/// A file of orders that customers collect, as shops' own systems, tables and databases export them.
///
/// Its columns are `reference`, `promised` and `parcels`, in any order. Other columns are not read, so that no name, address or
/// item gets into the database. What has one meaning is taken; a line that has none is refused by itself.
struct OrderFile {
    private static let columns = ["reference", "promised", "parcels"]
    static let parcelsRule =
        "parcels are 1 to \(Parcel.counts.upperBound) words with blanks between, each a size "
        + Parcel.Size.allCases.map(\.rawValue).joined(separator: ", ")
        + " and, where it is on the shelf, @ and the shelf, as \"medium@A3 small@B-12\""

    /// A line that is not taken.
    struct Refused: CustomStringConvertible {
        let line: Int
        let sentence: String

        var description: String { "line \(line): \(sentence)" }
    }

    private(set) var orders: [(line: Int, order: AnnouncedOrder)] = []
    private(set) var refused: [Refused] = []

    /// Reads all lines.
    ///
    /// - Throws: `OrderTable.Wrong` if no line can be read.
    init(
        _ text: String, of shop: Shop, at now: Moment, calendar: ShopCalendar
    ) throws(OrderTable.Wrong) {
        let table = try OrderTable(text, columns: Self.columns, maxRows: PickupOrder.maxOpen)
        var known: [String: (line: Int, order: AnnouncedOrder?)] = [:]
        for row in table.rows {
            if let trouble = row.trouble {
                refused.append(Refused(line: row.line, sentence: trouble))
                continue
            }
            let reference = OrderReference.withoutNumberSign(row.fields[0])
            let saysNothing = row.fields.dropFirst().allSatisfy(\.isEmpty)
            // A row for each item of an order has the order itself in the first one only.
            if saysNothing, reference.isEmpty || known[reference] != nil { continue }
            switch Self.order(row.fields, of: shop, at: now, calendar) {
            case .failure(let wrong):
                known[reference] = known[reference] ?? (row.line, nil)
                refused.append(Refused(line: row.line, sentence: wrong.sentence))
            case .success(let order):
                if let first = known[reference], let before = first.order {
                    guard before != order else { continue }
                    refused.append(
                        Refused(
                            line: row.line,
                            sentence:
                                "order \(reference) is in line \(first.line) already, with another time or other parcels"
                        ))
                    continue
                }
                known[reference] = (row.line, order)
                orders.append((row.line, order))
            }
        }
    }

    private struct Wrong: Error {
        let sentence: String

        /// - Parameter value: what is there, of which the beginning is said.
        init(_ column: String, _ value: String, _ rule: String) {
            sentence = "\(column) is \"\(value.prefix(60))\"; \(rule)"
        }
    }

    private static func order(
        _ fields: [String], of shop: Shop, at now: Moment, _ calendar: ShopCalendar
    ) -> Result<AnnouncedOrder, Wrong> {
        let reference = OrderReference.withoutNumberSign(fields[0])
        guard OrderReference.isValid(reference) else {
            return .failure(Wrong("reference", fields[0], OrderReference.rule))
        }
        guard let promised = moment(fields[1], of: shop, calendar) else {
            return .failure(Wrong("promised", fields[1], OrderTime.rule))
        }
        guard let parcels = parcels(fields[2]),
            let order = AnnouncedOrder(reference: reference, promised: promised, parcels: parcels)
        else { return .failure(Wrong("parcels", fields[2], parcelsRule)) }
        let keptDays = shop.policy.orders.keptDays
        guard order.isPlausible(at: now, keeping: keptDays) else {
            return .failure(
                Wrong(
                    "promised", fields[1],
                    "that is \(AnnouncedOrder.implausiblePromise(keeping: keptDays))"))
        }
        return .success(order)
    }

    /// The parcels of a text as `parcelsRule` describes it, in small or capital letters; nil if it is another one.
    static func parcels(_ text: String) -> [Parcel]? {
        let words = text.split { $0 == " " || $0 == "," || $0 == ";" }
        let parcels = words.compactMap { word in
            let size = word.prefix { $0 != "@" }
            return Parcel(text: size.lowercased() + word[size.endIndex...])
        }
        return parcels.count == words.count && Parcel.counts.contains(parcels.count)
            ? parcels : nil
    }

    /// The moment of a text as `OrderTime.rule` describes it; nil if it is another one.
    static func moment(_ text: String, of shop: Shop, _ calendar: ShopCalendar) -> Moment? {
        OrderTime(text)?.moment(in: shop, calendar)
    }
}
