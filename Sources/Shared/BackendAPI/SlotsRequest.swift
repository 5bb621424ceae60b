public import Reservations

/// The body of POST /v1/public/slots (rules: visits).
public struct SlotsRequest: Codable, Hashable, Sendable {
    /// A `ShopTag`.
    public var shop: String
    /// How many minutes the customer expects to stay, within `ChosenSlot.minuteBounds`; nil to leave that to the shop.
    public var minutes: Int?
    /// The names of the departments to which the customer wants to go, as in a `ChosenSlot`.
    public var departments: [String]?

    public init(shop: ShopTag, minutes: Int? = nil, departments: [String]? = nil) {
        self.shop = shop.rawValue
        self.minutes = minutes
        self.departments = departments
    }
}

/// The slots of a shop's visits until the same date of next month: the answer to POST /v1/public/slots.
public struct SlotList: Codable, Hashable, Sendable {
    public var shopName: String
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    /// The shop's zone in the IANA time zone database, by which the page compares slots with a calendar.
    public var timeZone: String
    /// Minutes a customer usually stays, which count for one who does not say how long.
    public var usualMinutes: Int
    /// The shop's clock at the answer.
    public var now: LocalMoment
    /// The last day of which visits can be booked.
    public var lastDay: CalendarDay
    /// Whether a ticket of today can be taken elsewhere now, on the page for joining (rules: elsewhere).
    public var hasTicket: Bool
    /// The shop's opening hours in which slots begin, in order; at a change of clocks a period is divided in two.
    public var periods: [SlotPeriod]
    /// The names of the departments that a customer may name; nil for none.
    public var departments: [String]?

    private enum CodingKeys: String, CodingKey {
        case shopName, languages, address, timeZone, usualMinutes, now, lastDay, periods,
            departments
        case hasTicket = "ticket"
    }

    public init(
        of shop: Shop, now: LocalMoment, lastDay: CalendarDay, hasTicket: Bool,
        periods: [SlotPeriod]
    ) {
        shopName = shop.name
        languages = shop.languages
        address = PublicAddress(shop.address)
        timeZone = shop.timeZone
        usualMinutes = shop.policy.usualStayMinutes
        self.now = now
        self.lastDay = lastDay
        self.hasTicket = hasTicket
        self.periods = periods
        let names = shop.policy.departments.map(\.name)
        departments = names.isEmpty ? nil : names
    }
}

/// Slots that follow one another every quarter of an hour.
public struct SlotPeriod: Codable, Hashable, Sendable {
    /// When the first one begins.
    public var first: LocalMoment
    /// A digit for each slot, in order: 0 if it cannot be booked, otherwise how much of it is free for phones at its fullest
    /// moment: 1 at most a third, 2 at most two thirds, 3 more.
    public var levels: String

    public init(first: LocalMoment, levels: String) {
        self.first = first
        self.levels = levels
    }
}

/// The body of POST /v1/public/move: moves a visit to another slot, or changes its length (rules: moved-visits).
public struct MoveRequest: Codable, Hashable, Sendable {
    /// A `Capability`.
    public var capability: String
    /// The ten digits of the ticket, if the caller is not the browser that booked the visit.
    public var code: String?
    public var visit: ChosenSlot

    public init(capability: Capability, code: TypedCode?, visit: ChosenSlot) {
        self.capability = capability.rawValue
        self.code = code?.rawValue
        self.visit = visit
    }
}

/// The body of POST /v1/public/calendar (rules: own-calendar).
public struct CalendarRequest: Codable, Hashable, Sendable {
    /// A `Capability`.
    public var capability: String
    /// The language of the event, a BCP 47 primary subtag; English if it is none of `VisitEventWords.languages`.
    public var language: String

    public init(capability: Capability, language: String) {
        self.capability = capability.rawValue
        self.language = language
    }
}
