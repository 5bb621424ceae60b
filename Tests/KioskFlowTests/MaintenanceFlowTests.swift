import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Maintenance mode")
struct MaintenanceFlowTests {
    @Test("A right PIN starts a session; its start and end are recorded with the name")
    func inAndOut() {
        var machine = FlowMachine.atKeypad()
        machine.types("739146")
        machine.expectAsked { .checkPIN("739146", $0, holder: nil) }
        machine.answersPIN(.person(Facts.giulia))
        #expect(machine.effects == [.noted("entered", by: "Giulia"), .staff(.openMonitor)])
        machine.touchesLater(.leaveStaff)
        #expect(machine.effects.first == .noted("left", by: "Giulia"))
        #expect(machine.flow.state == .home)
    }

    @Test("Not available on a customer's screen, or if no staff member is known")
    func onlyResting() {
        for machine in [FlowMachine.offering(), .issued(), .scanning(), .soldOut(), .found()] {
            var machine = machine
            machine.does(.staffAsked)
            #expect(machine.flow.staffLeft(now: machine.now) == nil)
        }
        let unknown = FlowMachine.atHome().doing(.staffAsked)
        #expect(unknown.flow.state == .home)
        var out = FlowMachine.atHome(isStaffKnown: true)
        for _ in 0..<2 { out.does(.backend(.queue(.failure(.unanswered)))) }
        #expect(out.flow.state == .outOfService(.network))
        out.does(.staffAsked)
        #expect(out.flow.staffLeft(now: out.now) == 60)
    }

    @Test("It ends two minutes after the last touch; reports do not end it")
    func byItself() {
        var machine = FlowMachine.inside().waiting(.seconds(118)).after { $0.queueReported() }
        #expect(machine.flow.staffLeft(now: machine.now) == 1)
        machine.touches(nil)
        machine.waits(.seconds(119))
        #expect(machine.flow.staffLeft(now: machine.now) == 1)
        machine.goesHome(after: .seconds(1))
        #expect(machine.effects.contains(.noted("left", by: "Giulia")))
        #expect(machine.flow.staffFacts == nil)
    }

    @Test("After a wrong PIN the next attempt is possible only when its wait is over")
    func wrong() {
        var machine = FlowMachine.atKeypad()
        machine.types("824091")
        machine.answersPIN(.wrong(wait: .seconds(30)))
        #expect(machine.effects == [.noted("wrong-pin", "30 s")])
        machine.waits(.seconds(29))
        machine.types("739146", expecting: [])
        #expect(machine.flow.pinWait(now: machine.now) == 1)
        machine.waits(.seconds(1))
        machine.types("739146")
        #expect(machine.effects.count == 1)
        // A late answer to an older attempt has no effect.
        machine.does(.staff(.pin(AttemptKey("old"), .person(Facts.giulia))))
        #expect(machine.flow.staffFacts == nil && machine.effects.isEmpty)
    }

    @Test("A PIN that is too short is not checked, a ninth digit not taken, none of it is kept")
    func digits() {
        var machine = FlowMachine.atKeypad()
        machine.types("73914", expecting: [])
        machine.types("61234")
        machine.expectAsked { .checkPIN("73914612", $0, holder: nil) }
        #expect(!"\(machine.flow.state)".contains("73914612"))
    }

    @Test("Out of service stays so when the staff has left, until it is put in service again")
    func service() {
        var machine = FlowMachine.inside()
        machine.touchesInTurn(.openStaff(.machine))
        machine.touches(.putOutOfService)
        #expect(machine.effects.isEmpty && !machine.flow.service.isPutOut)
        machine.touchesLater(.staff(.yes))
        machine.expectEffects(
            .noted("out-of-service", "usual", by: "Giulia"),
            .program(.keepService(isPutOut: true)))
        machine.waits(.seconds(200))
        machine.queueReported()
        #expect(machine.flow.state == .outOfService(.staff))
        machine.touches(.getTicket, expecting: [])
        machine.logsIn()
        machine.touches(.putOutOfService)
        machine.goesHome(after: .seconds(200))
    }

