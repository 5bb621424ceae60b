import CommandSyntax
import BackendService
import Cryptography
import HTTPServer
import ReservationStore
import Reservations

extension Shop {
    fileprivate var line: JSONLine {
        let own: JSONLine = [
            "shop": id, "tag": tag.rawValue, "name": name, "timeZone": timeZone,
            "hours": hours.week,
            // By day; an empty text is a closed day.
            "exceptions": Dictionary(
                uniqueKeysWithValues: hours.exceptions.map { day, periods in
                    (day.description, periods.map(\.description).joined(separator: " "))
                }), "languages": languages, "position": address.position?.description,
            "departments": Department.text(policy.departments),
        ]
        return ShopSetting.all.reduce(own) { line, setting in
            switch setting.value {
            case .number(_, let path): line + [setting.key: self[keyPath: path]]
            case .choice(let path): line + [setting.key: self[keyPath: path]]
            case .text(let path): line + [setting.key: self[keyPath: path]]
            }
        }
    }

    /// A shop that has decided nothing yet.
    fileprivate static func undecided(id: ShopID, tag: ShopTag) -> Shop {
        Shop(
            id: id, tag: tag, name: "", timeZone: "", hours: OpeningHours(weekly: [:]),
            policy: ShopPolicy(capacity: 1, usualStayMinutes: 1), languages: ["en"])
    }
}

