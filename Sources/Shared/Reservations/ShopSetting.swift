/// One setting of a shop that an administrator decides, declared once: the option of the commands, the column of the database,
/// the name in a line of JSON, the check and the words of the audit are made from it.
///
/// Not here is what has a form of its own: name, time zone, hours, languages, position and departments.
public struct ShopSetting: Sendable {
    public enum Value: Sendable {
        /// A number within bounds.
        case number(ClosedRange<Int>, any WritableKeyPath<Shop, Int> & Sendable)
        /// Yes or no.
        case choice(any WritableKeyPath<Shop, Bool> & Sendable)
        /// A text that a shop need not have.
        case text(any WritableKeyPath<Shop, String?> & Sendable)
    }

    /// The option of `clup-backend shop add` and `shop change`, without its dashes.
    public let option: String
    /// The column of the table `shop`.
    public let column: String
    /// The name in the line of JSON that describes a shop.
    public let key: String
    /// What stands for its value in the help.
    public let placeholder: String
    /// What it means; the help adds what holds without it.
    public let meaning: String
    public let value: Value
    /// Whether a new shop needs it.
    public var isRequired = false

    /// Its name in the audit.
    public var name: String { option.replacing("-", with: " ") }

    /// The value that a shop has, as an administrator writes it; empty for a text that it does not have.
    public func text(of shop: Shop) -> String {
        switch value {
        case .number(_, let path): "\(shop[keyPath: path])"
        case .choice(let path): shop[keyPath: path] ? "yes" : "no"
        case .text(let path): shop[keyPath: path] ?? ""
        }
    }

    private static func number(
        _ option: String, _ column: String, _ key: String, _ bounds: ClosedRange<Int>,
        _ path: any WritableKeyPath<Shop, Int> & Sendable, _ meaning: String,
        in unit: String = "N", isRequired: Bool = false
    ) -> ShopSetting {
        ShopSetting(
            option: option, column: column, key: key, placeholder: unit, meaning: meaning,
            value: .number(bounds, path), isRequired: isRequired)
    }

    private static func choice(
        _ option: String, _ column: String, _ key: String,
        _ path: any WritableKeyPath<Shop, Bool> & Sendable, _ meaning: String
    ) -> ShopSetting {
        ShopSetting(
            option: option, column: column, key: key, placeholder: "yes|no", meaning: meaning,
            value: .choice(path))
    }

    private static func text(
        _ option: String, _ column: String, _ key: String, _ placeholder: String,
        _ path: any WritableKeyPath<Shop, String?> & Sendable, _ meaning: String
    ) -> ShopSetting {
        ShopSetting(
            option: option, column: column, key: key, placeholder: placeholder, meaning: meaning,
            value: .text(path))
    }

