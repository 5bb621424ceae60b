import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("The paper can fail, the reservation cannot (rules: no-printout)")
struct PaperTests {
    @Test(
        "With a printer in trouble nothing is printed: the code is shown for 60 s",
        arguments: [(FlowMachine.offering(), .confirm), (.showing(Facts.order(.onShelf)), .arrive)]
            as [(FlowMachine, UserAction)])
    func troubleBefore(start: FlowMachine, yes: UserAction) throws {
        var machine = start.doing(.printer(.condition(PrinterCondition(trouble: .noPaper))))
        machine.touches(yes)
        machine.isAnswered()
        let issued = try requireCase(KioskState.issued, of: machine.flow.state)
        #expect(
            machine.effects
                == .records(
                    .issued(issued.key, issued.slip), .language(issued.key, "it"),
                    .shown(issued.key), .notPrinted(issued.key, .noPaper)))
        #expect(issued.paper == .shownOnly(.noPaper))
        #expect(machine.flow.countdown(now: machine.now) == 60)
    }

    @Test("A paper without any report of the printer does not keep the screen: code, then Home")
    func nothingHeard() {
        var machine = FlowMachine.issued().waiting(.seconds(12))
        #expect(machine.paper == .late(.silent))
        machine.goesHome(after: .seconds(60))
    }

    static let issued = [FlowMachine.issued(), .issuedOrder()]

    @Test(
        "Trouble while printing shows the code at once; a failed job keeps it there",
        arguments: issued)
    func troubleMeanwhile(start: FlowMachine) throws {
        var machine = start.printing(.submitted(job: 7))
        let key = try #require(machine.key)
        #expect(machine.flow.countdown(now: machine.now) == nil)
        machine.prints(.troubled(.jam))
        #expect(machine.paper == .late(.jam))
        machine.waits(.seconds(6))
        machine.prints(.failed(.jam))
        #expect(machine.effects.contains(.journal(.record(.notPrinted(key, .jam)))))
        #expect(machine.paper == .shownOnly(.jam))
        #expect(machine.flow.countdown(now: machine.now) == 60)
    }

    @Test("A paper that comes out after all leaves the time to read the code")
    func lateButPrinted() {
        var machine = FlowMachine.issued().printing(.troubled(.silent)).waiting(.seconds(2))
        machine.prints(.printed)
        #expect(machine.paper == .printed)
        #expect(machine.flow.countdown(now: machine.now) == 60)
    }

    @Test("A touch on a finished screen gives more time; Done goes Home")
    func moreTime() {
        var machine = FlowMachine.issued().printing(.printed).waiting(.seconds(15))
        machine.touches(nil)
        #expect(machine.flow.countdown(now: machine.now) == 20)
        machine.touchesLater(.done)
        #expect(machine.flow.state == .home)
    }

    @Test("A paper whose outcome is open stays with its customer, and no other does")
    func left() {
        for (progress, isLeft) in [
            (PrintProgress.submitted(job: 7), true), (.troubled(.noPaper), true),
            (.printed, false), (.failed(.noPaper), false),
        ] {
            for leaves in [
                { $0.touches(.done) }, { $0.scans(Facts.code.rawValue) },
            ] as [(inout FlowMachine) -> Void] {
                var machine = FlowMachine.issued()
                let key = machine.key!
                machine.prints(progress)
                leaves(&machine)
                #expect(machine.effects.contains(.printer(.leave(key))) == isLeft, "\(progress)")
            }
        }
    }

    @Test(
        "A customer who leaves while it prints does not lose the paper's record", arguments: issued)
    func leavesEarly(start: FlowMachine) throws {
        let key = try #require(start.key)
        for before in [start, start.printing(.troubled(.jam)).waiting(.seconds(1))] {
            let left = before.touching(.done)
            #expect(left.effects == [.printer(.leave(key)), .refresh] && left.flow.state == .home)
            for (progress, effects) in [
                (PrintProgress.printed, .records(.printed(key))),
                (.failed(.jam), .records(.notPrinted(key, .jam)) + [.refresh]),
            ] as [(PrintProgress, [KioskEffect])] {
                let late = left.doing(.printer(.progress(key, progress)))
                #expect(late.effects == effects && late.flow.state == .home)
            }
        }
    }
}

extension FlowMachine {
    var paper: Issued.Paper? {
        if case .issued(let issued) = flow.state { issued.paper } else { nil }
    }
}
