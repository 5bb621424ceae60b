import QueueEngine
import ReservationStore
import Reservations

/// What machines and phones ask of the queue, each in a word.
extension MachineRequest {
    static func hold(_ kind: ReservationKind) -> MachineRequest { .queue(.hold(kind)) }
    static var holdRemotely: MachineRequest { .queue(.hold(.ticket, isRemote: true)) }
    static func holdVisit(_ slot: ChosenSlot) -> MachineRequest { .queue(.holdVisit(slot)) }
    static func extend(_ id: ReservationID) -> MachineRequest { .held(id, .extend) }
    static func release(_ id: ReservationID) -> MachineRequest { .held(id, .release) }
    static func confirm(_ id: ReservationID) -> MachineRequest { .held(id, .confirm) }
    static func comes(_ id: ReservationID) -> MachineRequest { .reservation(id, .comes) }
    static func unblock(_ holder: HolderID?) -> MachineRequest { .queue(.unblock(holder)) }

    static func move(
        _ id: ReservationID, _ proof: PresentedCode, to slot: ChosenSlot
    ) -> MachineRequest { .reservation(id, .move(to: slot, proof: proof)) }

    static func delete(_ id: ReservationID, _ proof: PresentedCode) -> MachineRequest {
        .reservation(id, .delete(proof: proof))
    }

    static func undo(_ id: ReservationID, _ proof: PresentedCode) -> MachineRequest {
        .reservation(id, .undo(proof: proof))
    }

    static func delay(
        _ id: ReservationID, _ proof: PresentedCode, people: Int
    ) -> MachineRequest { .reservation(id, .delay(people: people, proof: proof)) }

    static func reclaim(_ id: ReservationID, _ proof: PresentedCode) -> MachineRequest {
        .reservation(id, .reclaim(proof: proof))
    }

    static func passage(_ code: PresentedCode, _ passing: Passing) -> MachineRequest {
        .queue(passing.command(code))
    }

    /// Blocks are lifted by `unblock`.
    static func staff(_ action: StaffAction) -> MachineRequest {
        action.command.map { .queue($0) } ?? .queue(.unblock(nil))
    }
}
