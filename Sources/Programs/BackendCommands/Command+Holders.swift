import CommandSyntax
import ReservationStore
import Reservations

extension Command {
    private static let holder = Option.required("holder", "HOLDER", "as `holder list` prints it")

    static let holderList = Command(
        words: ["holder", "list"],
        summary: "print the phones whose customers missed calls, a line of JSON each",
        options: [.database, .shop],
        notes: """
            Three missed calls within the shop's no-show days block a phone for its block days. A
            holder is a random name of one phone; nobody knows whose it is.
            """
    ) { arguments in
        let store = try Administration(arguments)
        for record in try store.holders(of: store.shop(arguments)) {
            let line: JSONLine = [
                "holder": record.holder, "missed": record.noShows.map(\.utcText),
                "blockedUntil": record.blockedUntil?.utcText,
            ]
            printJSON(line)
        }
    }

    static let holderUnblock = Command(
        words: ["holder", "unblock"],
        summary: "forget the calls that a phone's customer missed, so that it gets places again",
        options: [.database, .shop, holder]
    ) { arguments in
        let store = try Administration(arguments)
        try store.unblock(HolderID(arguments.required("holder")), in: store.shop(arguments))
    }

    static let shopStaffPIN = Command(
        words: ["shop", "staff-pin"],
        summary: "give the pages of a shop's staff a new PIN, and print it once",
        options: [.database, .shop, .flag("remove", "they get none and lift no blocks")],
        notes: """
            With it a page of the staff lifts the block of a customer who missed three calls. It is
            drawn by chance, and stored as a hash only. Machines ask each person for an own PIN.
            """
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        guard !arguments.has("remove") else { return try store.setStaffPIN(nil, of: shop.id) }
        let (pin, stored) = try StaffPIN.make()
        try store.setStaffPIN(stored, of: shop.id)
        printJSON(["shop": shop.id, "pin": pin])
    }

    static let holderForget = Command(
        words: ["holder", "forget"],
        summary: "delete all that is known of a phone, in every shop",
        options: [.database, holder],
        notes: """
            It is refused while the phone has a place. The reservations stay, without a name. Answers
            to the phone's requests are kept for two days in any case.
            """
    ) { arguments in
        try Administration(arguments).forget(HolderID(arguments.required("holder")))
    }
}
