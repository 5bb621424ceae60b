public import Reservations

/// The body of POST /v1/public/suggestions: a slot that a customer wants [UC5].
public struct SuggestionsRequest: Codable, Hashable, Sendable {
    /// A `ShopTag`.
    public var shop: String
    public var visit: ChosenSlot

    public init(shop: ShopTag, visit: ChosenSlot) {
        self.shop = shop.rawValue
        self.visit = visit
    }
}

/// What may be had instead of a slot that is not free: the answer to POST /v1/public/suggestions. Nothing of it is held
/// [UC5].
public struct SuggestionList: Codable, Hashable, Sendable {
    /// The shop's clock at the answer.
    public var now: LocalMoment
    /// Whether the slot is free after all.
    public var isFree: Bool
    /// Free slots of the same day within two hours, in order: the nearest ones, `maxSlots` at most.
    public var sameDay: [SuggestedSlot]
    /// The slots of the same time on the two days before and the two days after, as far as they are free, in order.
    public var otherDays: [SuggestedSlot]
    /// Those of the nearest shops that can take the customer at about that time, the nearest one first; `maxShops` at most.
    public var shops: [SuggestedShop]

    public static let maxSlots = 4
    public static let maxShops = 5

    private enum CodingKeys: String, CodingKey {
        case now, sameDay, otherDays, shops
        case isFree = "free"
    }

    public init(
        now: LocalMoment, isFree: Bool, sameDay: [SuggestedSlot], otherDays: [SuggestedSlot],
        shops: [SuggestedShop]
    ) {
        self.now = now
        self.isFree = isFree
        self.sameDay = sameDay
        self.otherDays = otherDays
        self.shops = shops
    }
}

/// A slot that can be booked.
public struct SuggestedSlot: Codable, Hashable, Sendable {
    public var start: LocalMoment
    /// How much of it is free for phones: 1 to 3, as in a `SlotPeriod`.
    public var level: Int

    public init(start: LocalMoment, level: Int) {
        self.start = start
        self.level = level
    }
}

/// Another shop that can take the customer.
public struct SuggestedShop: Codable, Hashable, Sendable {
    /// With which its pages are opened: `/visit/TAG`, `/join/TAG`.
    public var tag: String
    public var name: String
    /// Metres to it in a straight line.
    public var metres: Int
    /// Its free slot of that day that is nearest to the time, within two hours; nil if there is none.
    public var slot: SuggestedSlot?
    /// When a ticket taken there now would be called; nil unless the wanted day is today and a phone gets a ticket.
    public var wait: WaitEstimate?

    public init(
        tag: ShopTag, name: String, metres: Int, slot: SuggestedSlot?, wait: WaitEstimate?
    ) {
        self.tag = tag.rawValue
        self.name = name
        self.metres = metres
        self.slot = slot
        self.wait = wait
    }
}
