public import QueueEngine
public import Reservations

/// A machine's request; the store generates the identifiers and codes that it needs.
public enum MachineRequest: Hashable, Sendable {
    case hold(ReservationKind)
    /// Holds a ticket for a phone that is elsewhere (rules: elsewhere).
    case holdRemotely
    /// Holds the slot that a phone chose for a visit (rules: visits).
    case holdVisit(ChosenSlot)
    /// The customer moves a visit that was booked on a phone, with its code (rules: moved-visits).
    case move(ReservationID, PresentedCode, to: ChosenSlot)
    case extend(ReservationID)
    case release(ReservationID)
    case confirm(ReservationID)
    /// The proof is the entry code or the typed code.
    case delete(ReservationID, PresentedCode)
    /// The customer's page undoes a deletion or a delay, with the same proof (rules: giving-back, more-time).
    case undo(ReservationID, PresentedCode)
    /// The customer lets so many people go ahead, with the same proof (rules: more-time).
    case delay(ReservationID, PresentedCode, people: Int)
    /// The customer, who is elsewhere, says to be coming (rules: coming-question).
    case comes(ReservationID)
    /// The customer takes the place of a missed call back, with the same proof (rules: more-time).
    case reclaim(ReservationID, PresentedCode)
    /// The holder of the code is at a door.
    case passage(PresentedCode, Passing)
    /// A staff member makes a correction.
    case staff(StaffAction)
    /// A staff member lifts a block; nil if no blocked holder has the reference (rules: blocks).
    case unblock(HolderID?)
    /// Concerns the shop's calls for help, and not the queue.
    case help(HelpCommand)
    /// Concerns the orders that customers collect, and not the queue (rules: orders).
    case order(OrderCommand)
    /// Changes the machine's own keys, and not the queue.
    case keys(KeyChange)
    /// Remembers the request's nonce, and nothing more; no answer is stored.
    case useNonce
}

extension MachineRequest {
    /// Whether it may change what desks, readers and pages show besides the queue: calls for help, and orders whose
    /// customers are here.
    var isOfDesk: Bool {
        switch self {
        case .help, .order(.arrive), .order(.cancel), .order(.take), .order(.handOver),
            .order(.enter), .order(.leave):
            true
        case .order(.announce), .hold, .holdRemotely, .holdVisit, .move, .extend, .release,
            .confirm, .delete, .undo, .delay, .comes, .reclaim, .passage, .staff,
            .unblock, .keys, .useNonce:
            false
        }
    }
}

extension MachineRequest {
    /// Whether a customer is at a door.
    public var isPassage: Bool {
        switch self {
        case .passage, .order(.enter), .order(.leave): true
        case .order(.arrive), .order(.announce), .order(.cancel), .order(.take), .order(.handOver),
            .help, .hold, .holdRemotely, .holdVisit, .move, .extend, .release, .confirm, .delete,
            .undo, .delay, .comes, .reclaim, .staff, .unblock, .keys, .useNonce:
            false
        }
    }
}

/// The door at which a code was shown [UC14, UC15].
public enum Passing: Hashable, Sendable {
    case entrance
    case exit(ExitPoint)

    /// The customer of an order is there (rules: desks-inside).
    public func command(_ code: PresentedOrderCode) -> OrderCommand {
        switch self {
        case .entrance: .enter(code)
        case .exit(let point): .leave(code, at: point)
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
