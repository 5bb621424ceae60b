import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("Calls for help in maintenance mode (rules: help-staff)")
struct StaffHelpFlowTests {
    private let other = MachineID("other")

    private func listed(_ calls: HelpCall..., at now: Duration) -> KioskEvent {
        .staff(.facts(Facts.ofStaff(at: now, help: calls)))
    }

    @Test("A new call beeps once; calls that were there, and those of a muted machine, do not")
    func beep() {
        var machine = FlowMachine.inside()
        let first = Facts.help(at: machine.now)
        machine.does(listed(first, at: machine.now), expecting: [])
        let second = Facts.help(at: machine.now, id: HelpCallID("help-2"), machine: other)
        machine.does(listed(first, second, at: machine.now), expecting: [.beep])
        machine.does(listed(first, second, at: machine.now), expecting: [])
        var muted = Facts.help(at: machine.now, id: HelpCallID("help-3"), machine: other)
        muted.mutedUntil = Facts.clock(at: machine.now + .seconds(60))
        machine.does(listed(first, second, muted, at: machine.now), expecting: [])
    }

    @Test(
        "What is done about a call is done in the staff member's name, and written down with its result",
        arguments: zip(
            StaffHelp.Action.allCases, ["help-going", "helped", "help-mistake", "help-muted"]))
    func actions(action: StaffHelp.Action, event: String) throws {
        var machine = FlowMachine.inside(.staff, on: .help)
        let help = StaffHelp(action, Facts.helpID)
        machine.touches(.staff(.ask(.help(help))))
        let attempt = machine.expectAsked { .answerHelp(help, by: "Giulia", $0) }
        machine.does(.staff(.done(attempt, .done)), expecting: [.noted(event, by: "Giulia")])
        machine.touchesLater(.staff(.ask(.help(help))))
        machine.does(.staff(.done(machine.lastKey, .backend(.unanswered))))
        #expect(machine.effects == [.noted("not-done", "\(event): unanswered", by: "Giulia")])
    }

    @Test("A call on the overview leads to its screen, and Back leads to the overview")
    func screen() throws {
        var machine = FlowMachine.inside().touched(.staff(.showPart(.help(Facts.helpID))))
        #expect(try machine.staffSession().screen == .help)
        #expect(try machine.staffSession().call == Facts.helpID)
        machine.touchesInTurn(.staff(.call(HelpCallID("help-2"))))
        #expect(try machine.staffSession().call == HelpCallID("help-2"))
        machine.touches(.cancel)
        #expect(try machine.staffSession().screen == .overview)
    }
}
