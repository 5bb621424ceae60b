internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Limits how much one machine may have written, whichever of its keys it signs with: each call that changes
/// something leaves rows, and the rows of keys and of the staff stay for good.
extension BackendService {
    /// The limits that count for a command, each with the noun for the refusal's sentence: the one of all commands
    /// first, then the command's own.
    private func bounds(of command: MachineRequest) -> [(action: LimitedAction, noun: String)] {
        let own: (LimitedAction, String)? =
            switch command {
            case .queue(.hold), .queue(.holdVisit): (.holds, "places")
            case .queue(.held(_, .confirm)): (.reservations, "reservations")
            case .keys: (.keys, "changes of keys")
            case .queue(.unblock): nil
            case .queue(let command): command.isOfStaff ? (.staff, "acts of the staff") : nil
            case .help(.raise): (.help, "calls for help")
            case .help(.end(_, _, by: .customer)): nil
            case .order(.arrive): (.reservations, "orders")
            case .order(.announce), .order(.cancel): (.orders, "changes of orders")
            // It is in the audit, whose rows stay for good.
            case .order(.take(_, .handOver, _)): (.staff, "acts of the staff")
            case .order(.take), .order(.handOver): (.desk, "steps of a desk")
            case .help: (.staff, "acts of the staff")
            case .order(.enter), .order(.leave), .useNonce: nil
            }
        if case .queue(.unblock) = command {
            return [(.writes, "changes"), (.staff, "acts of the staff"), (.unblocks, "references")]
        }
        // A shop's own system announces many orders at once.
        if let own, own.0 == .orders { return [own] }
        return [(.writes, "changes")] + (own.map { [$0] } ?? [])
    }

    /// Refuses a command of a machine that has had too many carried out. A machine that runs out of control leaves
    /// the others their places, and the disk its room.
    func mayWrite(_ command: MachineRequest, _ call: Call) throws(RefusedCall) {
        let caller = call.caller
        var taken: [LimitedAction] = []
        for (action, noun) in bounds(of: command) {
            do throws(RefusedCall) {
                try take(
                    action, of: caller.limited, ["machine": caller.machine.rawValue],
                    "this machine asks for too many \(noun)")
            } catch {
                for former in taken { limiters[former]?.giveBack(caller.limited) }
                throw error
            }
            taken.append(action)
        }
    }

    /// Gives rights back: an answer that was given again counts for nothing, and a confirmation counts for its own
    /// limit only if it made a reservation.
    func giveBack(_ command: MachineRequest, _ result: RequestResult, of call: Call) {
        for (place, bound) in bounds(of: command).enumerated() {
            var counts = false
            if case .answered(let answer, replayed: false) = result {
                counts = true
                if place > 0, case .queue(.held(_, .confirm)) = command {
                    counts = answer.status == 201
                }
                if place > 0, case .order(.arrive) = command { counts = answer.status == 201 }
                if bound.action == .unblocks { counts = answer.status != 200 }
                if place > 0, case .help(.raise) = command { counts = answer.status == 201 }
            }
            if !counts { limiters[bound.action]?.giveBack(call.caller.limited) }
        }
    }
}
