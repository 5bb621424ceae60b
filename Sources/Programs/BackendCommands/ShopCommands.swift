import CommandSyntax
import BackendService
import Cryptography
import ReservationStore
import Reservations

/// A shop as the commands print it.
private struct ShopLine: Encodable {
    let shop: ShopID
    let tag: String
    let name: String
    let timeZone: String
    let hours: String
    /// The exceptions by day; an empty text is a closed day.
    let exceptions: [String: String]
    let languages: [String]
    let capacity: Int
    let stayMinutes: Int
    let holdSeconds: Int
    let visitSharePercent: Int
    let leaveDelaySeconds: Int
    let doorSeconds: Int
    let earlyCallGrace: Bool

    init(_ shop: Shop) {
        self.shop = shop.id
        tag = shop.tag.rawValue
        name = shop.name
        timeZone = shop.timeZone
        hours = shop.hours.week
        exceptions = Dictionary(
            shop.hours.exceptions.map { day, periods in
                (day.description, periods.map(\.description).joined(separator: " "))
            }
        ) { first, _ in first }
        languages = shop.languages
        capacity = shop.policy.capacity
        stayMinutes = shop.policy.usualStayMinutes
        holdSeconds = shop.policy.holdSeconds
        visitSharePercent = shop.policy.visitSharePercent
        leaveDelaySeconds = shop.policy.leaveDelaySeconds
        doorSeconds = shop.policy.doorSeconds
        earlyCallGrace = shop.policy.hasEarlyCallGrace
    }
}

extension Command {
    /// The options for a shop's properties; a new shop needs all of them, apart from those with a default.
    private static func properties(ofNewShop isNew: Bool) -> [Option] {
        func needed(_ name: String, _ value: String, _ meaning: String) -> Option {
            isNew ? .required(name, value, meaning) : .optional(name, value, meaning)
        }
        return [
            needed("name", "NAME", "as people call the shop, 1 to 80 characters"),
            needed("time-zone", "ZONE", "as Europe/Rome"),
            needed("hours", "HOURS", "as \"Mon-Sat 08:00-13:00 15:00-20:00; Sun 09:00-13:00\""),
            needed("capacity", "N", "people who may be inside at once"),
            needed("stay", "MINUTES", "how long a customer usually stays"),
            .optional("languages", "LIST", "the shop's own language first; en unless given"),
            .optional(
                "hold-seconds", "N",
                "how long a place is held for a customer who decides; 210 unless given"),
            .optional(
                "visit-share", "N",
                "percent of the capacity that booked visits may take at once, at least one place; "
                    + "50 unless given"),
            .optional(
                "door-seconds", "N",
                "seconds that a door stays open for one who may pass, 1 to 120; 5 unless given"),
            .optional(
                "leave-delay", "N",
                "seconds from the check-out until a place is free; 120 unless given"),
            .optional(
                "early-call-grace", "yes|no",
                "whether customers who are called earlier than their paper says have ten minutes "
                    + "from the time on it; no unless given"),
        ]
    }

    static let shopAdd = Command(
        words: ["shop", "add"], summary: "add a shop, and make the database where there is none",
        options: [
            .required("database", "FILE", "the SQLite file; it is made where it is missing"),
            .required(
                "tag", "TAG", "four characters 0-9 A-Z that stand in every code of the shop"),
            .flag(
                "demo",
                "mark the database as a demonstration's, for good: its clock may be moved "
                    + "(`serve --clock`)"),
        ] + properties(ofNewShop: true)
    ) { arguments throws(CommandError) in
        let tagText = try arguments.required("tag")
        guard let tag = ShopTag(rawValue: tagText) else {
            throw .usage("--tag is \"\(tagText)\"; it must be four characters 0-9 A-Z, as ROM1")
        }
        // 80 random bits: no two shops have the same, and the administrator need not choose one.
        let id = ShopID(Crockford.encode(RandomBytes.make(10)).lowercased())
        var shop = Shop(
            id: id, tag: tag, name: "", timeZone: "", hours: OpeningHours(weekly: [:]),
            policy: ShopPolicy(capacity: 1, usualStayMinutes: 1), languages: ["en"])
        try change(&shop, arguments)
        let added = shop
        let isDemonstration = arguments.has("demo")
        try AdminStore(arguments, mayCreate: true).perform { store throws(StoreError) in
            if isDemonstration { try store.markDemonstration() }
            try store.addShop(added)
        }
        printJSON(ShopLine(added))
    }

    static let shopChange = Command(
        words: ["shop", "change"],
        summary: "change what is known of a shop; what is not named stays",
        options: [.database, .shop] + properties(ofNewShop: false) + [
            .flag(
                "cancel-visits",
                "delete booked visits that the new hours leave no place for; without it such a "
                    + "change is refused, and names them")
        ],
        notes: """
            A running server takes the change over within a second. Nobody is sent out of a shop
            whose capacity is lowered: nobody is called until it is kept.
            """
    ) { arguments throws(CommandError) in
        let store = try AdminStore(arguments)
        var shop = try store.shop(arguments)
        try change(&shop, arguments)
        try update(shop, in: store, arguments)
    }

