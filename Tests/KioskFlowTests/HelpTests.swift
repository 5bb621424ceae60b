import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("A customer calls for help (rules: help, help-screen, help-answers)")
struct HelpTests {
    // MARK: The question

    @Test("Help asks one question, and makes no call before the answer")
    func question() throws {
        let machine = FlowMachine.atHome().touching(.help(.open))
        let question = try requireCase(HelpState.asking, of: machine.flow.help)
        #expect(!question.isLong)
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.isHelpShown && machine.flow.state == .home)
    }

    @Test("Yes calls the staff, and the machine keeps asking how the call goes on")
    func yes() throws {
        var machine = FlowMachine.askingForHelp().touching(.help(.call))
        let key = try #require(machine.lastHelpKey)
        #expect(machine.effects == [.help(.call(key))])
        machine.answersHelp(.success(Facts.help(at: machine.now)))
        #expect(machine.effects == [.noted("help-called")])
        #expect(machine.flow.isHelpShown)
        machine.waits(.seconds(1), expecting: [.help(.follow)])
        machine.lists(Facts.help(at: machine.now))
        machine.waits(.seconds(1), expecting: [.help(.follow)])
    }

    @Test(
        "No makes no call, and no answer is none: after 30 s without a touch the question goes away"
    )
    func unanswered() {
        let declined = FlowMachine.askingForHelp().touching(.help(.decline))
        #expect(declined.flow.help == .none && declined.effects.isEmpty)
        var machine = FlowMachine.askingForHelp().waiting(.seconds(28))
        #expect(machine.flow.isHelpShown)
        machine.touches(nil)
        machine.waits(.seconds(29))
        #expect(machine.flow.isHelpShown)
        machine.waits(.seconds(1))
        #expect(machine.flow.help == .none)
        #expect(machine.effects.isEmpty)
    }

    @Test("The second tap of a double tap on Help answers nothing")
    func doubleTap() throws {
        var machine = FlowMachine.atHome().touching(.help(.open)).waiting(.milliseconds(300))
        machine.touches(.help(.call), expecting: [])
        try requireCase(HelpState.asking, of: machine.flow.help)
    }

    @Test("An answer that comes when nothing is asked does nothing")
    func noQuestion() {
        for touch in [HelpTouch.call, .decline, .mistake, .leave] {
            var machine = FlowMachine.offering()
            let before = machine.flow.state
            machine.touches(.help(touch))
            #expect(machine.effects.isEmpty && machine.flow.help == .none)
            #expect(machine.flow.state == before)
        }
    }

    @Test("Languages, letters and voice work on the question, and it stays")
    func access() {
        var machine = FlowMachine.askingForHelp()
        machine.touchesInTurn(.openLanguages, .choose(language: "en"), .changeAppearance)
        #expect(machine.flow.access.language == "en" && machine.flow.access.appearance == .large)
        #expect(machine.flow.isHelpShown)
    }

    // MARK: The open call

    @Test("When a staff member goes, the machine knows it, with the name only if the shop shows it")
    func going() throws {
        var machine = FlowMachine.helpCalled()
        machine.lists(Facts.help(at: machine.now, going: true))
        #expect(try machine.openHelp().call.going != nil && machine.openHelp().call.by == nil)
        machine.lists(Facts.help(at: machine.now, going: true, by: "Giulia"))
        #expect(try machine.openHelp().call.by == "Giulia")
    }

    @Test("After a minute the call is a band, which is followed less often, and tickets are given")
    func band() throws {
        var machine = FlowMachine.helpCalled().waiting(.seconds(59))
        #expect(machine.flow.isHelpShown)
        machine.waits(.seconds(1))
        #expect(!machine.flow.isHelpShown)
        _ = try machine.openHelp()
        machine.lists(Facts.help(at: machine.now))
        machine.waits(.milliseconds(2_900), expecting: [])
        machine.waits(.milliseconds(100), expecting: [.help(.follow)])
        machine.touches(.getTicket)
        #expect(machine.effects == [.backend(.takePlace(.ticket, AttemptKey("test-2")))])
    }

    @Test("The customer can go on with tickets at once, and Help shows the call again")
    func leaves() {
        var machine = FlowMachine.helpCalled().waiting(.seconds(1)).touching(.help(.leave))
        #expect(!machine.flow.isHelpShown && machine.flow.help.openCall != nil)
        machine.waits(.seconds(1))
        machine.lists(Facts.help(at: machine.now))
        machine.touches(.help(.open))
        #expect(machine.flow.isHelpShown)
        #expect(machine.effects == [.help(.follow)])
        // It does not stay for ever.
        machine.waits(.seconds(60))
        #expect(!machine.flow.isHelpShown && machine.flow.help.openCall != nil)
    }

    @Test(
        "It was a mistake ends the call within a minute, and is tried again; later only the staff does"
    )
    func mistake() throws {
        var machine = FlowMachine.helpCalled().waiting(.seconds(1)).touching(.help(.mistake))
        let key = try #require(machine.openHelp().mistake)
        #expect(machine.effects == [.help(.endAsMistake(Facts.helpID, key))])
        let lost = machine.doing(.help(.ended(key, .failure(.unanswered))))
        #expect(lost.flow.isHelpShown && lost.flow.mayHelpBeMistake(now: lost.now))
        machine.does(.help(.ended(key, .success(Facts.help(at: .zero, ended: .mistake)))))
        #expect(machine.flow.help == .none)
        #expect(machine.effects == [.noted("help-mistake")])
        var late = FlowMachine.helpCalled().waiting(.seconds(61)).touched(.help(.open))
        late.touches(.help(.mistake))
        #expect(late.flow.help.openCall != nil && !late.effects.contains { $0.isEnd })
    }

    @Test("Helped by the staff, the call is over", arguments: HelpCall.End.allCases)
    func ended(end: HelpCall.End) {
        var machine = FlowMachine.helpCalled()
        machine.lists(Facts.help(at: machine.now, ended: end))
        #expect(machine.flow.help == .none)
        machine.waits(.minutes(5))
        #expect(!machine.effects.contains(.help(.follow)))
    }

    @Test("A call that is not listed is over only when it has been known for more than 10 s")
    func unlisted() {
        var machine = FlowMachine.helpCalled().waiting(.seconds(10)).after { $0.lists() }
        #expect(machine.flow.help.openCall != nil)
        machine.waits(.seconds(1))
        machine.lists()
        #expect(machine.flow.help == .none)
    }

    @Test("After three mistakes in ten minutes the question says more, for ten minutes")
    func threeMistakes() throws {
        var machine = FlowMachine.atHome()
        for _ in 0..<3 {
            machine.touchesInTurn(.help(.open))
            let question = try requireCase(HelpState.asking, of: machine.flow.help)
            #expect(!question.isLong)
            machine.calls()
            // Staff members end it as a mistake too.
            machine.lists(Facts.help(at: machine.now, ended: .mistake))
            machine.waits(.seconds(1))
        }
        machine.touches(.help(.open))
        #expect(try requireCase(HelpState.asking, of: machine.flow.help).isLong)
        machine.waits(.minutes(10))
        machine.touches(.help(.open))
        #expect(try !requireCase(HelpState.asking, of: machine.flow.help).isLong)
    }

    // MARK: After a start

    @Test("After a start the machine asks once, and finds its own open call")
    func found() throws {
        var machine = FlowMachine().doing(.started(KioskEvent.Kept()))
        machine.does(.backend(.profile(Facts.shop)))
        machine.queueReported()
        #expect(machine.effects == [.help(.follow)])
        let other = Facts.help(at: .zero, id: HelpCallID("help-0"), machine: MachineID("other"))
        machine.lists(other, Facts.help(at: machine.now - .seconds(20)))
        #expect(try machine.openHelp().call.id == Facts.helpID)
        #expect(!machine.flow.isHelpShown)
        #expect(machine.flow.mayHelpBeMistake(now: machine.now + .seconds(39)))
        #expect(!machine.flow.mayHelpBeMistake(now: machine.now + .seconds(40)))
    }

    @Test("Without a call the machine does not ask again; without an answer it does")
    func foundNone() {
        var machine = FlowMachine.atHome().doing(.help(.calls(.failure(.unanswered))))
        machine.queueReported()
        #expect(machine.effects == [.help(.follow)])
        machine.lists()
        machine.queueReported()
        #expect(machine.effects.isEmpty)
    }
}

extension KioskEffect {
    fileprivate var isEnd: Bool { if case .help(.endAsMistake) = self { true } else { false } }
}
