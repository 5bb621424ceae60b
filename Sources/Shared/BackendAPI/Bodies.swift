public import Reservations

/// POST /v1/machine/key: a key of the machine's that is to be valid beside the one that signs the call, or,
/// being that one, instead of all others of the machine (rules 23).
public struct KeyRequest: Codable, Hashable, Sendable {
    /// An Ed25519 public key: 43 characters of base64url.
    public var key: String

    public init(key: String) { self.key = key }
}

/// The answer to POST /v1/pairings, whose body is a `KeyRequest`: a code that an administrator enters at the
/// backend to let the machine in.
public struct PairingReply: Codable, Hashable, Sendable {
    /// Eight digits.
    public var code: String
    /// How long it is good.
    public var seconds: Int
    /// The backend's Ed25519 public key, 43 characters of base64url: what the machine is to pin.
    public var backendKey: String

    public init(code: String, seconds: Int, backendKey: String) {
        self.code = code
        self.seconds = seconds
        self.backendKey = backendKey
    }
}

/// POST /v1/holds.
public struct HoldRequest: Codable, Hashable, Sendable {
    /// A `ReservationKind`; as text, so that a kind that is not offered is told apart from a malformed body.
    public var kind: String

    public init(kind: ReservationKind) { self.kind = kind.rawValue }
}

/// A code as it was read or typed: to look its reservation up or delete it [UC13], to enter [UC14] or to leave
/// [UC15].
public struct CodeRequest: Codable, Hashable, Sendable {
    /// An entry code or ten digits; at most `PresentedCode.longest` printable ASCII characters.
    public var code: String

    public init(code: String) { self.code = code }
}

/// POST /v1/sessions: what opens GET /v1/turns once (rules 26).
public struct SessionReply: Codable, Hashable, Sendable {
    /// Goes into the WebSocket's address, as `?ticket=`.
    public var ticket: String
    /// How long it can be used.
    public var seconds: Int

    public init(ticket: String, seconds: Int) {
        self.ticket = ticket
        self.seconds = seconds
    }
}

/// What GET /v1/turns sends when a door was to be closed: whether it is. For servers and for whatever watches doors.
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

/// What GET /v1/turns sends where somebody may pass a door: for whatever opens it.
public struct DoorMessage: Codable, Hashable, Sendable {
    public var type = "door"
    /// The reader that let him pass.
    public var device: MachineID
    /// The reader's role.
    public var role: String
    public var number: QueueNumber

    public init(device: MachineID, role: KeyRole, number: QueueNumber) {
        self.device = device
        self.role = role.rawValue
        self.number = number
    }
}
