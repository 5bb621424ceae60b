internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// Limits how much one machine may have written, whichever of its keys it signs with: each call that changes
/// something leaves rows, and the rows of keys and of the staff stay for good.
extension BackendService {
    /// A limit that a command counts for.
    private struct Bound {
        let limiter: RateLimiter?
        /// The name of the event in the log.
        let event: String
        /// The noun for the refusal's sentence, "too many" before it.
        let noun: String
    }

    /// The limits that count for a command: the one of all commands first, then the command's own.
    private func bounds(of command: MachineRequest) -> [Bound] {
        let all = Bound(limiter: writeLimiter, event: "writes-limited", noun: "changes")
        let own: Bound? =
            switch command {
            case .hold: Bound(limiter: holdLimiter, event: "holds-limited", noun: "places")
            case .confirm:
                Bound(
                    limiter: reservationLimiter, event: "reservations-limited",
                    noun: "reservations")
            case .keys:
                Bound(limiter: keyLimiter, event: "keys-limited", noun: "changes of keys")
            case .staff:
                Bound(limiter: staffLimiter, event: "staff-limited", noun: "acts of the staff")
            case .extend, .release, .delete, .passage, .useNonce: nil
            }
        return [all] + (own.map { [$0] } ?? [])
    }

    /// Whether the machine may have one more command carried out. A machine that runs out of control leaves the
    /// others their places, and the disk its room.
    func mayWrite(_ command: MachineRequest, _ call: Call) -> Result<Void, RefusedCall> {
        var taken: [Bound] = []
        for bound in bounds(of: command) {
            guard let wait = bound.limiter?.take(call.caller.limited) else {
                taken.append(bound)
                continue
            }
            for former in taken { former.limiter?.giveBack(call.caller.limited) }
            let machine = call.caller.machine.rawValue
            return .failure(
                limited(
                    bound.event, ["machine": machine], wait,
                    "this machine asks for too many \(bound.noun)"))
        }
        return .success(())
    }

    /// Gives rights back: an answer that was given again counts for nothing, and a confirmation counts for its own
    /// limit only if it made a reservation.
    func giveBack(_ command: MachineRequest, _ result: CommandResult, of call: Call) {
        let isNew: Bool
        var isMade = false
        switch result {
        case .answered(let answer, let replayed):
            isNew = !replayed
            isMade = isNew && answer.status == 201
        case .nonceSeen, .keyReused, .unavailable: isNew = false
        }
        for (place, bound) in bounds(of: command).enumerated() {
            var counts = isNew
            if place > 0, case .confirm = command { counts = isMade }
            if !counts { bound.limiter?.giveBack(call.caller.limited) }
        }
    }
}
