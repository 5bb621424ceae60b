public import Reservations

/// Why a call brought no answer of the expected kind; the text for the customer depends on it.
public enum BackendFailure: Error, Hashable, Sendable, Codable {
    /// There was no answer in time, or none at all: the request may have taken effect.
    case unanswered
    /// The answer does not fit the contract: the request may have taken effect.
    case notUnderstood
    /// The backend refused the request: nothing happened.
    case refused(Refused)
    /// The machine's own key, or what it has stored about the backend's key, cannot be used: nothing was sent.
    case noKey(KeyTrouble)

    /// A refusal without details.
    public static func refusal(_ refusal: Refusal) -> BackendFailure { .refused(Refused(refusal)) }

    /// The refusal, if the backend refused the call; otherwise nil.
    public var refusal: Refusal? {
        if case .refused(let refused) = self { refused.refusal } else { nil }
    }

    /// Whether the call may have taken effect although it failed.
    public var isUnknown: Bool { self == .unanswered || self == .notUnderstood }

    /// Whether the backend is overloaded or unavailable at the moment: nothing happened.
    public var isTemporary: Bool { refusal?.isTemporary ?? false }

    /// Whether the backend rejects the machine until its key or its clock has been corrected.
    public var concernsKey: Bool {
        if case .noKey = self { true } else { refusal == .notAuthentic }
    }
}

extension BackendFailure: CustomStringConvertible {
    /// For logs: the kind of failure, and for a refusal its name on the wire.
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
    /// The file is truncated, changed, unreadable, or readable by other users.
    case damaged
    /// The key was sealed for another machine: the wrapping key is not this machine's.
    case foreign
}

/// Names one call so that repeating it changes nothing (the Idempotency-Key).
public typealias AttemptKey = Identifier<Attempt>

/// A tag type for `AttemptKey`; it has no values.
public enum Attempt {}