extension ShopSetting {
    /// Its option; the help says what holds in a shop that has decided nothing.
    fileprivate func option(ofNewShop isNew: Bool) -> Option {
        if isRequired, isNew { return .required(option, placeholder, meaning) }
        var words = meaning
        if !isRequired, let tag = ShopTag(rawValue: "0000") {
            let unset = text(of: .undecided(id: ShopID(""), tag: tag))
            words += unset.isEmpty ? "; empty for none" : "; \(unset) unless given"
        }
        return .optional(option, placeholder, words)
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
            .optional("languages", "LIST", "the shop's own language first; en unless given"),
        ] + ShopSetting.all.map { $0.option(ofNewShop: isNew) } + [
            .optional(
                "position", "LAT,LON",
                "where the shop is, in degrees, as 45.4642,9.19; none unless given, and an empty text "
                    + "removes it"),
            .optional(
                "departments", "LIST",
                "departments that customers who book visits may name, with the most of these visitors who may "
                    + "be in one at once, as \"Fish=4, Bakery=6, Wine\"; none unless given, and an empty text "
                    + "removes them"),
        ]
    }

    static let shopAdd = Command(
        words: ["shop", "add"], summary: "add a shop, and make the database where there is none",
        options: [
            .required("database", "FILE", "the SQLite file; it is made where it is missing"),
            .required("tag", "TAG", "four characters 0-9 A-Z that stand in every code of the shop"),
            .flag(
                "demo",
                "mark the database as a demonstration's, for good: its clock may be moved "
                    + "(`serve --clock`)"),
        ] + properties(ofNewShop: true)
    ) { arguments in
        let tag = try arguments.required(
            "tag", or: "it must be four characters 0-9 A-Z, as ROM1"
        ) { ShopTag(rawValue: $0) }
        // 80 random bits: no two shops have the same, and the administrator need not choose one.
        let id = ShopID(Crockford.encode(RandomBytes.make(10)).lowercased())
        var shop = Shop.undecided(id: id, tag: tag)
        try change(&shop, arguments)
        let store = try Administration(arguments, mayCreate: true)
        if arguments.has("demo") { try store.markDemonstration() }
        try store.addShop(shop)
        printJSON(shop.line)
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
    ) { arguments in
        let store = try Administration(arguments)
        var shop = try store.shop(arguments)
        try change(&shop, arguments)
        try update(shop, in: store, arguments)
    }

    /// Applies every option that is given.
    private static func change(_ shop: inout Shop, _ arguments: Arguments) throws {
        if let name = arguments.optional("name") { shop.name = try Arguments.givenName(name) }
        if let zone = arguments.optional("time-zone") {
            guard ShopCalendar.knows(timeZone: zone) else {
                throw CommandError.usage(
                    "--time-zone is \"\(zone)\", which is unknown; give it as Europe/Rome")
            }
            shop.timeZone = zone
        }
        if let hours = arguments.optional("hours") {
            do throws(OpeningHoursError) {
                shop.hours.weekly = try OpeningHours(week: hours).weekly
            } catch {
                throw CommandError.usage(
                    "--hours: \(error); give them as \"Mon-Sat 08:00-20:00; Sun 09:00-13:00\"")
            }
        }
        if let languages = arguments.optional("languages") {
            shop.languages = languages.split(separator: ",").map { String($0) }
        }
        for setting in ShopSetting.all {
            switch setting.value {
            case .number(let bounds, let path):
                shop[keyPath: path] = try arguments.number(
                    setting.option, bounds, standard: shop[keyPath: path])
            case .choice(let path):
                try decide(setting.option, arguments, &shop[keyPath: path])
            case .text(let path):
                guard let text = arguments.optional(setting.option) else { continue }
                shop[keyPath: path] = text.isEmpty ? nil : text
            }
        }
        if let position = arguments.optional("position") {
            shop.address.position = ShopAddress.Position(position)
            guard position.isEmpty == (shop.address.position == nil) else {
                throw CommandError.usage(
                    "--position is latitude and longitude in degrees, as 45.4642,9.19")
            }
        }
        if let departments = arguments.optional("departments") {
            guard let list = Department.list(departments) else {
                throw CommandError.usage("--departments: \(Department.rule)")
            }
            shop.policy.departments = list
        }
    }

    /// Sets a value to what an option with yes or no says, if it is given.
    private static func decide(_ name: String, _ arguments: Arguments, _ value: inout Bool) throws {
        switch arguments.optional(name) {
        case nil: break
        case "yes": value = true
        case "no": value = false
        default: throw CommandError.usage("--\(name) is yes or no")
        }
    }

    /// Stores a changed shop. Visits that have no place in its new hours are printed, or deleted if an option says
    /// so.
    private static func update(
        _ shop: Shop, in store: Administration, _ arguments: Arguments
    ) throws {
        try store.updateShop(
            shop, openings: ShopCalendar().openings(of: shop, from: systemNow()),
            cancelVisits: arguments.has("cancel-visits"))
        printJSON(shop.line)
    }

    static let shopPoster = Command(
        words: ["shop", "poster"],
        summary:
            "print a page for A4 with the symbol by which customers join the queue from elsewhere",
        options: [
            .database, .shop,
            .required("phones-url", "URL", "the address of `serve --phones-url`"),
        ],
        notes: "The page is HTML: open it in a browser and print it there."
    ) { arguments in
        let store = try Administration(arguments)
        let shop = try store.shop(arguments)
        let url = try arguments.required("phones-url", or: PhoneURL.rule) { PhoneURL($0) }
        guard shop.policy.phones.hasPlaces, shop.policy.phones.hasRemotePlaces else {
            throw CommandError.usage(
                "the shop gives no places from elsewhere: "
                    + "shop change --phone-places yes --remote-places yes switches them on")
        }
        let link = url.text + PhoneFiles.remotePage + shop.tag.rawValue
        print(try ShopPoster(shop: shop, link: link).html(), terminator: "")
    }

    static let shopList = Command(
        words: ["shop", "list"], summary: "print every shop, a line of JSON each",
        options: [.database]
    ) { arguments in for shop in try Administration(arguments).shops() { printJSON(shop.line) } }

    static let shopExceptionAdd = Command(
        words: ["shop", "hours-exception", "add"],
        summary: "give one day other opening hours, or close it",
        options: [
            .database, .shop, .required("day", "YYYY-MM-DD"),
            .optional("hours", "HOURS", "as \"09:00-13:00 15:00-18:00\"; this or --closed"),
            .flag("closed", "the shop is closed on that day"),
            .flag(
                "cancel-visits",
                "delete booked visits that the day leaves no place for; without it such a "
                    + "change is refused, and names them"),
        ]
    ) { arguments in
        let day = try arguments.required("day", or: "give it as 2026-12-24") { CalendarDay($0) }
        guard arguments.has("closed") != (arguments.optional("hours") != nil) else {
            throw CommandError.usage("say either --hours \"09:00-13:00\" or --closed")
        }
        let periods: [OpenPeriod]
        do throws(OpeningHoursError) {
            periods = try OpeningHours.periods(
                (arguments.optional("hours") ?? "").split(separator: " "))
        } catch { throw CommandError.usage("--hours: \(error)") }
        guard arguments.has("closed") != !periods.isEmpty else {
            throw CommandError.usage("--hours names no hours; say --closed for a closed day")
        }
        try changeExceptions(arguments) { $0[day] = periods }
    }

    static let shopExceptionRemove = Command(
        words: ["shop", "hours-exception", "remove"], summary: "let a day follow the week again",
        options: [.database, .shop, .required("day", "YYYY-MM-DD"), .flag("cancel-visits")]
    ) { arguments in
        let day = try arguments.required("day", or: "give it as 2026-12-24") { CalendarDay($0) }
        try changeExceptions(arguments) { $0[day] = nil }
    }

    private static func changeExceptions(
        _ arguments: Arguments, _ change: (inout [CalendarDay: [OpenPeriod]]) -> Void
    ) throws {
        let store = try Administration(arguments)
        var shop = try store.shop(arguments)
        change(&shop.hours.exceptions)
        try update(shop, in: store, arguments)
    }
}
