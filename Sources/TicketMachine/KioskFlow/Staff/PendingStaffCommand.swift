/// What a person of the staff has begun, until it is known how it ended: it is written down once, with that.
struct PendingStaffCommand: Hashable, Sendable, Codable {
    let attempt: AttemptKey
    let what: MachineEvent.What
    let person: String

    /// More than can be under way at once: each ends within seconds.
    static let maxUnderWay = 16
}

extension KioskFlow {
    /// A person wants it done; `ended` says how it went, also when the person has left meanwhile.
    mutating func begun(_ what: MachineEvent.What, _ attempt: AttemptKey, by person: String) {
        acts = (acts + [PendingStaffCommand(attempt: attempt, what: what, person: person)])
            .suffix(PendingStaffCommand.maxUnderWay)
    }

    /// - Parameter reason: why nothing came of it; nil if it is done.
    mutating func ended(_ attempt: AttemptKey, _ reason: MachineEvent.Reason?) -> [KioskEffect] {
        guard let index = acts.firstIndex(where: { $0.attempt == attempt }) else { return [] }
        let act = acts.remove(at: index)
        return [
            .staff(.note(reason.map { .notDone(act.what, $0) } ?? act.what, by: act.person))
        ]
    }
}

extension DeedAnswer {
    /// Why nothing came of it; nil if it is done.
    public var reason: MachineEvent.Reason? {
        switch self {
        case .done, .doneTo: nil
        case .backend(let failure): .backend(failure)
        case .people(let refusal): .people(refusal)
        case .failed: .failed
        }
    }
}
