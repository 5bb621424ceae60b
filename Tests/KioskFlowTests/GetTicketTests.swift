import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("Get a ticket [UC11]")
struct GetTicketTests {
    @Test("A customer touches, confirms and takes the paper; the machine goes Home by itself")
    func wholeJob() {
        var machine = FlowMachine.atHome().touching(.getTicket)
        #expect(machine.effects == [.backend(.takePlace(.ticket, AttemptKey("test-1")))])
        machine.waits(.milliseconds(50))
        machine.answersPlace(.success(Facts.place()))
        machine.waits(.seconds(2))
        machine.touches(.confirm)
        let key = AttemptKey("test-2")
        machine.expectEffects(
            .journal(.record(.intended(key, .place(Facts.hold)))),
            .backend(.confirm(.place(Facts.hold), key)))
        machine.waits(.milliseconds(20))
        let reservation = Facts.reservation(at: machine.now)
        machine.answersConfirmation(.success(reservation))
        let slip = Slip.reservation(reservation)
        #expect(
            machine.effects
                == .records(
                    .issued(key, slip), .language(key, "it"), .shown(key), .printing(key))
                + [.printer(.print(key, slip))])
        machine.waits(.seconds(2))
        machine.prints(.printed)
        #expect(machine.effects == [.journal(.record(.printed(key)))])
        #expect(machine.flow.countdown(now: machine.now) == 20)
        machine.waits(.seconds(19))
        #expect(machine.flow.countdown(now: machine.now) == 1)
        machine.goesHome(after: .seconds(1))
    }

    @Test("From 2:20 a warning counts down; a touch anywhere but on No only extends the time")
    func warning() throws {
        var machine = FlowMachine.offering().waiting(.seconds(138))
        #expect(machine.flow.warning(now: machine.now) == nil)
        machine.waits(.seconds(1))
        #expect(machine.flow.warning(now: machine.now) == 40)
        // The warning has only just come: the touch was meant for the offer.
        machine.touches(.cancel, expecting: [.backend(.extend(Facts.hold))])
        #expect(machine.flow.warning(now: machine.now) == nil)
        try requireCase(KioskState.offer, of: machine.flow.state)
    }

    @Test("No on the warning gives the place back, Yes and the key for it extend the time")
    func answers() throws {
        var machine = FlowMachine.offering()
        for action in [UserAction.stay, .confirm] {
            machine.waits(.seconds(145))
            machine.touches(action, expecting: [.backend(.extend(Facts.hold))])
            machine.answersExtension()
            #expect(machine.flow.warning(now: machine.now) == nil)
            try requireCase(KioskState.offer, of: machine.flow.state)
        }
        machine.waits(.seconds(145))
        machine.touches(.cancel)
        #expect(machine.effects.contains(.backend(.release(Facts.hold))))
        #expect(machine.flow.state == .home)
    }

    @Test(
        "Once a place cannot be extended again, the offer says so and its buttons work (rules: holds)"
    )
    func lastExtension() {
        var machine = FlowMachine.offering()
        var extensions = 0
        while case .offer(let offer) = machine.flow.state, offer.isExtendable {
            machine.waits(.seconds(139))
            machine.touches(nil)
            extensions += machine.effects.count { $0 == .backend(.extend(Facts.hold)) }
            machine.answersExtension()
            machine.waits(.seconds(1))
        }
        #expect(extensions == KioskTiming.extensions)
        machine.waits(.seconds(170))
        #expect(machine.flow.timeLeft(now: machine.now) == 9)
        // No warning covers the offer, as it would promise more time for a touch.
        #expect(machine.flow.warning(now: machine.now) == nil)
        machine.touches(.confirm)
        #expect(
            machine.effects.contains { if case .backend(.confirm) = $0 { true } else { false } })
    }

    @Test("The screen never outlasts the hold, even if the backend does not extend it")
    func shortHold() {
        var machine = FlowMachine.offering(lifetime: .seconds(60)).waiting(.seconds(48))
        #expect(machine.flow.state != .home)
        machine.goesHome(after: .seconds(1))
        #expect(machine.effects == [.backend(.release(Facts.hold)), .refresh])
    }

    @Test("Extensions come at most every 30 s and at most ten times")
    func extensions() {
        var machine = FlowMachine.offering(lifetime: .seconds(190))
        var extended = 0
        for _ in 0..<60 {
            machine.touches(nil)
            if machine.effects == [.backend(.extend(Facts.hold))] {
                extended += 1
                machine.answersExtension(lifetime: .seconds(190))
            }
            machine.waits(.seconds(20))
        }
        #expect(extended == 10)
        #expect(machine.flow.state == .home)
    }

    @Test("A double tap on Get a ticket asks for one place, and does not confirm the offer")
    func doubleTap() {
        var machine = FlowMachine.atHome().touching(.getTicket).waiting(.milliseconds(100))
        machine.touches(.getTicket, expecting: [])
        machine.answersPlace(.success(Facts.place()))
        machine.waits(.milliseconds(100))
        machine.touches(.confirm, expecting: [])
        machine.waits(.milliseconds(400))
        machine.touches(.confirm)
        #expect(machine.effects.count == 2)
        machine.touches(.confirm, expecting: [])
    }

    @Test("A shop that closed meanwhile is shown as closed")
    func closedMeanwhile() {
        var machine = FlowMachine.atHome().touching(.getTicket)
        machine.answersPlace(.failure(.refusal(.shopClosed)))
        #expect(machine.flow.state == .closed(opens: nil))
    }

    @Test(
        "If no place could be had, the customer sees that for long enough to read it",
        arguments: [
            (BackendFailure.unanswered, OutOfService.network), (.refusal(.unavailable), .busy),
            (.notUnderstood, .notUnderstood), (.refusal(.notAuthentic), .notAuthentic),
            (.refusal(.malformed), .notUnderstood),
        ])
    func noPlace(failure: BackendFailure, reason: OutOfService) throws {
        var machine = FlowMachine.atHome().touching(.getTicket)
        machine.answersPlace(.failure(failure))
        machine.queueReported()
        #expect(try machine.shown(KioskState.requestFailed).reason == reason)
        machine.goesHome(after: .seconds(20))
    }

    @Test("A place that expired while it was extended is offered again, with a notice")
    func expiredExtension() throws {
        var machine = FlowMachine.offering(lifetime: .seconds(190)).touching(nil)
        machine.does(.backend(.extended(Facts.hold, .failure(.refusal(.holdExpired)))))
        machine.answersPlace(.success(Facts.place(id: ReservationID("hold-2"))))
        let offer = try requireCase(KioskState.offer, of: machine.flow.state)
        #expect(offer.renewed)
        #expect(offer.place.id == ReservationID("hold-2"))
    }
}
