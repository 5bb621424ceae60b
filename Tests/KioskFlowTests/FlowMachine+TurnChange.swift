import KioskFlow
import Reservations
import Testing

extension FlowMachine {
    /// A machine that shows how many people may go ahead.
    static func offeringDelays() -> FlowMachine {
        found(Facts.delayable()).touched(.openDelays)
    }

    mutating func answersTurnChange(_ answer: Result<FoundReservation, BackendFailure>) {
        guard case .changingTurn(let changing) = flow.state else { return }
        does(.backend(.turnChanged(changing.attempt, answer)))
    }
}

extension Facts {
    /// A waiting ticket whose holder may let two or five people go ahead.
    static func delayable() -> FoundReservation {
        var found = found()
        found.delayOffers = [
            DelayOffer(people: 2, wait: wait(at: .zero, minutes: 40)),
            DelayOffer(people: 5, wait: wait(at: .zero, minutes: 55)),
        ]
        return found
    }

    /// A ticket whose call was missed and whose place can be taken back.
    static func missed() -> FoundReservation {
        var found = found(.missed)
        found.reclaimBy = clock(at: .minutes(8))
        return found
    }
}
