public import Reservations

/// The body of POST /v1/public/holds: at the door with the invitation (rules: joining), elsewhere with the shop's
/// tag (rules: elsewhere), and with a slot for a visit (rules: visits).
public struct JoinRequest: Codable, Hashable, Sendable {
    /// An `Invitation`; nil elsewhere.
    public var invitation: String?
    /// A `ShopTag`; nil at the door.
    public var shop: String?
    /// The slot that is chosen for a visit; nil for a ticket, and at the door (rules: visits).
    public var visit: ChosenSlot?
    /// The text that `DemandedWork` asked for; nil unless there was any.
    public var work: String?

    public init(invitation: Invitation) { self.invitation = invitation.rawValue }

    public init(shop: ShopTag, visit: ChosenSlot? = nil, work: String? = nil) {
        self.shop = shop.rawValue
        self.visit = visit
        self.work = work
    }
}

/// Work for a phone that asks for a place while very many do: it costs a person nothing, and a program that asks for a
/// thousand places a thousand times as much (rules: join-limits).
///
/// The phone looks for a whole number N, of at most twelve digits, such that the SHA-256 of `CHALLENGE.N` begins with so
/// many bits that are 0. That text is the `work` of its next request.
public struct DemandedWork: Codable, Hashable, Sendable {
    /// For this phone and some minutes.
    public var challenge: String
    /// 1 to 32; each bit doubles the work.
    public var bits: Int

    public static let maxDigits = 12

    public init(challenge: String, bits: Int) {
        self.challenge = challenge
        self.bits = bits
    }
}

/// The body of POST /v1/public/shops.
public struct ShopsRequest: Codable, Hashable, Sendable {
    /// Words that must all begin a word of the shop's name, street or town, whatever their case and accents; empty for all
    /// shops.
    public var search: String

    /// The most characters (Unicode scalars) of a search.
    public static let maxLength = 80

    public init(search: String = "") { self.search = search }
}

/// The shops at which a customer can take a place from elsewhere: the answer to POST /v1/public/shops.
public struct ShopList: Codable, Hashable, Sendable {
    /// In the order of their towns and names, `maxShops` at most.
    public var shops: [ListedShop]
    /// Whether there are more shops with these words.
    public var hasMore: Bool

    public static let maxShops = 200

    private enum CodingKeys: String, CodingKey {
        case shops
        case hasMore = "more"
    }

    public init(shops: [ListedShop], hasMore: Bool) {
        self.shops = shops
        self.hasMore = hasMore
    }
}

/// A shop with its wait, as customers see it who are elsewhere.
public struct ListedShop: Codable, Hashable, Sendable {
    /// With which the page for joining is opened: `/join/TAG`.
    public var tag: String
    public var name: String
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    /// The shop's clock at the answer.
    public var now: LocalMoment
    /// When a ticket taken now would be called; nil if no ticket is left, or the shop is closed.
    public var wait: WaitEstimate?
    /// The next opening of a shop that is closed, if it is known.
    public var opens: LocalMoment?
    public var isOpen: Bool
    /// Whether a phone that is elsewhere would get a place now.
    public var hasPlace: Bool
    /// Whether visits can be booked, with the page `/visit/TAG` (rules: visits).
    public var hasVisits: Bool

    private enum CodingKeys: String, CodingKey {
        case tag, name, address, now, wait, opens
        case isOpen = "open"
        case hasPlace = "place"
        case hasVisits = "visits"
    }

    public init(
        tag: ShopTag, name: String, address: PublicAddress?, now: LocalMoment,
        wait: WaitEstimate?, opens: LocalMoment?, isOpen: Bool, hasPlace: Bool, hasVisits: Bool
    ) {
        self.hasVisits = hasVisits
        self.tag = tag.rawValue
        self.name = name
        self.address = address
        self.now = now
        self.wait = wait
        self.opens = opens
        self.isOpen = isOpen
        self.hasPlace = hasPlace
    }
}
