public import Reservations

/// The body of POST /v1/machine/key: a key of the machine that is to be valid beside the key that signs the call or,
/// if it is the key that signs, instead of all others of the machine (rules: machine-key).
public struct KeyRequest: Codable, Hashable, Sendable {
    /// An Ed25519 public key: 43 characters of base64url.
    public var key: String

    public init(key: String) { self.key = key }
}

/// The answer to POST /v1/pairings, for a request with a `KeyRequest` as its body: a code that an administrator
/// enters at the backend to accept the machine.
public struct PairingReply: Codable, Hashable, Sendable {
    /// Eight digits.
    public var code: String
    /// How long the code is valid.
    public var seconds: Int
    /// The backend's Ed25519 public key, 43 characters of base64url, which the machine should pin.
    public var backendKey: String

    public init(code: String, seconds: Int, backendKey: String) {
        self.code = code
        self.seconds = seconds
        self.backendKey = backendKey
    }
}

/// The body of POST /v1/holds.
public struct HoldRequest: Codable, Hashable, Sendable {
    /// A `ReservationKind`; as text, so that a kind that is not offered can be distinguished from a malformed body.
    public var kind: String

    public init(kind: ReservationKind) { self.kind = kind.rawValue }
}

/// A code as it was scanned or typed: to look its reservation up or delete it [UC13], to enter [UC14] or to leave
/// [UC15].
public struct CodeRequest: Codable, Hashable, Sendable {
    /// An entry code or ten digits; at most `PresentedCode.maxCharacters` printable ASCII characters.
    public var code: String

    public init(code: String) { self.code = code }
}

/// The body of POST /v1/reservations/{id}/delay (rules: more-time).
public struct DelayRequest: Codable, Hashable, Sendable {
    /// The code as in a `CodeRequest`.
    public var code: String
    /// How many people to let ahead; one of those that `FoundReservation.delayOffers` names.
    public var people: Int

    public init(code: String, people: Int) {
        self.code = code
        self.people = people
    }
}

/// The body of POST /v1/sessions, which says what the program of a display or a reader can do.
public struct SessionRequest: Codable, Hashable, Sendable {
    /// Whether it hands codes over in links as well, as they were read (rules: code-links).
    public var readsLinks: Bool

    public init(readsLinks: Bool) { self.readsLinks = readsLinks }
}

/// The answer to POST /v1/sessions: a ticket that opens GET /v1/turns once (rules: sockets).
public struct SessionReply: Codable, Hashable, Sendable {
    /// The ticket for the WebSocket's address, as `?ticket=`.
    public var ticket: String
    /// How long the ticket can be used.
    public var seconds: Int

    public init(ticket: String, seconds: Int) {
        self.ticket = ticket
        self.seconds = seconds
    }
}

/// The message of GET /v1/turns after a door should have closed: whether it is closed. For servers and for programs
/// that watch doors.
public struct DoorClosingMessage: Codable, Hashable, Sendable {
    public static let name = "door-closing"

    public var type = DoorClosingMessage.name
    /// The reader at the door.
    public var device: MachineID
    public var closed: Bool

    public init(device: MachineID, closed: Bool) {
        self.device = device
        self.closed = closed
    }
}

/// The message of GET /v1/turns when a customer may pass a door: for programs that open it.
public struct DoorMessage: Codable, Hashable, Sendable {
    public var type = "door"
    /// The reader that let the customer pass.
    public var device: MachineID
    /// The reader's role.
    public var role: String
    /// The customer's number; nil for one who collects an order.
    public var number: QueueNumber?
    /// The number of the order that the customer collects; nil for all others (rules: desks-inside).
    public var order: PickupNumber?

    public init(
        device: MachineID, role: KeyRole, number: QueueNumber? = nil, order: PickupNumber? = nil
    ) {
        self.device = device
        self.role = role.rawValue
        self.number = number
        self.order = order
    }
}

/// The message of GET /v1/turns about calls for help, for the pages of `KeyRole.helpers`: always the complete state,
/// at every change and every second, so that silence means trouble.
public struct HelpMessage: Codable, Hashable, Sendable {
    public var type = "help"
    /// Increases with every message of the shop, as in `TurnsMessage`, but is counted on its own.
    public var sequence: Int64
    public var now: LocalMoment
    /// The open calls and those that ended a short time ago, the oldest first.
    public var calls: [HelpCall]

    public init(sequence: Int64, _ calls: HelpCalls) {
        self.sequence = sequence
        now = calls.now
        self.calls = calls.calls
    }
}

/// The message that GET /v1/turns sends to the pages of desks with the orders whose customers are here: when a socket opens, at
/// every change and each second (rules: order-desks).
public struct DeskMessage: Codable, Hashable, Sendable {
    public var type = "desk"
    /// Increases with every message of the shop, as in `TurnsMessage`, but is counted on its own.
    public var sequence: Int64
    public var now: LocalMoment
    /// How many desks the shop has.
    public var desks: Int
    /// How many customers are here; `orders` has at most `DeskOrders.maxOrders` of them.
    public var here: Int
    public var orders: [DeskOrder]

    public init(sequence: Int64, _ orders: DeskOrders) {
        self.sequence = sequence
        now = orders.now
        desks = orders.desks
        here = orders.here
        self.orders = orders.orders
    }
}
