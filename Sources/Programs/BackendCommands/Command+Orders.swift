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
            .required("promised", "TIME", OrderFile.promisedRule),
            .required("parcels", "PARCELS", OrderFile.parcelsRule),
        ],
        notes: codesNote
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let calendar = ShopCalendar()
        let promised = try arguments.required("promised", or: OrderFile.promisedRule) {
            OrderFile.moment($0, of: shop, calendar)
        }
        let parcels = try arguments.required("parcels", or: OrderFile.parcelsRule) {
            OrderFile.parcels($0)
        }
        let reference = try arguments.required("reference")
        guard
            let order = AnnouncedOrder(
                reference: reference, promised: promised, parcels: parcels)
        else {
            throw CommandError.usage(
                "--reference is \"\(reference)\"; it must be 1 to \(OrderReference.maxCharacters) "
                    + "characters a-z, A-Z, 0-9, -, _ and .")
        }
        try announce([order], in: shop, store, calendar)
    }

    static let orderImport = Command(
        words: ["order", "import"],
        summary: "announce the orders of a file, a line of JSON each",
        operands: [.required("FILE.csv")],
        options: [.database, .shop],
        notes: """
            The first line names the columns reference, promised and parcels, in any order; other columns are
            not read. Nothing is announced if a line is wrong. The same file may be imported again: an
            order that has not changed stays, and one whose customer is here already, too.
            """ + "\n" + codesNote
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let calendar = ShopCalendar()
        let file = arguments.operands[0]
        let orders: [AnnouncedOrder]
        do {
            orders = try OrderFile(contents(of: file), of: shop, calendar: calendar).orders
        } catch let wrong as OrderFile.Wrong {
            throw CommandError.configuration("\(file), \(wrong); nothing was announced")
        }
        try announce(orders, in: shop, store, calendar)
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
        let order = try store.cancelOrder(try arguments.required("reference"), in: shop)
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
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandError.configuration("\(path) is not text in UTF-8")
        }
        return text
    }
}
