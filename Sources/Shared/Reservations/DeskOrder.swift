/// What an assistant at a desk does with an order (rules: order-desks).
public enum DeskStep: String, Codable, Hashable, Sendable, CaseIterable {
    /// Begins to fetch it.
    case fetch
    /// Has brought it to the desk, where its number is called.
    case ready
    /// Has not found it.
    case notFound = "not-found"
    /// Stops fetching it, so that another assistant may fetch it.
    case release
    /// Puts it back on the shelf: its customer is not here any more.
    case putBack = "put-back"
    /// Gives it to a customer who has no code any more, and who is known to be the right one in another way.
    case handOver = "hand-over"
    /// Takes back what was done at this desk a moment ago.
    case undo

    /// For so long an assistant may take a step back.
    public static let undoTime = Duration.seconds(10)
}

/// An order as the page of a desk shows it: the answer to POST /v1/desk/orders/{id}/state and to POST
/// /v1/desk/handovers (rules: order-desks).
public struct DeskOrder: Codable, Hashable, Sendable {
    public let id: OrderID
    /// The name that the shop's own system gave the order.
    public let reference: String
    public let state: OrderState
    /// When the order came into this state.
    public let since: LocalMoment
    /// From when on it was promised to be ready.
    public let promised: LocalMoment
    /// Whether its customer may say to be here: it is on the shelf, or was promised to be by now.
    public let isReady: Bool
    /// What has to be fetched, and where each parcel is.
    public let parcels: [OrderAnnouncement.Part]
    /// The number by which it is called; nil if its customer is not here.
    public var number: PickupNumber?
    /// When its customer came; nil if the customer is not here.
    public var arrived: LocalMoment?
    /// The desk whose assistant fetches it or has looked for it in vain, or to which it was called; nil in all other
    /// states.
    public var desk: Int?
    /// Until when that desk may take its last step back; nil if there is none to be taken back.
    public var undoBy: LocalMoment?
    /// True while it is at the desk and not called yet, as no place is free inside the shop; nil otherwise.
    public var waitsForPlace: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, reference, state, since, promised, parcels, number, arrived, desk
        case undoBy, waitsForPlace
        case isReady = "ready"
    }

    public init(
        id: OrderID, reference: String, state: OrderState, since: LocalMoment,
        promised: LocalMoment, isReady: Bool, parcels: [OrderAnnouncement.Part],
        number: PickupNumber? = nil, arrived: LocalMoment? = nil, desk: Int? = nil,
        undoBy: LocalMoment? = nil, waitsForPlace: Bool? = nil
    ) {
        self.id = id
        self.reference = reference
        self.state = state
        self.since = since
        self.promised = promised
        self.isReady = isReady
        self.parcels = parcels
        self.number = number
        self.arrived = arrived
        self.desk = desk
        self.undoBy = undoBy
        self.waitsForPlace = waitsForPlace
    }
}

/// The orders whose customers are here, the one that came first in front: the answer to GET /v1/desk/orders.
public struct DeskOrders: Codable, Hashable, Sendable {
    public static let maxOrders = 100
    /// The most parcels of these orders, so that a message is much smaller than what a socket may leave unread.
    public static let maxParcels = 500

    public var now: LocalMoment
    /// How many desks the shop has.
    public var desks: Int
    /// How many customers are here; `orders` has at most `maxOrders` of them.
    public var here: Int
    public var orders: [DeskOrder]

    public init(now: LocalMoment, desks: Int, here: Int, orders: [DeskOrder]) {
        self.now = now
        self.desks = desks
        self.here = here
        self.orders = orders
    }
}

/// The body of POST /v1/desk/orders/{id}/state.
public struct DeskStepRequest: Codable, Hashable, Sendable {
    /// A `DeskStep`; as text, so that a wrong one is refused with a sentence.
    public var step: String
    /// The desk at which the assistant works.
    public var desk: Int

    public init(_ step: DeskStep, desk: Int) {
        self.step = step.rawValue
        self.desk = desk
    }
}

/// The body of POST /v1/desk/handovers: the code that the customer shows at the desk.
public struct HandoverRequest: Codable, Hashable, Sendable {
    public var code: String
    /// The desk at which it is shown.
    public var desk: Int

    public init(code: String, desk: Int) {
        self.code = code
        self.desk = desk
    }
}

/// The customer of an order may pass a door of a shop whose desk is inside: the answer to POST /v1/entries and POST
/// /v1/exits (rules: desks-inside).
public struct OrderPassage: Codable, Hashable, Sendable {
    public let order: OrderID
    public let number: PickupNumber
    /// The desk to which it was called; nil on the way out, if it is at none.
    public let desk: Int?

    public init(order: OrderID, number: PickupNumber, desk: Int?) {
        self.order = order
        self.number = number
        self.desk = desk
    }
}

/// A called order, as displays show it.
public struct OrderTurn: Codable, Hashable, Sendable {
    public var number: PickupNumber
    public var desk: Int
    /// When it was called, or called again.
    public var since: LocalMoment

    public init(number: PickupNumber, desk: Int, since: LocalMoment) {
        self.number = number
        self.desk = desk
        self.since = since
    }
}
