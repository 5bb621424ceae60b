import BackendService
import CommandSyntax
import Cryptography
import FoundationEssentials
import Glibc
import QueueEngine
import ReservationStore
import Reservations

private let sources = KeyCommands(
    noun: "order-source", roles: [.orderSource], source: "the shop's own system uses")

extension Command {
    static let orderSourceAdd = Command(
        words: ["order-source", "add"],
        summary: "let a shop's own system announce the orders that customers collect",
        options: [
            .database, .shop, sources.name,
            .required("key", "KEY", "the public key of its Ed25519 key pair, 43 characters"),
        ],
        notes: """
            The system signs its calls with its private key (RFC 9421), as Kiosk/announce-order does, which is an
            example. It may announce, change and call off orders of this shop, and nothing else.
            """
    ) { arguments in try sources.add(arguments, role: .orderSource) }

    static let orderSourceList = Command(
        words: ["order-source", "list"],
        summary: "print every system that may announce orders, a line of JSON each",
        options: [.database]
    ) { arguments in try sources.list(arguments) }

    static let orderSourceRevoke = Command(
        words: ["order-source", "revoke"],
        summary: "take the key of a shop's own system away, for good",
        options: [
            .database,
            .required("order-source", "NAME", "the system's name, or the identifier of its key"),
        ]
    ) { arguments in try sources.revoke(arguments) }

    private static let reference = Option.required(
        "reference", "REFERENCE",
        "the name that the shop's own system gave the order, which its customer knows: 1 to "
            + "\(OrderReference.maxCharacters) characters a-z, A-Z, 0-9, -, _ and .; never the customer's name"
    )
    private static let codesNote = """
        The code is printed for the shop's mail or slip: its text is what a QR code for readers contains, and its ten digits
        are for typing. No customer's name, address or item belongs into the database.
        """

    static let orderAdd = Command(
        words: ["order", "add"],
        summary: "announce an order that a customer collects, or change it until they are here",
        options: [
            .database, .shop, reference,
            .required("promised", "TIME", OrderTime.rule),
            .required("parcels", "PARCELS", OrderFile.parcelsRule),
        ],
        notes: codesNote
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let calendar = ShopCalendar()
        let promised = try arguments.required("promised", or: OrderTime.rule) {
            OrderFile.moment($0, of: shop, calendar)
        }
        let parcels = try arguments.required("parcels", or: OrderFile.parcelsRule) {
            OrderFile.parcels($0)
        }
        let reference = OrderReference.withoutNumberSign(try arguments.required("reference"))
        guard
            let order = AnnouncedOrder(
                reference: reference, promised: promised, parcels: parcels)
        else {
            throw CommandError.usage(
                "--reference is \"\(reference)\"; \(OrderReference.rule)")
        }
        try announce([order], in: shop, store, calendar)
    }

    static let orderImport = Command(
        words: ["order", "import"],
        summary: "announce the orders of a file, a line of JSON each",
        operands: [.required("FILE.csv")],
        options: [
            .database, .shop,
            .flag("dry-run", "print what would be announced, and announce nothing"),
        ],
        notes: """
            The first line names the columns reference, promised and parcels, in any order; other columns are
            not read. A line that is wrong is refused by itself, with its number and what is wanted; the others
            are announced. The same file may be imported again: an order that has not changed stays, and one
            whose customer is here already, too.
            """ + "\n" + codesNote
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let calendar = ShopCalendar()
        let path = arguments.operands[0]
        let file: OrderFile
        do {
            file = try OrderFile(
                contents(of: path), of: shop, at: store.now(), calendar: calendar)
        } catch let wrong as OrderTable.Wrong {
            throw CommandError.configuration("\(path), \(wrong); nothing was announced")
        }
        if arguments.has("dry-run") {
            for (line, order) in file.orders {
                printJSON([
                    "line": line, "reference": order.reference,
                    "promised": calendar.local(order.promised, in: shop),
                    "parcels": order.parcels.map(\.text),
                ])
            }
        } else {
            try announce(file.orders.map(\.order), in: shop, store, calendar)
        }
        guard file.refused.isEmpty else {
            throw CommandError.configuration(
                refusal(of: file, at: path, isDryRun: arguments.has("dry-run")))
        }
    }

