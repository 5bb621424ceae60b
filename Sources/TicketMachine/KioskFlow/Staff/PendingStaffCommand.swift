/// A command of a staff member whose result is not known yet; it is written down once, together with the result.
struct PendingStaffCommand: Hashable, Sendable, Codable {
    let attempt: AttemptKey
    let what: MachineEvent.What
    let person: String

    /// More than can be under way at once, because each ends within seconds.
    static let maxUnderWay = 16
}

extension KioskFlow {
    /// Remembers a command until `ended` is called with its result, even if the staff member has left by then.
    mutating func begun(_ what: MachineEvent.What, _ attempt: AttemptKey, by person: String) {
        pendingCommands =
            (pendingCommands + [PendingStaffCommand(attempt: attempt, what: what, person: person)])
            .suffix(PendingStaffCommand.maxUnderWay)
    }

    /// - Parameter reason: why the command was not carried out; nil if it was.
    mutating func ended(_ attempt: AttemptKey, _ reason: MachineEvent.Reason?) -> [KioskEffect] {
        guard let index = pendingCommands.firstIndex(where: { $0.attempt == attempt }) else {
            return []
        }
        let command = pendingCommands.remove(at: index)
        return [
            .staff(
                .note(reason.map { .notDone(command.what, $0) } ?? command.what, by: command.person)
            )
        ]
    }
}

extension StaffCommandAnswer {
    /// Why the command was not carried out; nil if it was.
    public var reason: MachineEvent.Reason? {
        switch self {
        case .done, .doneTo: nil
        case .backend(let failure): .backend(failure)
        case .people(let refusal): .people(refusal)
        case .failed: .failed
        }
    }
}
