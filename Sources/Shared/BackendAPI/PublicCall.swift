public import Reservations

/// A call of a customer's phone, which has no key: the capability in its body opens one place (rules: capabilities), or
/// an invitation one place more (rules: joining), and some need neither (rules: elsewhere); the code of an order opens
/// that (rules: order-codes). These calls have a server of their own, and no role.
public enum PublicCall: String, CaseIterable, Hashable, Sendable {
    /// What is known of the place: a `FollowedPlace`.
    case place
    /// What the code of a paper's symbol opens: an `OpeningRequest`, answered by a `PlaceOpening` (rules: paper-symbol).
    case opening
    /// The event of a visit for the customer's own calendar: a file of iCalendar (RFC 5545), for a `CalendarRequest` (rules:
    /// own-calendar).
    case calendar
    /// Gives the place back; the ten digits prove that the caller has the ticket.
    case withdrawal
    /// Lets people go ahead; with the same proof (rules: more-time).
    case delay
    /// Takes the place back after a missed call; with the same proof (rules: more-time).
    case reclaim
    /// Undoes within two minutes that the place was given back or delayed; with the same proof.
    case undo
    /// Says that the holder of a place that was taken elsewhere is coming (rules: coming-question).
    case coming
    /// A ticket that opens `updates`: a `SessionReply`.
    case sessions
    /// The WebSocket that sends a `FollowedPlace` when it opens, at each change and every few seconds.
    case updates
    /// Holds the next place for the caller's device, which has an invitation or is elsewhere, or the slot that it chose for a
    /// visit: a `PlaceOnOffer` (rules: joining, elsewhere, visits).
    case holds
    /// The slots of a shop's visits until the same date of next month: a `SlotList` (rules: visits).
    case slots
    /// What may be had instead of a slot that is not free: a `SuggestionsRequest`, answered by a `SuggestionList`; that
    /// it was refused is counted without the holder (rules: slot-suggestions).
    case suggestions
    /// Moves a visit that was booked on the device to another slot: a `MoveRequest`, answered by the `Reservation` as it is
    /// then (rules: moved-visits).
    case move
    /// Turns a place that is held for the device into a `Reservation`.
    case confirmation
    /// Gives a place that is held for the device back.
    case release
    /// Has notices of the place pushed to the caller's browser: a `SubscriptionRequest` (rules: notices).
    case subscription
    /// Ends that: a `SubscriptionEndRequest`.
    case subscriptionEnd = "subscription-end"
    /// Has a code sent to a telephone number, and confirms the number with it, for SMS about the place or because the shop
    /// wants one: a `NumberRequest` (rules: confirmed-numbers).
    case number
    /// Ends the SMS about the place: a `NumberEndRequest` (rules: sms).
    case numberEnd = "number-end"
    /// The places that the caller's device has taken, for a browser that has forgotten them: `DevicePlaces` (rules: joining).
    case devicePlaces = "device-places"
    /// The shops with places for customers who are elsewhere: a `ShopList` (rules: elsewhere).
    case shops
    /// What is known of an order that is collected: a `FollowedOrder`, for an `OrderRequest` (rules: order-pages).
    case order
    /// The customer of an order is at the shop's door, as the invitation shows: an `OrderArrivalRequest`, answered by the
    /// `PickupOrder` as it is then (rules: order-arrivals).
    case arrival

    private static let prefix = "/v1/public/"

    public var path: String { Self.prefix + rawValue }

    public var method: HTTPMethod { self == .updates ? .get : .post }

    /// Whether the call changes the place: it carries an Idempotency-Key, with which its answer is stored
    /// (rules: idempotency-keys).
    public var carriesKey: Bool {
        switch self {
        case .withdrawal, .delay, .reclaim, .undo, .coming, .holds, .move, .confirmation, .release,
            .arrival:
            true
        case .place, .opening, .calendar, .sessions, .updates, .subscription, .subscriptionEnd,
            .number,
            .numberEnd, .devicePlaces, .shops, .slots, .suggestions, .order:
            false
        }
    }

