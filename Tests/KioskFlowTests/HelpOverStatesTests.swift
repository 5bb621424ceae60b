import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("What the machine does goes on under a call for help (rules: help-screen)")
struct HelpOverStatesTests {
    @Test("A place is held while the customer calls for help, and its time begins again afterwards")
    func hold() throws {
        var machine = FlowMachine.offering().waiting(.seconds(100)).touching(.help(.open))
        #expect(machine.effects == [.backend(.extend(Facts.hold))])
        machine.answersExtension()
        machine.waits(.seconds(1))
        machine.calls()
        machine.waits(.seconds(50))
        #expect(machine.flow.warning(now: machine.now) == nil)
        machine.waits(.seconds(10))
        #expect(!machine.flow.isHelpShown)
        #expect(machine.effects.contains(.backend(.extend(Facts.hold))))
        machine.answersExtension()
        machine.waits(.seconds(139))
        #expect(machine.flow.warning(now: machine.now) == nil)
        try requireCase(KioskState.offer, of: machine.flow.state)
        machine.touches(.confirm)
        try requireCase(KioskState.confirming, of: machine.flow.state)
    }

    @Test("A place that expired meanwhile is asked for again, as on Confirm")
    func expired() throws {
        var machine = FlowMachine.offering(lifetime: .seconds(40)).touched(.help(.open))
        machine.calls()
        machine.waits(.seconds(60))
        let asking = try requireCase(KioskState.asking, of: machine.flow.state)
        #expect(asking.renewed && asking.kind == .ticket)
    }

    @Test("A confirmation without an answer is repeated under the question and the call")
    func unresolved() throws {
        var machine = FlowMachine.offering().touching(.confirm)
        machine.answersConfirmation(.failure(.unanswered))
        let key = try #require(machine.key)
        machine.touchesLater(.help(.open))
        machine.waits(.seconds(2))
        #expect(machine.effects.contains(.backend(.confirm(.place(Facts.hold), key))))
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        #expect(machine.effects.contains { if case .printer(.print) = $0 { true } else { false } })
        #expect(machine.flow.isHelpShown)
        machine.waits(.seconds(40))
        // The ticket is there when the question has gone, and stays long enough to be read.
        machine.prints(.printed)
        #expect(!machine.flow.isHelpShown)
        try requireCase(KioskState.issued, of: machine.flow.state)
    }

    static let finishedScreens: [FlowMachine] = [
        .issued().printing(.printed),
        .atHome().touching(.getTicket).after { $0.answersPlace(.failure(.unanswered)) },
        .offeringDelays().touching(.delay(people: 2))
            .after { $0.answersTurnChange(.success(Facts.found())) },
    ]

    @Test("A finished screen does not close unseen", arguments: finishedScreens, [false, true])
    func finished(start: FlowMachine, isDeclined: Bool) {
        var machine = start.waiting(.seconds(15)).touching(.help(.open)).waiting(.seconds(29))
        #expect(machine.flow.isHelpShown)
        #expect(machine.flow.countdown(now: machine.now) == nil)
        if isDeclined { machine.touches(.help(.decline)) } else { machine.waits(.seconds(1)) }
        #expect(machine.flow.state.name == start.flow.state.name)
        #expect(machine.flow.countdown(now: machine.now) == 20)
    }

    @Test("A touch that was meant for the screen below does nothing while help is shown")
    func covered() throws {
        for action in [UserAction.confirm, .cancel, .getTicket, .done, .digit(3)] {
            let machine = FlowMachine.offering().touched(.help(.open)).touching(action)
            try requireCase(KioskState.offer, of: machine.flow.state)
            try requireCase(HelpState.asking, of: machine.flow.help)
            #expect(!machine.effects.contains(.backend(.release(Facts.hold))))
        }
    }

    @Test("A code that is read while help is shown is a beep")
    func scan() {
        let machine = FlowMachine.askingForHelp().reading(Facts.code.rawValue)
        #expect(machine.effects == [.beep] && machine.flow.state == .home)
    }

    @Test("On the warning, Help keeps the place and asks")
    func warning() throws {
        var machine = FlowMachine.offering().waiting(.seconds(150))
        #expect(machine.flow.warning(now: machine.now) != nil)
        machine.touches(.help(.open), expecting: [.backend(.extend(Facts.hold))])
        try requireCase(HelpState.asking, of: machine.flow.help)
        #expect(machine.flow.warning(now: machine.now) == nil)
    }

    @Test("The customer's language and letters stay while help is shown, and a restart waits")
    func keptSettings() {
        var machine = FlowMachine.atHome()
        machine.touchesInTurn(.changeAppearance, .help(.open))
        machine.touches(.help(.call))
        machine.answersHelp(.failure(.unanswered))
        machine.does(.newVersionFound)
        machine.waits(.seconds(115))
        machine.does(.timePassed)
        #expect(machine.flow.access.appearance == .large)
        #expect(!machine.effects.contains(.program(.restartIntoNewVersion)))
        machine.touches(.help(.leave))
        machine.waits(.seconds(60))
        #expect(machine.flow.access.appearance == .normal)
    }

    @Test("A staff member comes in over a call; a question goes away, and the call stays open")
    func staff() throws {
        var asking = FlowMachine.atHome(isStaffKnown: true).touching(.help(.open))
        asking.does(.staffAsked)
        try requireCase(KioskState.pinEntry, of: asking.flow.state)
        #expect(asking.flow.help == .none)
        var called = FlowMachine.atHome(isStaffKnown: true).touched(.help(.open))
        called.calls()
        called.does(.staffAsked)
        #expect(!called.flow.isHelpShown && called.flow.help.openCall != nil)
        called.touches(.help(.open))
        #expect(!called.flow.isHelpShown)
    }
}
