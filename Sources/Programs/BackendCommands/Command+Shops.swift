import CommandSyntax
import BackendService
import Cryptography
import HTTPServer
import ReservationStore
import Reservations

extension Shop {
    fileprivate var line: JSONLine {
        [
            "shop": id, "tag": tag.rawValue, "name": name, "timeZone": timeZone,
            "hours": hours.week,
            // By day; an empty text is a closed day.
            "exceptions": Dictionary(
                uniqueKeysWithValues: hours.exceptions.map { day, periods in
                    (day.description, periods.map(\.description).joined(separator: " "))
                }), "languages": languages, "capacity": policy.capacity,
            "stayMinutes": policy.usualStayMinutes, "holdSeconds": policy.holdSeconds,
            "visitSharePercent": policy.visitSharePercent,
            "leaveDelaySeconds": policy.leaveDelaySeconds, "doorSeconds": policy.doorSeconds,
            "earlyCallGrace": policy.hasEarlyCallGrace, "helpPhone": help.phone,
            "helpNames": help.showsNames, "phonePlaces": policy.phones.hasPlaces,
            "remotePlaces": policy.phones.hasRemotePlaces,
            "phoneVisits": policy.phones.hasVisits,
            "phoneVisitPercent": policy.phones.visitPercent,
            "phoneQuestion": policy.phones.asksWhoComes,
            "departments": Department.text(policy.departments),
            "remoteNumbers": policy.phones.needsNumber, "smsPerDay": policy.phones.smsPerDay,
            "phonePages": policy.phones.hasPages,
            "phoneSharePercent": policy.phones.sharePercent,
            "street": address.street, "town": address.town,
            "position": address.position?.description, "noShowDays": policy.phones.noShowDays,
            "blockDays": policy.phones.blockDays, "delays": policy.allowsDelays,
            "reclaims": policy.allowsReclaims, "nearbyWaitMinutes": policy.nearbyWaitMinutes,
            "desks": policy.orders.desks, "deskInside": policy.orders.isDeskInside,
            "fetchMinutes": policy.orders.fetchMinutes,
            "orderDays": policy.orders.keptDays,
            "orderMemoryDays": policy.orders.rememberedDays,
        ]
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
            .optional(
                "delays", "yes|no",
                "whether customers may let others go ahead of them, twice, on their phone's page or at "
                    + "the machine; no unless given"),
            .optional(
                "reclaims", "yes|no",
                "whether a customer who missed the call may have the place back, once, within ten "
                    + "minutes; no unless given"),
            .optional(
                "nearby-wait", "MINUTES",
                "from how many minutes of wait on the machines also name a shop nearby whose wait is much "
                    + "shorter, 10 to 240; 0 never; 60 unless given"),
            .optional(
                "desks", "N",
                "the desks at which customers collect orders that they made elsewhere, 1 to 20; 0 unless given, "
                    + "which means that the shop has none and machines do not offer it"),
            .optional(
                "desk-inside", "yes|no",
                "whether the desks are inside, so that a customer who is called to one takes a place; no unless given"
            ),
            .optional(
                "fetch-minutes", "N",
                "the minutes that it usually takes to bring an order to a desk, 1 to 120; 5 unless given"
            ),
            .optional(
                "order-days", "N",
                "for so many days after the promised time an order is kept for its customer, 1 to 60; 7 unless "
                    + "given"),
            .optional(
                "order-memory-days", "N",
                "for so many days an order that is over is remembered, 1 to 400; 30 unless given"),
            .optional(
                "help-phone", "NUMBER",
                "the telephone number that a machine shows to a customer who asks for help while the "
                    + "shop is closed or the backend does not answer; empty for none, as unless given"
            ),
            .optional(
                "help-names", "yes|no",
                "whether a customer who called for help is shown the name of the staff member who "
                    + "comes; no unless given"),
            .optional("street", "STREET", "street and number, for customers who are not there yet"),
            .optional("town", "TOWN", "the town; none unless given, and an empty text removes it"),
            .optional(
                "position", "LAT,LON",
                "where the shop is, in degrees, as 45.4642,9.19; none unless given, and an empty text "
                    + "removes it"),
            .optional(
                "phone-pages", "yes|no",
                "whether tickets carry a second symbol, which opens a page of the place on the "
                    + "customer's phone, if the server has --phones; yes unless given"),
            .optional(
                "phone-places", "yes|no",
                "whether customers may take places on their own phones; no unless given"),
            .optional(
                "remote-places", "yes|no",
                "whether phones that are not at the shop's door may take places too, with half of the "
                    + "phones' share; needs --phone-places yes; no unless given"),
            .optional(
                "phone-visits", "yes|no",
                "whether customers may book visits on their phones at a time of their choice; needs "
                    + "--phone-places yes; no unless given"),
            .optional(
                "phone-visit-share", "N",
                "percent of the places for visits that phones may book; the others are left to "
                    + "machines; 70 unless given"),
            .optional(
                "phone-question", "yes|no",
                "whether customers elsewhere are asked on their phones whether they are coming, two hours "
                    + "before a visit and a quarter of an hour before a ticket's call; they are called "
                    + "whatever they answer, and the expected waits follow it; no unless given"),
            .optional(
                "departments", "LIST",
                "departments that customers who book visits may name, with the most of these visitors who may "
                    + "be in one at once, as \"Fish=4, Bakery=6, Wine\"; none unless given, and an empty text "
                    + "removes them"),
            .optional(
                "remote-numbers", "yes|no",
                "whether these customers must confirm a telephone number first, by an SMS with a code; no unless "
                    + "given"),
            .optional(
                "sms-per-day", "N",
                "how many SMS may be sent on a day to customers of the shop who ask for them, if the server "
                    + "has a gateway (`serve --sms-kannel`); 0 unless given, which sends none"),
            .optional(
                "phone-share", "N",
                "percent of the admissions of an hour that phones may take; 50 unless given"),
            .optional(
                "no-show-days", "N",
                "a phone whose customer is called three times within so many days and does not come "
                    + "is blocked; 30 unless given"),
            .optional(
                "block-days", "N",
                "for so many days a blocked phone gets no place; 0 blocks none; 7 unless given"),
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
        var shop = Shop(
            id: id, tag: tag, name: "", timeZone: "", hours: OpeningHours(weekly: [:]),
            policy: ShopPolicy(capacity: 1, usualStayMinutes: 1), languages: ["en"])
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
        for (name, bounds, value, _) in ShopPolicy.numbers {
            shop.policy[keyPath: value] = try arguments.number(
                name.replacing(" ", with: "-"), bounds, standard: shop.policy[keyPath: value])
        }
        for (name, value) in ShopPolicy.choices {
            try decide(name.replacing(" ", with: "-"), arguments, &shop.policy[keyPath: value])
        }
        try decide("help-names", arguments, &shop.help.showsNames)
        if let street = arguments.optional("street") {
            shop.address.street = street.isEmpty ? nil : street
        }
        if let town = arguments.optional("town") { shop.address.town = town.isEmpty ? nil : town }
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
        if let phone = arguments.optional("help-phone") {
            shop.help.phone = phone.isEmpty ? nil : phone
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
