import KioskFlow
import Reservations
import TestSupport
import Testing

/// Every exception line of the ticket machine's use cases, with its number in them.
@Suite("Exceptions of UC11, UC12 and UC13")
struct UseCaseTests {
    private static let visitHold = ReservationID("hold-v")

    /// A screen that a customer leaves, and what the machine does then.
    struct Left: CustomTestStringConvertible {
        let testDescription: String
        let machine: FlowMachine
        var effects: [KioskEffect] = [.refresh]

        init(_ name: String, _ machine: FlowMachine, givesBack hold: ReservationID? = nil) {
            testDescription = name
            self.machine = machine
            if let hold { effects.insert(.backend(.release(hold)), at: 0) }
        }
    }

    private static func noVisit() -> FlowMachine {
        var machine = FlowMachine.soldOut().touching(.bookVisit)
        machine.answersPlace(.failure(.refusal(.nothingWithinAMonth)))
        return machine
    }

    static let left = [
        Left("UC12, exception 1: after Get a ticket, at the message", .soldOut()),
        Left("the message that no visit is left ends in the same way", noVisit()),
        Left("UC12, exception 3: after Book", .offeringVisit(), givesBack: visitHold),
        Left("UC13, exception 1: after Delete a reservation", .scanning()),
        Left("UC13, exception 3: asked whether to delete", .found()),
        Left("the choice of more time", .offeringDelays()),
        Left("a missed call", .found(Facts.missed())),
    ]

    @Test("Three minutes without a touch end it; a visit is given back", arguments: left)
    func walksAway(_ left: Left) {
        var machine = left.machine
        // A second has passed at the most since the last touch.
        machine.waits(.seconds(138))
        #expect(machine.flow.warning(now: machine.now) == nil && machine.effects.isEmpty)
        machine.waits(.seconds(3))
        #expect(machine.flow.warning(now: machine.now) != nil)
        #expect(machine.effects.isEmpty)
        machine.goesHome(after: .seconds(40))
        #expect(machine.effects == left.effects)
    }

    static let cancelled = [
        Left("UC11, exception 2: after Get a ticket", .offering(), givesBack: Facts.hold),
        Left("UC12, exception 2: after Get a ticket, where nothing was held", .soldOut()),
        Left("UC12, exception 4: after Book", .offeringVisit(), givesBack: visitHold),
        Left("UC13, exception 2: after Delete a reservation", .scanning().touched(.digit(4))),
        Left("UC13, exception 4: asked whether to delete, so that it stays", .found()),
        Left("the choice of more time", .offeringDelays()),
        Left("a ticket with more time", .found(Facts.delayable())),
        Left("an order", .showing(Facts.order(.onShelf))),
    ]

    @Test("The customer cancels: what was held is given back, all else stays", arguments: cancelled)
    func cancels(_ cancelled: Left) {
        let machine = cancelled.machine.touching(.cancel)
        #expect(machine.effects == cancelled.effects)
        #expect(machine.flow.state == .home)
    }

    // MARK: The ticket machine user gets a ticket

    @Test("UC11, exception 1: there are no tickets for the day, so a visit is offered [UC12]")
    func noTickets() throws {
        var machine = FlowMachine.atHome().touching(.getTicket)
        machine.answersPlace(.failure(.refusal(.noTicketToday)))
        #expect(machine.flow.state == .noTicketToday)
        machine.touchesLater(.bookVisit)
        #expect(machine.effects == [.backend(.takePlace(.visit, AttemptKey("test-2")))])
        machine.answersPlace(.success(Facts.visit()))
        #expect(try machine.shown(KioskState.offer).place.visit == Facts.visitTime)
        machine.touchesLater(.confirm)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        #expect(machine.effects.contains { if case .printer(.print) = $0 { true } else { false } })
    }

    @Test("UC12: where Home says that no ticket is left, one touch leads to the offer of a visit")
    func soldOutAtHome() throws {
        var machine = FlowMachine.atHome().after { machine in
            var status = Facts.queue(at: machine.now)
            status.ticketAvailable = false
            machine.queueReported(status)
        }
        machine.touches(.getTicket)
        // A ticket may have become free meanwhile, so that it is asked for first.
        machine.answersPlace(.failure(.refusal(.noTicketToday)))
        #expect(machine.effects == [.backend(.takePlace(.visit, AttemptKey("test-2")))])
        machine.answersPlace(.success(Facts.visit()))
        #expect(try machine.shown(KioskState.offer).place.visit == Facts.visitTime)
    }

    @Test("UC11, exception 2: a place that comes after the customer has cancelled is given back")
    func ticketCancelled() {
        var asked = FlowMachine.atHome().touched(.getTicket).touching(.cancel)
        #expect(asked.flow.state == .home)
        asked.does(.backend(.place(AttemptKey("test-1"), .success(Facts.place()))))
        #expect(asked.effects == [.backend(.release(Facts.hold))])
        #expect(asked.flow.state == .home)
    }

    @Test("UC11, exception 3: after Get a ticket, three minutes without a touch give it back")
    func ticketLeft() {
        var machine = FlowMachine.offering().waiting(.seconds(178))
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.warning(now: machine.now) == 1)
        machine.waits(.seconds(1), expecting: [.backend(.release(Facts.hold)), .refresh])
        #expect(machine.flow.state == .home)
    }

    // MARK: The ticket machine user books a visit

    @Test("UC12, exception 5: there is a ticket after all; it is offered instead, with a notice")
    func ticketAfterAll() throws {
        var machine = FlowMachine.soldOut().touching(.bookVisit)
        machine.answersPlace(.failure(.refusal(.ticketAvailable)))
        #expect(machine.effects == [.backend(.takePlace(.ticket, AttemptKey("test-3")))])
        machine.answersPlace(.success(Facts.place()))
        let offer = try requireCase(KioskState.offer, of: machine.flow.state)
        #expect(offer.insteadOfVisit)
        #expect(offer.place.visit == nil)
    }

    @Test("A month without any place is shown, and the machine goes Home")
    func nothing() {
        var machine = Self.noVisit()
        #expect(machine.flow.state == .noVisit)
        machine.touchesLater(.done)
        #expect(machine.flow.state == .home)
    }

    @Test("A visit whose hold expired is asked for again as a visit")
    func expired() {
        var machine = FlowMachine.offeringVisit().touching(.confirm)
        machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        #expect(machine.effects.last == .backend(.takePlace(.visit, AttemptKey("test-4"))))
    }

    // MARK: The ticket machine user deletes a reservation

    @Test(
        "UC13, exception 5: no reservation is found for the code; the reason is shown, and nothing changes",
        arguments: Refusal.allCases.filter { $0.customerSentences != nil })
    func notFound(reason: Refusal) throws {
        var machine = FlowMachine.scanning()
        machine.scans(reason == .unreadableCode ? "rubbish" : Facts.code.rawValue)
        machine.answersLookUp(.failure(.refusal(reason)))
        #expect(try machine.shown(KioskState.codeRefused).reason == reason)
        machine.touches(.confirm, expecting: [])
        machine.goesHome(after: .seconds(20))
    }
}