    /// The most bytes of a body, which has under a hundred unless it names an endpoint.
    public var maxBodyBytes: Int {
        switch self {
        case .subscription, .subscriptionEnd: SubscriptionRequest.maxEndpointBytes + 1_024
        case .place, .opening, .calendar, .withdrawal, .delay, .reclaim, .undo, .coming, .sessions,
            .updates,
            .holds, .slots, .suggestions, .move, .confirmation, .release, .number, .numberEnd,
            .devicePlaces, .shops, .order, .arrival:
            1_024
        }
    }

    /// The call of a path, whatever the method; nil if there is none.
    public init?(path: String) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }
}

/// The body of a public call for a place.
public struct PlaceRequest: Codable, Hashable, Sendable {
    /// A `Capability`.
    public var capability: String
    /// The ten digits of the ticket, if the call needs them.
    public var code: String?
    /// How many people to let ahead, if the call is `delay`; one of those that `FoundReservation.delayOffers` names.
    public var people: Int?

    public init(capability: Capability, code: TypedCode? = nil, people: Int? = nil) {
        self.capability = capability.rawValue
        self.code = code?.rawValue
        self.people = people
    }
}

/// The body of POST /v1/public/confirmation and of POST /v1/public/release.
public struct HeldPlaceRequest: Codable, Hashable, Sendable {
    /// The `ticket` of a `PlaceOnOffer`.
    public var ticket: String

    public init(ticket: String) { self.ticket = ticket }
}

/// A place that is held for a phone, with what its customer wants to know before taking it: the answer to
/// POST /v1/public/holds.
public struct PlaceOnOffer: Codable, Hashable, Sendable {
    public var shopName: String
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    /// What takes the place, or gives it back; of no use on another device.
    public var ticket: String
    public var place: HeldPlace

    public init(_ place: HeldPlace, of shop: Shop, ticket: String) {
        shopName = shop.name
        languages = shop.languages
        address = PublicAddress(shop.address)
        self.ticket = ticket
        self.place = place
    }
}

/// What the page of a place shows: the answer to POST /v1/public/place, and the message of its WebSocket. It has the entry
/// code only in the answer to the device that took the place.
public struct FollowedPlace: Codable, Hashable, Sendable {
    public var type = "place"
    /// Languages as BCP 47 primary subtags, the shop's own language first.
    public var languages: [String]
    /// Where the shop is; nil if nothing is known of it.
    public var address: PublicAddress?
    public var reservation: FoundReservation
    /// Whether it was taken on a phone: then no paper has its code, and giving it back is final (rules: joining).
    public var onPhone: Bool
    /// What lets the customer in; nil unless the caller is the device that took the place (rules: joining).
    public var entry: EntryOnPhone?
    /// The key of notices, as a browser needs it to subscribe (RFC 8292 3.2): a point of P-256, 65 bytes in base64url. Nil
    /// in messages of the WebSocket, and if no notices are pushed.
    public var pushKey: String?
    /// Whether SMS about the place are on; nil in messages of the WebSocket, and if the shop has none or the place cannot
    /// have any.
    public var sms: SMSOfPlace?

    public init(_ reservation: FoundReservation, taken channel: Channel, of shop: Shop) {
        onPhone = channel.isPhone
        languages = shop.languages
        address = PublicAddress(shop.address)
        self.reservation = reservation
    }
}

/// What a phone shows at the entrance: the symbol for the reader, and the digits to type.
public struct EntryOnPhone: Codable, Hashable, Sendable {
    /// The entry code's symbol, as `QRMatrix.rows`.
    public var symbol: [String]
    public var typedCode: TypedCode

    public init(symbol: QRMatrix, typedCode: TypedCode) {
        self.symbol = symbol.rows
        self.typedCode = typedCode
    }
}

/// Where a shop is, as phones read it.
public struct PublicAddress: Codable, Hashable, Sendable {
    public var street: String?
    public var town: String?
    /// Degrees (WGS 84); both or neither are known.
    public var latitude: Double?
    public var longitude: Double?

    /// Nil if nothing is known.
    public init?(_ address: ShopAddress) {
        guard address != ShopAddress() else { return nil }
        street = address.street
        town = address.town
        latitude = address.position.map { Double($0.latitude) / 1e6 }
        longitude = address.position.map { Double($0.longitude) / 1e6 }
    }
}