    @Test("A test print is not repeated while one is under way, and its outcome is shown")
    func testPrint() {
        var machine = FlowMachine.inside(on: .printer).touching(.testPrint(1))
        let attempt = machine.expectAsked { .printTest(1, $0) }
        machine.touchesLater(.testPrint(0))
        #expect(machine.effects.isEmpty)
        // It may still come out: nothing is recorded yet.
        machine.does(.staff(.print(attempt, .failed(.jam), isOver: false)), expecting: [])
        machine.does(.staff(.print(attempt, .failed(.jam), isOver: true)))
        #expect(machine.effects == [.noted("not-done", "test-print 2: jam", by: "Giulia")])
        machine.touches(.testPrint(0))
        let second = machine.expectAsked { .printTest(0, $0) }
        machine.touchesLater(.leaveStaff)
        // The outcome is recorded even if the staff member has left.
        machine.does(.staff(.print(second, .printed, isOver: true)))
        #expect(machine.effects == [.noted("test-print", "1", by: "Giulia")])
    }

    @Test("If the keypad is not available, that is shown at once, and no digit is taken")
    func shut() {
        func asked(_ answer: PINAnswer?) -> FlowMachine {
            var machine = FlowMachine.atKeypad()
            let attempt = machine.expectAsked { .askPINAvailability($0, holder: nil) }
            machine.does(.staff(.availability(attempt, answer)))
            return machine
        }
        for answer in [PINAnswer.locked, .noStaff, .failed] {
            var machine = asked(answer)
            machine.types("739146")
            #expect(machine.effects.isEmpty, "\(answer)")
        }
        var waiting = asked(.early(wait: .seconds(90)))
        #expect(waiting.flow.pinWait(now: waiting.now) == 90)
        waiting.types("739146", expecting: [])
        var open = asked(nil)
        open.types("739146")
        #expect(open.effects.count == 1)
        // A badge opens the keypad for its holder, though it is not available without one.
        var locked = asked(.locked)
        let badge = StaffBadge(random: Array(0..<16))
        locked.scans(badge.rawValue)
        locked.does(.staff(.badge(locked.expectAsked { .checkBadge(badge, $0) }, Facts.giulia)))
        let attempt = locked.expectAsked { .askPINAvailability($0, holder: "Giulia") }
        locked.does(.staff(.availability(attempt, nil)))
        locked.types("739146")
        #expect(locked.effects.count == 1)
    }

    @Test("A paper is printed again for a reason, without a new place")
    func reprint() throws {
        var machine = FlowMachine.inside()
        let paper = Facts.paper()
        machine.touchesInTurn(.openStaff(.papers), .chooseReceipt(paper), .reprint(.torn))
        let visit = try machine.staffSession()
        #expect(visit.print?.progress == .under && visit.chosen == nil)
    }

    @Test("The pattern is left, right, left, right within five seconds, without other touches")
    func pattern() {
        func ends(_ touches: [(CornerPattern.Corner?, Int)]) -> Bool {
            var pattern = CornerPattern()
            return touches.map { pattern.touched($0.0, now: .milliseconds($0.1)) }.contains(true)
        }
        #expect(ends([(.left, 0), (.right, 500), (.left, 900), (.right, 5_000)]))
        #expect(ends([(.right, 0), (.left, 0), (.right, 500), (.left, 900), (.right, 5_000)]))
        #expect(!ends([(.left, 0), (.right, 500), (.left, 900), (.right, 5_001)]))
        #expect(!ends([(.left, 0), (.right, 1), (nil, 2), (.left, 3), (.right, 4)]))
        #expect(!ends([(.left, 0), (.left, 1), (.right, 2), (.right, 3)]))
    }
}
