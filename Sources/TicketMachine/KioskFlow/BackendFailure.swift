public import Reservations

/// Why a call brought no answer of the wanted kind; the customer's text is chosen by it.
public enum BackendFailure: Error, Hashable, Sendable, Codable {
    /// No answer in time, or none at all: what was asked may have happened.
    case unanswered
    /// An answer that does not fit the contract: what was asked may have happened.
    case notUnderstood
    /// The backend refuses it: nothing happened.
    case refused(Refused)
    /// This machine's own key, or what it knows of the backend's, cannot be used: nothing was sent.
    case noKey(KeyTrouble)

    /// A refusal without more facts.
    public static func refusal(_ refusal: Refusal) -> BackendFailure { .refused(Refused(refusal)) }

    /// What the backend refuses; nil if that is not why the call failed.
    public var refusal: Refusal? {
        if case .refused(let refused) = self { refused.refusal } else { nil }
    }

    /// Whether the call may have had its effect all the same.
    public var isUnknown: Bool { self == .unanswered || self == .notUnderstood }

    /// Whether the backend has no room just now: nothing happened.
    public var isTemporary: Bool { refusal?.isTemporary ?? false }

    /// Whether the backend does not know the machine until its key, or its clock, has been put right.
    public var isOfKey: Bool {
        if case .noKey = self { true } else { refusal == .notAuthentic }
    }
}

extension BackendFailure: CustomStringConvertible {
    /// For logs: what failed, and of a refusal its name on the wire.
    public var description: String {
        switch self {
        case .unanswered: "unanswered"
        case .notUnderstood: "notUnderstood"
        case .refused(let refused): "refused(\"\(refused.refusal.rawValue)\")"
        case .noKey(let trouble): "noKey(\(trouble))"
        }
    }
}

/// What is wrong with the keys on this machine's disk.
public enum KeyTrouble: Error, Hashable, Sendable, Codable {
    case missing
    /// Cut, changed, unreadable, or readable by others.
    case damaged
    /// Sealed for another machine: the wrapping key is not this one's.
    case foreign
}

/// Names one call so that repeating it changes nothing (the Idempotency-Key).
public typealias AttemptKey = Identifier<Attempt>

/// What an attempt is; only its name exists.
public enum Attempt {}

/// A confirmation that was sent, or was about to be, when the machine stopped (rules 13).
public struct OpenConfirmation: Hashable, Sendable, Codable {
    public let key: AttemptKey
    public let hold: ReservationID
    /// Whether the customer had given it up.
    public let deleteWhenKnown: Bool

    public init(key: AttemptKey, hold: ReservationID, deleteWhenKnown: Bool) {
        self.key = key
        self.hold = hold
        self.deleteWhenKnown = deleteWhenKnown
    }
}
