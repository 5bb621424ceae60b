public import QueueEngine
public import Reservations

/// What a machine asks for; the store draws the identifiers and codes that it needs.
public enum MachineRequest: Hashable, Sendable {
    case hold(ReservationKind)
    case extend(ReservationID)
    case release(ReservationID)
    case confirm(ReservationID)
    /// With the entry code or the typed code as proof.
    case delete(ReservationID, PresentedCode)
    /// The holder of the code stands at a door.
    case passage(PresentedCode, Passing)
    /// A member of the staff puts something right.
    case staff(StaffAction)
    /// Changes the machine's own keys, and not the queue.
    case keys(KeyChange)
    /// Remembers the request's nonce, and nothing else; no answer is stored.
    case useNonce
}

/// At which door a code was shown [UC14, UC15].
public enum Passing: Hashable, Sendable {
    case entrance
    case exit(ExitPoint)
}

/// What a machine changes of its own keys (rules 23).
public enum KeyChange: Hashable, Sendable {
    /// Lets another public key, with its identifier, in beside the one that signs.
    case add([UInt8], id: String)
    /// Revokes all keys but the one that signs.
    case keepOnlyThis
}

/// One authenticated call of a machine that changes something.
public struct AuthenticatedRequest: Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// Whose signature it was; the nonce is remembered under it (rules 21).
    public var keyID: String
    public var nonce: String
    /// About when the signature is too old to be taken anyway, by the clock of the server that it came to.
    public var nonceExpires: Moment
    public var idempotencyKey: String
    /// SHA-256 of method, path and body: the same key with another one is refused.
    public var fingerprint: [UInt8]
    public var command: MachineRequest
    /// What the audit says where the command is obeyed; nil for what customers do.
    public var audit: AuditEntry?
    /// Writes the answer that is stored with the change; called on the writer's queue, so it must be quick.
    public var answer: @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer

    public init(
        shop: ShopID, machine: MachineID, keyID: String, nonce: String, nonceExpires: Moment,
        idempotencyKey: String, fingerprint: [UInt8], command: MachineRequest,
        audit: AuditEntry? = nil,
        answer: @escaping @Sendable (Result<QueueOutcome, Refused>, Moment) -> StoredAnswer
    ) {
        self.shop = shop
        self.machine = machine
        self.keyID = keyID
        self.nonce = nonce
        self.nonceExpires = nonceExpires
        self.idempotencyKey = idempotencyKey
        self.fingerprint = fingerprint
        self.command = command
        self.audit = audit
        self.answer = answer
    }
}

/// An answer as it is stored with its idempotency key and given again byte for byte.
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

/// What came of a request; nothing is answered before it is on the disk.
public enum CommandResult: Hashable, Sendable {
    /// `replayed`: the stored answer of an earlier request with the same key, or of the passage a moment ago.
    case answered(StoredAnswer, replayed: Bool)
    /// The same signature came before: a replay, to be answered as not authentic.
    case nonceSeen
    /// The key was used for a request with another fingerprint.
    case keyReused
    /// Nothing was changed or stored, unless the connection to the database was lost meanwhile; the same
    /// key may be sent again, and finds out.
    case unavailable(StoreError)
}
