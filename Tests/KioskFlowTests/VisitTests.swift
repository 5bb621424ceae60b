import KioskFlow
import Reservations
import Testing

@Suite("Book the first available visit [UC12]")
struct VisitTests {
    private func soldOut() -> Machine {
        var machine = Machine.atHome()
        machine.touches(.getTicket)
        machine.answersPlace(.failure(.noTicketToday))
        machine.waits(.seconds(1))
        return machine
    }

    private func offering() -> Machine {
        var machine = soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.success(Facts.visit()))
        machine.waits(.seconds(1))
        return machine
    }

    @Test("With no ticket left the customer books the first visit, and its paper is printed")
    func wholeJob() {
        var machine = soldOut()
        machine.touches(.bookVisit)
        #expect(machine.effects == [.takePlace(.visit, AttemptKey("test-2"))])
        machine.answersPlace(.success(Facts.visit()))
        guard case .offer(let offer) = machine.flow.state else {
            Issue.record("no offer: \(machine.flow.state)")
            return
        }
        #expect(offer.place.visit == Facts.visitTime)
        machine.waits(.seconds(1))
        machine.touches(.confirm)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        #expect(
            machine.effects.contains {
                if case .print = $0 { true } else { false }
            })
    }

    @Test("Exception 1: Cancel at either step gives back what is held and goes Home")
    func cancel() {
        var asked = soldOut()
        asked.touches(.cancel)
        #expect(asked.effects == [.refresh])
        #expect(asked.flow.state == .home)
        var offered = offering()
        offered.touches(.cancel)
        #expect(offered.effects == [.release(ReservationID("hold-v")), .refresh])
        #expect(offered.flow.state == .home)
    }

    @Test("Exception 2: three minutes without a touch give the visit back")
    func walksAway() {
        var machine = offering()
        machine.waits(.seconds(180))
        #expect(machine.effects == [.release(ReservationID("hold-v")), .refresh])
        #expect(machine.flow.state == .home)
    }

    @Test("If a ticket frees up meanwhile, the ticket is offered instead, and said so")
    func ticketAgain() {
        var machine = soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.failure(.ticketAvailable))
        #expect(machine.effects == [.takePlace(.ticket, AttemptKey("test-3"))])
        machine.answersPlace(.success(Facts.place()))
        guard case .offer(let offer) = machine.flow.state else {
            Issue.record("no offer: \(machine.flow.state)")
            return
        }
        #expect(offer.insteadOfVisit)
        #expect(offer.place.visit == nil)
    }

    @Test("Nothing within a month is said, and the machine goes Home")
    func nothing() {
        var machine = soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.failure(.nothingWithinAMonth))
        #expect(machine.flow.state == .noVisit)
        machine.waits(.seconds(1))
        machine.touches(.done)
        #expect(machine.flow.state == .home)
    }

    @Test("A visit whose hold lapsed is asked for anew as a visit")
    func lapsed() {
        var machine = offering()
        machine.touches(.confirm)
        machine.answersConfirmation(.failure(.holdLapsed))
        #expect(machine.effects.last == .takePlace(.visit, AttemptKey("test-4")))
    }
}
