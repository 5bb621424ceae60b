/// What a person of the staff has begun, until it is known how it ended: it is written down once, with that.
struct StaffAct: Hashable, Sendable {
    let attempt: AttemptKey
    let kind: MachineEvent.Kind
    let detail: String
    let person: String

    /// More than can be under way at once: each ends within seconds.
    static let most = 16
}

/// What an event says of something that was not done.
public struct NotDone: Hashable, Sendable {
    /// What was asked for, and what goes with it.
    public let kind: MachineEvent.Kind
    public let detail: String
    /// A `DeedAnswer`'s or a `PrinterTrouble`'s word.
    public let reason: String

    public init(kind: MachineEvent.Kind, detail: String, reason: String) {
        self.kind = kind
        self.detail = detail
        self.reason = reason
    }

    /// Reads the detail of an event; nil for one that was not written so.
    public init?(_ text: String) {
        let parts = text.split(separator: ": ", omittingEmptySubsequences: false)
        guard parts.count > 1, let reason = parts.last else { return nil }
        let asked = parts.dropLast().joined(separator: ": ").split(separator: " ", maxSplits: 1)
        guard let kind = asked.first.flatMap({ MachineEvent.Kind(rawValue: String($0)) }) else {
            return nil
        }
        self.init(
            kind: kind, detail: asked.count > 1 ? String(asked[1]) : "", reason: String(reason))
    }

    /// As "called-again 042: full".
    public var text: String {
        "\(kind.rawValue)\(detail.isEmpty ? "" : " \(detail)"): \(reason)"
    }
}

extension KioskFlow {
    /// Somebody wants it done; `ended` says how it went, also when he has left meanwhile.
    mutating func begun(
        _ kind: MachineEvent.Kind, _ detail: String, _ attempt: AttemptKey, by person: String
    ) {
        let act = StaffAct(attempt: attempt, kind: kind, detail: detail, person: person)
        acts = (acts + [act]).suffix(StaffAct.most)
    }

    /// - Parameter reason: why nothing came of it; nil where it is done.
    mutating func ended(_ attempt: AttemptKey, _ reason: String?) -> [KioskEffect] {
        guard let index = acts.firstIndex(where: { $0.attempt == attempt }) else { return [] }
        let act = acts.remove(at: index)
        guard let reason else { return [.note(act.kind, act.detail, by: act.person)] }
        let notDone = NotDone(kind: act.kind, detail: act.detail, reason: reason)
        return [.note(.notDone, notDone.text, by: act.person)]
    }
}

extension DeedAnswer {
    /// Why nothing came of it, in a word for events and logs; empty where it is done.
    public var reason: String {
        switch self {
        case .done, .doneTo: ""
        case .backend(let failure): failure.word
        case .people(let refusal): refusal.rawValue
        case .failed: "failed"
        }
    }

    /// The answer that a word stands for; nil for a word of another version's.
    public init?(reason word: String) {
        if let refusal = PeopleRefusal(rawValue: word) {
            self = .people(refusal)
        } else if word == Self.failed.reason {
            self = .failed
        } else if let failure = BackendFailure.ofTheStaff.first(where: { $0.word == word }) {
            self = .backend(failure)
        } else {
            return nil
        }
    }
}

extension BackendFailure {
    /// Those that what the staff asks for can meet.
    static let ofTheStaff: [BackendFailure] =
        [
            .unanswered, .busy, .notAuthentic, .noKey(.missing), .code(.used), .code(.missed),
            .code(.closed), .code(.deleted), .code(.inside), .gone, .shopClosed(opens: nil),
        ] + ["not-yet-called", "still-valid", "full", "implausible"].map { .refused($0) }

    /// A word for events and logs.
    var word: String {
        switch self {
        case .unanswered, .notUnderstood: "unanswered"
        case .busy: "busy"
        case .notAuthentic: "not-authentic"
        case .noKey: "no-key"
        case .code(.used): "used"
        case .code(.missed): "missed"
        case .code(.closed): "closed-before-turn"
        case .code(.deleted): "deleted"
        case .code(.inside): "inside"
        case .code, .gone: "no-such-number"
        case .shopClosed: "closed"
        case .refused(let name): name
        case .noTicketToday, .holdLapsed, .ticketAvailable, .nothingWithinAMonth: "refused"
        }
    }
}