    public static let all = [
        number(
            "capacity", "capacity", "capacity", 1...1_000_000, \.policy.capacity,
            "people who may be inside at once", isRequired: true),
        number(
            "stay", "usual_stay_minutes", "stayMinutes", 1...1_440, \.policy.usualStayMinutes,
            "how long a customer usually stays", in: "MINUTES", isRequired: true),
        // A hold shorter than the flow's 3 minutes would expire while the customer uses the machine [UC11].
        number(
            "hold-seconds", "hold_seconds", "holdSeconds", 180...3_600, \.policy.holdSeconds,
            "how long a place is held for a customer who decides"),
        number(
            "visit-share", "visit_share_percent", "visitSharePercent", 1...100,
            \.policy.visitSharePercent,
            "percent of the capacity that booked visits may take at once, at least one place"),
        number(
            "door-seconds", "door_seconds", "doorSeconds", 1...120, \.policy.doorSeconds,
            "seconds that a door stays open for one who may pass, 1 to 120"),
        number(
            "leave-delay", "leave_delay_seconds", "leaveDelaySeconds", 0...3_600,
            \.policy.leaveDelaySeconds, "seconds from the check-out until a place is free"),
        choice(
            "early-call-grace", "early_call_grace", "earlyCallGrace", \.policy.hasEarlyCallGrace,
            "whether customers who are called earlier than their paper says have ten minutes from the time on it"
        ),
        choice(
            "delays", "allows_delays", "delays", \.policy.allowsDelays,
            "whether customers may let others go ahead of them, twice, on their phone's page or at the machine"
        ),
        choice(
            "reclaims", "allows_reclaims", "reclaims", \.policy.allowsReclaims,
            "whether a customer who missed the call may have the place back, once, within ten minutes"
        ),
        number(
            "nearby-wait", "nearby_wait_minutes", "nearbyWaitMinutes", 0...240,
            \.policy.nearbyWaitMinutes,
            "from how many minutes of wait on the machines also name a shop nearby whose wait is much "
                + "shorter, 10 to 240; 0 never", in: "MINUTES"),
        number(
            "desks", "desks", "desks", 0...PickupOrder.desks.upperBound, \.policy.orders.desks,
            "the desks at which customers collect orders that they made elsewhere, 1 to 20; 0 means that "
                + "the shop has none and machines do not offer it"),
        choice(
            "desk-inside", "desk_inside", "deskInside", \.policy.orders.isDeskInside,
            "whether the desks are inside, so that a customer who is called to one takes a place"),
        number(
            "fetch-minutes", "fetch_minutes", "fetchMinutes", 1...120,
            \.policy.orders.fetchMinutes,
            "the minutes that it usually takes to bring an order to a desk, 1 to 120"),
        number(
            "order-days", "order_days", "orderDays", 1...60, \.policy.orders.keptDays,
            "for so many days after the promised time an order is kept for its customer, 1 to 60"),
        number(
            "order-memory-days", "order_memory_days", "orderMemoryDays", 1...400,
            \.policy.orders.rememberedDays,
            "for so many days an order that is over is remembered, 1 to 400"),
        text(
            "help-phone", "help_phone", "helpPhone", "NUMBER", \.help.phone,
            "the telephone number that a machine shows to a customer who asks for help while the shop is "
                + "closed or the backend does not answer"),
        choice(
            "help-names", "help_names", "helpNames", \.help.showsNames,
            "whether a customer who called for help is shown the name of the staff member who comes"
        ),
        text(
            "street", "street", "street", "STREET", \.address.street,
            "street and number, for customers who are not there yet"),
        text("town", "town", "town", "TOWN", \.address.town, "the town"),
        choice(
            "phone-pages", "phone_pages", "phonePages", \.policy.phones.hasPages,
            "whether tickets carry a second symbol, which opens a page of the place on the customer's "
                + "phone, if the server has --phones"),
        choice(
            "phone-places", "phone_places", "phonePlaces", \.policy.phones.hasPlaces,
            "whether customers may take places on their own phones"),
        choice(
            "remote-places", "remote_places", "remotePlaces", \.policy.phones.hasRemotePlaces,
            "whether phones that are not at the shop's door may take places too, with half of the phones' "
                + "share; needs --phone-places yes"),
        choice(
            "phone-visits", "phone_visits", "phoneVisits", \.policy.phones.hasVisits,
            "whether customers may book visits on their phones at a time of their choice; needs "
                + "--phone-places yes"),
        number(
            "phone-visit-share", "phone_visit_percent", "phoneVisitPercent", 1...100,
            \.policy.phones.visitPercent,
            "percent of the places for visits that phones may book; the others are left to machines"
        ),
        choice(
            "phone-question", "phone_visit_question", "phoneQuestion", \.policy.phones.asksWhoComes,
            "whether customers elsewhere are asked on their phones whether they are coming, two hours before "
                + "a visit and a quarter of an hour before a ticket's call; they are called whatever they "
                + "answer, and the expected waits follow it"),
        choice(
            "remote-numbers", "remote_numbers", "remoteNumbers", \.policy.phones.needsNumber,
            "whether customers elsewhere must confirm a telephone number first, by an SMS with a code"
        ),
        number(
            "sms-per-day", "sms_per_day", "smsPerDay", 0...100_000, \.policy.phones.smsPerDay,
            "how many SMS may be sent on a day to customers of the shop who ask for them, if the server has "
                + "a gateway (`serve --sms-kannel`); 0 sends none"),
        number(
            "phone-share", "phone_share_percent", "phoneSharePercent", 1...100,
            \.policy.phones.sharePercent,
            "percent of the admissions of an hour that phones may take"),
        number(
            "no-show-days", "no_show_days", "noShowDays", 1...60, \.policy.phones.noShowDays,
            "a phone whose customer is called three times within so many days and does not come is blocked"
        ),
        number(
            "block-days", "block_days", "blockDays", 0...30, \.policy.phones.blockDays,
            "for so many days a blocked phone gets no place; 0 blocks none"),
    ]
}
