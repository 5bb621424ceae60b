public import QueueEngine
public import Reservations

/// What a machine or a holder's phone asks for, by the feature that decides it.
public enum MachineRequest: Hashable, Sendable {
    case queue(QueueCommand)
    /// Concerns the shop's calls for help.
    case help(HelpCommand)
    /// Concerns the orders that customers collect (rules: orders).
    case order(OrderCommand)
    /// Changes the machine's own keys.
    case keys(KeyChange)
    /// Remembers the request's nonce, and nothing more; no answer is stored.
    case useNonce
}

extension MachineRequest {
    /// Asks for something about a confirmed reservation.
    public static func reservation(
        _ id: ReservationID, _ command: ReservationCommand
    ) -> MachineRequest { .queue(.reservation(.id(id), command)) }

    /// Asks for something about a place that is held for the sender.
    public static func held(_ id: ReservationID, _ command: HoldCommand) -> MachineRequest {
        .queue(.held(id, command))
    }

    /// Whether it may change what desks, readers and pages show besides the queue: calls for help, and orders whose
    /// customers are here.
    var isOfDesk: Bool {
        switch self {
        case .help: true
        case .order(let command): command.isOfDesk
        case .queue, .keys, .useNonce: false
        }
    }

    /// Whether a customer is at a door.
    public var isPassage: Bool {
        switch self {
        case .queue(let command): command.isPassage
        case .order(let command): command.isPassage
        case .help, .keys, .useNonce: false
        }
    }

    /// Whether the code was typed that was shown as a proof, or at a door; nil if there is none.
    public var showsTypedCode: Bool? {
        switch self {
        case .queue(let command): command.shownCode?.isTyped
        case .order(let command): command.shownCode?.isTyped
        case .help, .keys, .useNonce: nil
        }
    }
}

/// A change of a machine's own keys (rules: machine-key).
public enum KeyChange: Hashable, Sendable {
    /// Adds another public key, with its identifier, beside the one that signs.
    case add([UInt8], id: String)
    /// Revokes all keys except the one that signs.
    case keepOnlyThis
}

/// The nonce of a signature, which is accepted once (rules: nonces).
public struct SignatureNonce: Hashable, Sendable {
    /// The key of the signature; the nonce is remembered under it.
    public var keyID: String
    public var value: String
    /// Approximately when the signature becomes too old to be accepted, by the clock of the server that received it.
    public var expires: Moment

    public init(keyID: String, value: String, expires: Moment) {
        self.keyID = keyID
        self.value = value
        self.expires = expires
    }
}

/// One authenticated request of a machine or of a holder's phone that changes something.
public struct AuthenticatedRequest: Sendable {
    public var shop: ShopID
    /// Who sends it; holds that it makes are theirs.
    public var sender: HoldOwner
    /// Nil for a phone, which signs nothing.
    public var nonce: SignatureNonce?
    public var idempotencyKey: String
    /// SHA-256 of method, path and body: a request with the same key and another fingerprint is refused.
    public var fingerprint: [UInt8]
    public var command: MachineRequest
    /// The audit entry if the command is carried out; nil for actions of customers.
    public var audit: AuditEntry?
    /// Creates the answer that is stored with the change; called on the writer's queue, so it must be quick.
    public var answer: @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer
    /// What became of the holder's claim, if this asks for a place on a phone.
    var claim: Claim?

    public init(
        shop: ShopID, sender: HoldOwner, nonce: SignatureNonce?, idempotencyKey: String,
        fingerprint: [UInt8], command: MachineRequest, audit: AuditEntry? = nil,
        answer: @escaping @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer
    ) {
        self.shop = shop
        self.sender = sender
        self.nonce = nonce
        self.idempotencyKey = idempotencyKey
        self.fingerprint = fingerprint
        self.command = command
        self.audit = audit
        self.answer = answer
    }
}

/// An answer as it is stored with its idempotency key and repeated byte for byte.
public struct StoredAnswer: Hashable, Sendable {
    public var status: Int
    public var contentType: String
    public var body: [UInt8]

    public init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

/// The result of a request; nothing is answered before it is on the disk.
public enum RequestResult: Hashable, Sendable {
    /// `replayed`: it is the stored answer of an earlier request with the same key, or of the passage a moment ago.
    case answered(StoredAnswer, replayed: Bool)
    /// The same signature came before: a replay, to be answered as not authentic.
    case nonceSeen
    /// The key was used for a request with another fingerprint.
    case keyReused
    /// Nothing was changed or stored, unless the connection to the database was lost meanwhile; the same key may be
    /// sent again, and then its answer shows what happened.
    case unavailable(StoreError)
}
