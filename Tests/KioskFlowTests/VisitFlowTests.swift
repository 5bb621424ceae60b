import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("Book the first available visit [UC12]")
struct VisitFlowTests {
    @Test("With no ticket left the customer books the first visit, and its paper is printed")
    func wholeJob() throws {
        var machine = FlowMachine.soldOut()
        machine.touches(.bookVisit)
        #expect(machine.effects == [.backend(.takePlace(.visit, AttemptKey("test-2")))])
        machine.answersPlace(.success(Facts.visit()))
        let offer = try requireCase(KioskState.offer, of: machine.flow.state)
        #expect(offer.place.visit == Facts.visitTime)
        machine.waits(.seconds(1))
        machine.touches(.confirm)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        #expect(
            machine.effects.contains {
                if case .printer(.print) = $0 { true } else { false }
            })
    }

    @Test("A month without any place is shown, and the machine goes Home")
    func nothing() {
        var machine = FlowMachine.soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.failure(.refusal(.nothingWithinAMonth)))
        #expect(machine.flow.state == .noVisit)
        machine.waits(.seconds(1))
        machine.touches(.done)
        #expect(machine.flow.state == .home)
    }

    @Test("A visit whose hold expired is asked for again as a visit")
    func expired() {
        var machine = FlowMachine.offeringVisit()
        machine.touches(.confirm)
        machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        #expect(machine.effects.last == .backend(.takePlace(.visit, AttemptKey("test-4"))))
    }
}
