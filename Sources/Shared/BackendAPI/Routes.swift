public import Reservations

/// The calls of the wire contract, `/v1` (Assets/Api/openapi.yaml); all paths of both sides are here.
public enum Route: Hashable, Sendable {
    case machine
    case machineKey
    case machineStatus
    case queue
    case holds
    case holdExtension(ReservationID)
    case hold(ReservationID)
    case holdConfirmation(ReservationID)
    case lookup
    case reservation(ReservationID)
    case entries
    case exits
    case staffActions
    case staffQueue
    case sessions
    case turns
    case pairings

    /// Identifiers are the backend's own and need no percent-encoding.
    public var path: String {
        switch self {
        case .machine: "/v1/machine"
        case .machineKey: "/v1/machine/key"
        case .machineStatus: "/v1/machine/status"
        case .queue: "/v1/queue"
        case .holds: "/v1/holds"
        case .holdExtension(let id): "/v1/holds/\(id)/extension"
        case .hold(let id): "/v1/holds/\(id)"
        case .holdConfirmation(let id): "/v1/holds/\(id)/confirmation"
        case .lookup: "/v1/reservations/lookup"
        case .reservation(let id): "/v1/reservations/\(id)"
        case .entries: "/v1/entries"
        case .exits: "/v1/exits"
        case .staffActions: "/v1/staff/actions"
        case .staffQueue: "/v1/staff/queue"
        case .sessions: "/v1/sessions"
        case .turns: "/v1/turns"
        case .pairings: "/v1/pairings"
        }
    }

    /// The one method the route answers to.
    public var method: HTTPMethod {
        switch self {
        case .machine, .queue, .staffQueue, .turns: .get
        case .machineKey, .machineStatus, .holds, .holdExtension, .holdConfirmation, .lookup,
            .entries, .exits, .staffActions, .sessions, .pairings:
            .post
        case .hold, .reservation: .delete
        }
    }

    /// Who may make the call; every other key's holder is told `forbidden`.
    public var roles: Set<KeyRole> {
        switch self {
        case .machine: Set(KeyRole.allCases)
        case .queue: [.ticketMachine, .display]
        case .machineKey, .machineStatus, .holds, .hold, .holdExtension, .holdConfirmation, .lookup,
            .reservation:
            [.ticketMachine]
        case .entries: [.entrance]
        case .exits: [.checkout, .turnstile]
        case .staffActions, .staffQueue: [.ticketMachine]
        case .sessions, .turns: Set(KeyRole.devices)
        // Only who is not on the white list yet asks to be let in.
        case .pairings: []
        }
    }

    /// Whether the call may change something, so that its answer is stored with its key (rules 20).
    ///
    /// A machine's status needs no stored answer: whatever of it is told twice is taken once.
    public var changesSomething: Bool {
        carriesKey && ![.lookup, .sessions, .machineStatus].contains(self)
    }

    /// Whether the call carries an Idempotency-Key; look-ups, sessions and a machine's status do as the
    /// signature covers one of every POST.
    public var carriesKey: Bool { method != .get }

    /// Bytes of a body: those of a status have the machine's events, others about a hundred.
    public var longestBody: Int { self == .machineStatus ? 65_536 : 4_096 }

    /// The route of a path, whatever the method; nil where there is none.
    public init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.first == "v1" else { return nil }
        let rest = Array(parts.dropFirst())
        func id(_ text: Substring) -> ReservationID? {
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                })
                ? ReservationID(String(text)) : nil
        }
        switch rest.count {
        case 1 where rest[0] == "machine": self = .machine
        case 1 where rest[0] == "queue": self = .queue
        case 1 where rest[0] == "holds": self = .holds
        case 1 where rest[0] == "entries": self = .entries
        case 1 where rest[0] == "exits": self = .exits
        case 2 where rest[0] == "staff" && rest[1] == "actions": self = .staffActions
        case 2 where rest[0] == "staff" && rest[1] == "queue": self = .staffQueue
        case 1 where rest[0] == "sessions": self = .sessions
        case 1 where rest[0] == "turns": self = .turns
        case 1 where rest[0] == "pairings": self = .pairings
        case 2 where rest[0] == "machine" && rest[1] == "key": self = .machineKey
        case 2 where rest[0] == "machine" && rest[1] == "status": self = .machineStatus
        case 2 where rest[0] == "holds":
            guard let id = id(rest[1]) else { return nil }
            self = .hold(id)
        case 2 where rest[0] == "reservations" && rest[1] == "lookup": self = .lookup
        case 2 where rest[0] == "reservations":
            guard let id = id(rest[1]) else { return nil }
            self = .reservation(id)
        case 3 where rest[0] == "holds" && rest[2] == "extension":
            guard let id = id(rest[1]) else { return nil }
            self = .holdExtension(id)
        case 3 where rest[0] == "holds" && rest[2] == "confirmation":
            guard let id = id(rest[1]) else { return nil }
            self = .holdConfirmation(id)
        default: return nil
        }
    }
}

public enum HTTPMethod: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
}

/// Header fields of the contract, in lower case as HTTP/2 and signatures write them.
public enum HeaderField {
    public static let contentType = "content-type"
    public static let contentDigest = "content-digest"
    public static let idempotencyKey = "idempotency-key"
    public static let acceptSignature = "accept-signature"
    public static let signature = "signature"
    public static let signatureInput = "signature-input"
    public static let retryAfter = "retry-after"
    public static let date = "date"
    public static let host = "host"
}
