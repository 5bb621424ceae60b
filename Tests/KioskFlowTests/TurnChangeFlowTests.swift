import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("More time, and a missed call (rules: more-time)")
struct TurnChangeFlowTests {
    // MARK: More time

    @Test("The customer sees what each choice costs, chooses one, and reads the new time")
    func delay() throws {
        var machine = FlowMachine.found(Facts.delayable()).touching(.openDelays)
        #expect(machine.effects.isEmpty)
        #expect(try machine.shown(KioskState.delayOffers).delayOffers.map(\.people) == [2, 5])
        machine.touchesLater(.delay(people: 5))
        machine.expectEffects(
            .backend(
                .changeTurn(
                    .delay(people: 5), Facts.hold, .entry(Facts.code), AttemptKey("test-2"))))
        var delayed = Facts.found()
        delayed.wait = Facts.wait(at: .zero, minutes: 55)
        machine.answersTurnChange(.success(delayed))
        #expect(machine.effects == [.refresh])
        let changed = try requireCase(KioskState.turnChanged, of: machine.flow.state)
        #expect(changed.reservation == delayed && changed.change == .delay(people: 5))
        machine.waits(.seconds(19))
        #expect(machine.flow.countdown(now: machine.now) == 1)
        machine.goesHome(after: .seconds(1))
    }

    @Test("The second of two taps, and a number of people that is not offered, choose nothing")
    func notChosen() throws {
        let opened = FlowMachine.found(Facts.delayable()).touching(.openDelays)
        for (start, people) in [
            (opened.waiting(.milliseconds(200)), 2), (.offeringDelays(), 10),
        ] as [(FlowMachine, Int)] {
            let machine = start.touching(.delay(people: people))
            #expect(machine.effects.isEmpty)
            try requireCase(KioskState.delayOffers, of: machine.flow.state)
        }
    }

    @Test(
        "A reservation without offers, as an older backend sends it, gets no more time",
        arguments: [ReservationStatus.planned, .called])
    func noOffers(_ status: ReservationStatus) throws {
        var machine = FlowMachine.found(Facts.found(status))
        for action in [UserAction.openDelays, .delay(people: 2), .reclaim] {
            machine.touches(action, expecting: [])
            try requireCase(KioskState.found, of: machine.flow.state)
        }
    }

    // MARK: A missed call

    @Test("A missed place is taken back: the customer is called at once, or waits")
    func reclaim() throws {
        var called = Facts.found(.called)
        called.enterBy = Facts.clock(at: .minutes(10))
        for answer in [called, Facts.found()] {
            var machine = FlowMachine.found(Facts.missed())
            #expect(try machine.shown(KioskState.missedCall).reservation == Facts.missed())
            machine.touches(.reclaim)
            machine.expectEffects(
                .backend(
                    .changeTurn(
                        .reclaim, Facts.hold, .entry(Facts.code), AttemptKey("test-2"))))
            machine.answersTurnChange(.success(answer))
            #expect(machine.effects == [.refresh])
            let changed = try requireCase(KioskState.turnChanged, of: machine.flow.state)
            #expect(changed.reservation == answer && changed.change == .reclaim)
        }
    }

    @Test("A missed place is left alone by any other touch, and No leads Home")
    func notReclaimed() throws {
        var machine = FlowMachine.found(Facts.missed())
        for action in [UserAction.giveUp, .openDelays, .delay(people: 2), .confirm] {
            machine.touches(action, expecting: [])
            try requireCase(KioskState.missedCall, of: machine.flow.state)
        }
        machine.touches(.cancel)
        #expect(machine.effects == [.refresh] && machine.flow.state == .home)
    }

    // MARK: Failures

    private static let changes: [(TurnChange, FlowMachine, UserAction)] = [
        (.delay(people: 2), .offeringDelays(), .delay(people: 2)),
        (.reclaim, .found(Facts.missed()), .reclaim),
    ]

    @Test("A refused change has its sentence, and the ticket can be shown again at once")
    func refused() throws {
        for (index, (_, start, action)) in Self.changes.enumerated() {
            let reasons: [Refusal] = index == 0 ? [.noDelay, .missed] : [.missed, .stillValid]
            for reason in reasons {
                var machine = start.touching(action)
                machine.answersTurnChange(.failure(.refusal(reason)))
                let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
                #expect(refused.reason == reason && refused.typed == nil)
                try finds(&machine)
            }
        }
    }

    /// The ticket is shown again.
    private func finds(_ machine: inout FlowMachine) throws {
        machine.scans(Facts.code.rawValue)
        machine.answersLookUp(.success(Facts.found()))
        try requireCase(KioskState.found, of: machine.flow.state)
    }

    @Test("A change without an answer is not shown as done, and the ticket can be shown again")
    func unanswered() throws {
        for (change, start, action) in Self.changes {
            var machine = start.touching(action).waiting(.seconds(5))
            try requireCase(KioskState.changingTurn, of: machine.flow.state)
            machine.answersTurnChange(.failure(.unanswered))
            #expect(machine.effects == [.refresh])
            let failed = try requireCase(KioskState.requestFailed, of: machine.flow.state)
            #expect(failed.change == .turn(change) && failed.reason == .network)
            try finds(&machine)
        }
    }

    @Test("Touches while the change is under way do nothing, nor does an answer to another attempt")
    func underWay() throws {
        for (_, start, action) in Self.changes {
            var machine = start.touching(action).waiting(.seconds(1))
            machine.does(.backend(.turnChanged(AttemptKey("test-1"), .success(Facts.found()))))
            for touch in [UserAction.cancel, action, .done] {
                machine.touches(touch, expecting: [])
            }
            try requireCase(KioskState.changingTurn, of: machine.flow.state)
        }
    }
}
