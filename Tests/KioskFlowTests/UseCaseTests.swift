import KioskFlow
import Reservations
import TestSupport
import Testing

/// Every exception line of the ticket machine's use cases, with its number in them.
@Suite("Exceptions of UC11, UC12 and UC13")
struct UseCaseTests {
    private static let visitHold = ReservationID("hold-v")

    /// Lets three minutes pass without a touch, with the warning before they are over.
    ///
    /// - Parameter alreadyGone: seconds that have passed since the last touch.
    private func walksAway(_ machine: inout FlowMachine, alreadyGone: Int = 0) {
        machine.waits(.seconds(141 - alreadyGone))
        #expect(machine.flow.warning(now: machine.now) != nil)
        #expect(machine.effects.isEmpty)
        machine.waits(.seconds(40))
        #expect(machine.flow.state == .home)
    }

    // MARK: The ticket machine user gets a ticket

    @Test("UC11, exception 1: there are no tickets for the day, so a visit is offered [UC12]")
    func noTickets() throws {
        var machine = FlowMachine.atHome()
        machine.touches(.getTicket)
        machine.answersPlace(.failure(.refusal(.noTicketToday)))
        #expect(machine.flow.state == .noTicketToday)
        machine.waits(.seconds(1))
        machine.touches(.bookVisit)
        #expect(machine.effects == [.backend(.takePlace(.visit, AttemptKey("test-2")))])
        machine.answersPlace(.success(Facts.visit()))
        let offer = try requireCase(KioskState.offer, of: machine.flow.state)
        #expect(offer.place.visit == Facts.visitTime)
        machine.waits(.seconds(1))
        machine.touches(.confirm)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        #expect(machine.effects.contains { if case .printer(.print) = $0 { true } else { false } })
    }

    @Test("UC11, exception 2: after Get a ticket the customer cancels; the place is given back")
    func ticketCancelled() {
        var offered = FlowMachine.offering()
        offered.touches(.cancel)
        #expect(offered.effects == [.backend(.release(Facts.hold)), .refresh])
        #expect(offered.flow.state == .home)
        // This also holds before the answer: the place that comes late is given back.
        var asked = FlowMachine.atHome()
        asked.touchesInTurn(.getTicket)
        asked.touches(.cancel)
        #expect(asked.flow.state == .home)
        asked.does(.backend(.place(AttemptKey("test-1"), .success(Facts.place()))))
        #expect(asked.effects == [.backend(.release(Facts.hold))])
        #expect(asked.flow.state == .home)
    }

    @Test("UC11, exception 3: after Get a ticket, three minutes without a touch give it back")
    func ticketLeft() {
        var machine = FlowMachine.offering()
        machine.waits(.seconds(178))
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.warning(now: machine.now) == 1)
        machine.waits(.seconds(1))
        #expect(machine.effects == [.backend(.release(Facts.hold)), .refresh])
        #expect(machine.flow.state == .home)
    }

    // MARK: The ticket machine user books a visit

    @Test("UC12, exception 1: after Get a ticket, three minutes without a touch end the message")
    func noticeLeft() {
        var machine = FlowMachine.soldOut()
        machine.waits(.seconds(138))
        #expect(machine.flow.warning(now: machine.now) == nil)
        walksAway(&machine, alreadyGone: 139)
        // The message that no visit is left ends in the same way.
        machine = FlowMachine.soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.failure(.refusal(.nothingWithinAMonth)))
        walksAway(&machine)
    }

    @Test("UC12, exception 2: after Get a ticket the customer cancels; nothing was held")
    func noticeCancelled() {
        var machine = FlowMachine.soldOut()
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh])
        #expect(machine.flow.state == .home)
    }

    @Test("UC12, exception 3: after Book, three minutes without a touch give the visit back")
    func visitLeft() {
        var machine = FlowMachine.offeringVisit()
        walksAway(&machine)
        #expect(machine.effects == [.backend(.release(Self.visitHold)), .refresh])
    }

    @Test("UC12, exception 4: after Book the customer cancels; the visit is given back")
    func visitCancelled() {
        var machine = FlowMachine.offeringVisit()
        machine.touches(.cancel)
        #expect(machine.effects == [.backend(.release(Self.visitHold)), .refresh])
        #expect(machine.flow.state == .home)
    }

    @Test("UC12, exception 5: there is a ticket after all; it is offered instead, with a notice")
    func ticketAfterAll() throws {
        var machine = FlowMachine.soldOut()
        machine.touches(.bookVisit)
        machine.answersPlace(.failure(.refusal(.ticketAvailable)))
        #expect(machine.effects == [.backend(.takePlace(.ticket, AttemptKey("test-3")))])
        machine.answersPlace(.success(Facts.place()))
        let offer = try requireCase(KioskState.offer, of: machine.flow.state)
        #expect(offer.insteadOfVisit)
        #expect(offer.place.visit == nil)
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
        var machine = FlowMachine.offeringVisit().touching(.confirm)
        machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        #expect(machine.effects.last == .backend(.takePlace(.visit, AttemptKey("test-4"))))
    }

    // MARK: The ticket machine user deletes a reservation

    @Test("UC13, exception 1: after Delete a reservation, three minutes without a touch end it")
    func scanLeft() {
        var machine = FlowMachine.scanning()
        walksAway(&machine)
        #expect(machine.effects == [.refresh])
    }

    @Test("UC13, exception 2: after Delete a reservation the customer cancels")
    func scanCancelled() {
        var machine = FlowMachine.scanning()
        machine.touchesInTurn(.digit(4))
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh])
        #expect(machine.flow.state == .home)
    }

    @Test("UC13, exception 3: asked whether to delete, no touch for three minutes: it stays")
    func deletionLeft() {
        var machine = FlowMachine.found()
        walksAway(&machine)
        #expect(machine.effects == [.refresh])
    }

    @Test("UC13, exception 4: asked whether to delete, the customer cancels: it stays")
    func deletionCancelled() {
        var machine = FlowMachine.found()
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh])
        #expect(machine.flow.state == .home)
    }

    @Test(
        "UC13, exception 5: no reservation is found for the code; the reason is shown, and nothing changes",
        arguments: Refusal.allCases.filter { $0.customerSentences != nil })
    func notFound(reason: Refusal) throws {
        var machine = FlowMachine.scanning()
        machine.scans(reason == .unreadableCode ? "rubbish" : Facts.code.rawValue)
        machine.answersLookUp(.failure(.refusal(reason)))
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == reason)
        machine.touches(.confirm)
        #expect(machine.effects.isEmpty)
        machine.waits(.seconds(20))
        #expect(machine.flow.state == .home)
    }
}