    /// What is said of the lines that are not taken.
    private static func refusal(of file: OrderFile, at path: String, isDryRun: Bool) -> String {
        let shown = 20
        let lines = file.refused.prefix(shown).map { "\(path), \($0)" }
        let rest = file.refused.count - lines.count
        let announced = isDryRun ? "would be announced" : "were announced"
        let end =
            "\(rest > 0 ? "\(rest) more lines were refused; " : "")\(file.orders.count) orders \(announced)"
        return (lines + [end]).joined(separator: "\n")
    }

    static let orderList = Command(
        words: ["order", "list"],
        summary: "print the orders that customers collect, a line of JSON each",
        options: [
            .database, .shop,
            .optional(
                "state", "STATE",
                "only those in this state: "
                    + OrderState.allCases.map(\.rawValue).joined(separator: ", ")),
            .flag("codes", "print their codes, too, with which they can be collected"),
        ]
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let calendar = ShopCalendar()
        let state = try arguments.optional(
            "state",
            or: "give one of " + OrderState.allCases.map(\.rawValue).joined(separator: ", ")
        ) { OrderState(rawValue: $0) }
        try store.eachOrder(of: shop.id) { order in
            guard state == nil || order.state == state else { return }
            printJSON(line(order, of: shop, calendar, hasCodes: arguments.has("codes")))
        }
    }

    static let orderCancel = Command(
        words: ["order", "cancel"],
        summary: "call an order off, also one whose customer is here",
        options: [.database, .shop, .required("reference", "REFERENCE", "as of `order add`")]
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let reference = OrderReference.withoutNumberSign(try arguments.required("reference"))
        let order = try store.cancelOrder(reference, in: shop)
        printJSON(line(order, of: shop, ShopCalendar(), hasCodes: false))
    }

    private static func announce(
        _ orders: [AnnouncedOrder], in shop: Shop, _ store: Administration, _ calendar: ShopCalendar
    ) throws {
        try store.announce(orders, in: shop, randomBytes: { RandomBytes.make($0) }) {
            order, result in
            printJSON(
                line(order, of: shop, calendar, hasCodes: true) + ["result": result.rawValue])
        }
    }

    private static func line(
        _ order: PickupOrderRecord, of shop: Shop, _ calendar: ShopCalendar, hasCodes: Bool
    ) -> JSONLine {
        let line: JSONLine = [
            "order": order.id, "reference": order.reference, "state": order.state.rawValue,
            "since": calendar.local(order.since, in: shop),
            "promised": calendar.local(order.promised, in: shop),
            "parcels": order.parcels.map(\.text), "number": order.turn?.number.text,
            "desk": order.desk,
        ]
        return hasCodes
            ? line + ["code": order.code.rawValue, "typedCode": order.typedCode.grouped] : line
    }

    private static func contents(of path: String) throws -> String {
        errno = 0
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError.system(errno == 0 ? EISDIR : errno) {
                "\(path) cannot be read: \($0)"
            }
        }
        guard let text = text(Array(data)) else {
            throw CommandError.configuration(
                "\(path) is not text; save a table as comma-separated values (CSV)")
        }
        return text
    }

    /// The text of bytes in UTF-8, in UTF-16 with its mark (Unicode Standard 23.8), or else in Windows-1252, of which the
    /// letters that columns can have are those of Latin-1; nil if they are none.
    private static func text(_ bytes: [UInt8]) -> String? {
        let units = stride(from: 2, to: bytes.count - 1, by: 2)
        let text =
            switch bytes.prefix(2) {
            case [0xFF, 0xFE]:
                String(
                    decoding: units.map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 },
                    as: UTF16.self)
            case [0xFE, 0xFF]:
                String(
                    decoding: units.map { UInt16(bytes[$0 + 1]) | UInt16(bytes[$0]) << 8 },
                    as: UTF16.self)
            default:
                String(validating: bytes, as: UTF8.self)
                    ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            }
        return text.unicodeScalars.contains("\0") ? nil : text
    }
}