    /// Applies every option that is given.
    private static func change(_ shop: inout Shop, _ arguments: Arguments) throws(CommandError) {
        if let name = arguments.optional("name") { shop.name = try Arguments.givenName(name) }
        if let zone = arguments.optional("time-zone") {
            guard ShopCalendar.knows(timeZone: zone) else {
                throw .usage("--time-zone is \"\(zone)\", which is unknown; give it as Europe/Rome")
            }
            shop.timeZone = zone
        }
        if let hours = arguments.optional("hours") {
            do throws(OpeningHoursError) {
                shop.hours.weekly = try OpeningHours(week: hours).weekly
            } catch {
                throw .usage(
                    "--hours: \(error); give them as \"Mon-Sat 08:00-20:00; Sun 09:00-13:00\"")
            }
        }
        if let languages = arguments.optional("languages") {
            shop.languages = languages.split(separator: ",").map { String($0) }
        }
        func number(
            _ name: String, _ bounds: ClosedRange<Int>, _ value: inout Int
        ) throws(CommandError) {
            value = try arguments.number(name, bounds, standard: value)
        }
        try number("capacity", 1...1_000_000, &shop.policy.capacity)
        try number("stay", 1...1_440, &shop.policy.usualStayMinutes)
        try number("hold-seconds", 180...3_600, &shop.policy.holdSeconds)
        try number("visit-share", 1...100, &shop.policy.visitSharePercent)
        try number("door-seconds", 1...120, &shop.policy.doorSeconds)
        try number("leave-delay", 0...3_600, &shop.policy.leaveDelaySeconds)
        switch arguments.optional("early-call-grace") {
        case nil: break
        case "yes": shop.policy.hasEarlyCallGrace = true
        case "no": shop.policy.hasEarlyCallGrace = false
        default: throw .usage("--early-call-grace is yes or no")
        }
    }

    /// Stores a changed shop. Visits that have no place in its new hours are printed, or deleted if an option says
    /// so.
    private static func update(
        _ shop: Shop, in store: AdminStore, _ arguments: Arguments
    ) throws(CommandError) {
        let openings = ShopCalendar().openings(of: shop, from: systemNow())
        try store.perform { store throws(StoreError) in
            try store.updateShop(
                shop, openings: openings, cancelVisits: arguments.has("cancel-visits"))
        }
        printJSON(ShopLine(shop))
    }

    static let shopList = Command(
        words: ["shop", "list"], summary: "print every shop, a line of JSON each",
        options: [.database]
    ) { arguments throws(CommandError) in
        for shop in try AdminStore(arguments).shops() { printJSON(ShopLine(shop)) }
    }

    static let shopExceptionAdd = Command(
        words: ["shop", "hours-exception", "add"],
        summary: "give one day other opening hours, or close it",
        options: [
            .database,
            .shop,
            .required("day", "YYYY-MM-DD"),
            .optional("hours", "HOURS", "as \"09:00-13:00 15:00-18:00\"; this or --closed"),
            .flag("closed", "the shop is closed on that day"),
            .flag(
                "cancel-visits",
                "delete booked visits that the day leaves no place for; without it such a "
                    + "change is refused, and names them"),
        ]
    ) { arguments throws(CommandError) in
        let day = try day(arguments)
        guard arguments.has("closed") != (arguments.optional("hours") != nil) else {
            throw .usage("say either --hours \"09:00-13:00\" or --closed")
        }
        let periods: [OpenPeriod]
        do throws(OpeningHoursError) {
            periods = try OpeningHours.periods(
                (arguments.optional("hours") ?? "").split(separator: " "))
        } catch {
            throw .usage("--hours: \(error)")
        }
        guard arguments.has("closed") != !periods.isEmpty else {
            throw .usage("--hours names no hours; say --closed for a closed day")
        }
        try changeExceptions(arguments) { $0[day] = periods }
    }

    static let shopExceptionRemove = Command(
        words: ["shop", "hours-exception", "remove"],
        summary: "let a day follow the week again",
        options: [
            .database,
            .shop,
            .required("day", "YYYY-MM-DD"),
            .flag("cancel-visits"),
        ]
    ) { arguments throws(CommandError) in
        let day = try day(arguments)
        try changeExceptions(arguments) { $0[day] = nil }
    }

    private static func day(_ arguments: Arguments) throws(CommandError) -> CalendarDay {
        let text = try arguments.required("day")
        guard let day = CalendarDay(text) else {
            throw .usage("--day is \"\(text)\"; give it as 2026-12-24")
        }
        return day
    }

    private static func changeExceptions(
        _ arguments: Arguments, _ change: (inout [CalendarDay: [OpenPeriod]]) -> Void
    ) throws(CommandError) {
        let store = try AdminStore(arguments)
        var shop = try store.shop(arguments)
        change(&shop.hours.exceptions)
        try update(shop, in: store, arguments)
    }
}
