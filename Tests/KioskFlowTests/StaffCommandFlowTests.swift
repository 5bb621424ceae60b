import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("The staff's commands in maintenance mode")
struct StaffCommandFlowTests {
    private let number = QueueNumber(rawValue: 42)!

    @Test("A number is typed and called again; only deleting needs a yes, and Back does nothing")
    func numbers() throws {
        var machine = FlowMachine.inside(.staff, on: .queue)
        machine.touches(.staff(.type(.number(.callAgain))))
        machine.types("42")
        let attempt = machine.expectAsked {
            .correctQueue(.reservation(.callAgain, number), by: "Giulia", closes: nil, $0)
        }
        machine.does(.staff(.done(attempt, .backend(.refusal(.full)))))
        #expect(machine.effects == [.noted("not-done", "called-again 042: full", by: "Giulia")])
        machine.does(.staff(.done(attempt, .done)), expecting: [])
        machine.waits(.seconds(1))
        for isSure in [false, true] {
            machine.touches(.staff(.type(.number(.delete))))
            machine.types("42", expecting: [])
            #expect(try machine.staffSession().question == .queue(.reservation(.delete, number)))
            machine.touchesLater(isSure ? .staff(.yes) : .cancel)
            #expect(machine.effects.isEmpty != isSure)
            machine.waits(.seconds(1))
        }
    }

    @Test("A paper that may be missing is printed again, found, or given back after a yes")
    func missing() throws {
        let paper = Facts.paper(.queue(number), .unknown)
        func chosen() throws -> FlowMachine {
            var machine = FlowMachine.inside(.staff).touching(.staff(.showPart(.missing(paper))))
            #expect(try machine.staffSession().screen == .papers)
            #expect(try machine.staffSession().chosen == paper)
            machine.waits(.seconds(1))
            return machine
        }
        var machine = try chosen().touching(.reprint(.neverCame))
        machine.expectAsked { .reprint(paper, $0) }
        machine = try chosen()
        machine.touches(.staff(.ask(.paper(.found, paper))))
        let found = machine.expectAsked { .seeToPaper(.found, paper, $0) }
        #expect(try machine.staffSession().chosen == nil)
        machine.does(.staff(.done(found, .done)))
        #expect(machine.effects == [.noted("paper-found", "042", by: "Giulia")])
        for isSure in [false, true] {
            machine = try chosen()
            machine.touches(.staff(.ask(.paper(.giveBack, paper))), expecting: [])
            machine.touchesLater(isSure ? .staff(.yes) : .cancel)
            guard isSure else {
                #expect(machine.effects.isEmpty)
                continue
            }
            let attempt = machine.expectAsked { .seeToPaper(.giveBack, paper, $0) }
            machine.does(.staff(.done(attempt, .backend(.refusal(.alreadyUsed)))))
            #expect(machine.effects == [.noted("not-done", "deleted 042: used", by: "Giulia")])
        }
    }

    @Test("A manager who is removed, locked or demoted during the session is logged out")
    func removedMeanwhile() throws {
        func member(_ person: StaffPerson, isLocked: Bool = false) -> StaffMember {
            StaffMember(person: person, isLocked: isLocked, hasBadge: false)
        }
        let marco = member(StaffPerson(name: "Marco", role: .manager))
        let others: [[StaffMember]] = [
            [marco], [marco, member(Facts.giulia, isLocked: true)],
            [marco, member(StaffPerson(name: "Giulia", role: .staff))],
        ]
        for members in [[], [marco, member(Facts.giulia)]] + others {
            var machine = FlowMachine.inside(on: .people)
            var facts = StaffFacts()
            machine.does(.staff(.facts(facts)))
            #expect(throws: Never.self) { try machine.staffSession() }
            facts.members = members
            machine.does(.staff(.facts(facts)))
            let isIn = machine.flow.state.name == "staff"
            #expect(isIn == !others.contains(members))
            #expect(isIn || machine.effects.first == .noted("left", by: "Giulia"))
        }
    }

    @Test("Only a manager may report more people than the capacity, and must confirm it")
    func people() throws {
        for (role, people, isAsked) in [
            (StaffPerson.Role.staff, "6", true), (.staff, "7", false), (.staff, "999", false),
            (.manager, "999", true),
        ] {
            var machine = FlowMachine.inside(role, on: .queue)
            machine.does(.staff(.facts(Facts.ofStaff(people: 4, capacity: 6))))
            machine.touches(.staff(.type(.people)))
            machine.types(people, expecting: [])
            let visit = try machine.staffSession()
            #expect(
                (visit.question == .queue(.occupancy(people: Int(people)!))) == isAsked, "\(people)"
            )
            #expect((visit.form?.fault == .beyond(capacity: 6)) == !isAsked, "\(people)")
        }
    }

    @Test("No command that takes something away is carried out without a yes")
    func destructive() throws {
        let commands: [StaffCommand] = [
            .queue(.reservation(.delete, number)), .queue(.sendHome), .queue(.occupancy(people: 3)),
            .people(.lock("Marco")), .people(.remove("Marco")), .people(.revokeBadge("Marco")),
            .cancelJob(printer: 0, job: 7), .restartProgram, .restartMachine, .putOut(nil),
        ]
        for command in commands {
            var machine = FlowMachine.inside(on: .machine).touching(.staff(.ask(command)))
            #expect(machine.effects.isEmpty, "\(command)")
            machine.touchesLater(.staff(.yes))
            #expect(!machine.effects.isEmpty, "\(command)")
        }
        for command in [
            StaffCommand.queue(.reservation(.restore, number)), .queue(.openAgain),
            .queue(.endTickets), .people(.unlock("Marco")),
        ] {
            let machine = FlowMachine.inside(on: .machine).touching(.staff(.ask(command)))
            #expect(machine.effects.count == 1, "\(command)")
        }
    }

    @Test("A paper that was photographed gets a new code; one of an order keeps its own")
    func photographed() {
        for paper in [
            Facts.paper(.queue(number)), Facts.paper(.pickup(PickupNumber(rawValue: 1)!)),
        ] {
            var machine = FlowMachine.inside(.staff, on: .papers).touched(.chooseReceipt(paper))
            machine.touches(.reprint(.photographed))
            guard case .queue = paper.number else {
                #expect(machine.effects.isEmpty)
                continue
            }
            let attempt = machine.expectAsked { .renewCode(paper, by: "Giulia", $0) }
            machine.does(.staff(.print(attempt, .printed, isOver: true)))
            #expect(machine.effects == [.noted("reprint", "042 photographed", by: "Giulia")])
        }
    }

    @Test("The eight digits of a blocked phone are typed and sent, and are in no event")
    func unblocks() throws {
        let reference = try #require(BlockReference(rawValue: "12345678"))
        for role in StaffPerson.Role.allCases {
            var machine = FlowMachine.inside(role, on: .phones).touching(.staff(.type(.reference)))
            machine.types("1234567", expecting: [])
            #expect(try machine.staffSession().form?.fault == .reference)
            // There is no place for a ninth digit.
            machine.types("89")
            let attempt = machine.expectAsked {
                .correctQueue(.unblock(reference), by: "Giulia", closes: nil, $0)
            }
            machine.does(.staff(.done(attempt, .done)))
            #expect(machine.effects == [.noted("phone-unblocked", "", by: "Giulia")])
            let session = try machine.staffSession()
            #expect(session.outcome?.answer == .done && session.screen == .phones)
        }
    }

    @Test("A command is recorded once, with its outcome, even if the staff member has left")
    func noted() {
        for hasLeft in [false, true] {
            for (answer, reason) in [
                (StaffCommandAnswer.done, nil), (.people(.lastManager), "last-manager"),
                (.failed, "failed"),
            ] as [(StaffCommandAnswer, String?)] {
                var machine = FlowMachine.inside(on: .people)
                machine.touches(.staff(.ask(.people(.unlock("Marco")))))
                let attempt = machine.expectAsked {
                    .changeStaffList(.unlock("Marco"), pin: "", $0)
                }
                machine.waits(.seconds(1))
                if hasLeft { machine.touches(.leaveStaff) }
                machine.does(.staff(.done(attempt, answer)))
                let note: KioskEffect =
                    reason.map {
                        .noted("not-done", "person-unlocked Marco: \($0)", by: "Giulia")
                    } ?? .noted("person-unlocked", "Marco", by: "Giulia")
                #expect(machine.effects == [note])
                machine.does(.staff(.done(attempt, answer)), expecting: [])
            }
        }
    }

    @Test("A failed command is read back as it was written, even with colons in names")
    func notDone() {
        let reasons: [MachineEvent.Reason] = [
            .people(.commonPIN), .people(.lastManager), .printer(.noPaper), .failed,
            .backend(.unanswered), .backend(.refusal(.full)), .unknown("later"),
        ]
        let asked: [MachineEvent.What] = [
            .number(.calledAgain, .queue(number)),
            .number(.found, .pickup(PickupNumber(rawValue: 17)!)), .person(.locked, "Rossi: Marco"),
            .plain(.openedAgain), .jobCancelled(printer: 1, job: 7),
        ]
        for reason in reasons {
            for what in asked.map({ MachineEvent.What.notDone($0, reason) }) {
                #expect(MachineEvent.What(kind: what.text.kind, detail: what.text.detail) == what)
            }
        }
        // Several refusals may have the same word; the one that is read is written as that word again.
        for refusal in Refusal.allCases {
            let text = MachineEvent.What.notDone(asked[0], .backend(.refusal(refusal))).text
            #expect(MachineEvent.What(kind: text.kind, detail: text.detail).text == text)
        }
        for (kind, detail) in [
            ("not-done", "called-again refused"), ("sang", "1"), ("let-in", "x"), ("fault", "Z9"),
        ] {
            #expect(
                MachineEvent.What(kind: kind, detail: detail)
                    == .unknown(kind: kind, detail: detail))
        }
    }

    @Test("An older backend is asked to close in the next minute of the shop's clock")
    func closing() throws {
        var machine = FlowMachine.inside(on: .queue).touched(.staff(.ask(.queue(.sendHome))))
        let clock = try #require(machine.flow.shopClock(now: machine.now))
        machine.touches(.staff(.yes))
        machine.expectAsked {
            .correctQueue(
                .sendHome, by: "Giulia", closes: clock.at(clock.moment + .seconds(60)), $0)
        }
    }

    @Test("A person is added: name, role, PIN twice; a common PIN and two that differ are refused")
    func adding() throws {
        var machine = FlowMachine.inside(on: .people).touched(.staff(.type(.name)))
        machine.touches(.enterCode)
        #expect(try machine.staffSession().form?.fault == .empty)
        for letter in "ZOE" { machine.touches(.staff(.letter(String(letter)))) }
        for _ in 0..<4 { machine.touches(.staff(.accent)) }
        machine.waits(.seconds(1))
        #expect(try machine.staffSession().form?.text == "Zoë")
        machine.touchesInTurn(.enterCode, .staff(.choose(.manager)))
        machine.types("123456")
        #expect(try machine.staffSession().form?.fault == .pin(.common))
        machine.types("824091")
        machine.types("824092")
        #expect(try machine.staffSession().form?.fault == .differs)
        machine.types("824091")
        machine.types("824091")
        let zoe = StaffPerson(name: "Zoë", role: .manager)
        let attempt = machine.expectAsked { .changeStaffList(.add(zoe), pin: "824091", $0) }
        machine.does(.staff(.done(attempt, .done)))
        #expect(machine.effects == [.noted("person-added", "Zoë (manager)", by: "Giulia")])
        #expect(!"\(machine.flow.state)".contains("824091"))
    }

    @Test("A staff member who is no manager neither sees the people nor changes them")
    func staffOnly() throws {
        var machine = FlowMachine.inside(.staff, on: .people)
        #expect(try machine.staffSession().screen == .overview)
        #expect(try !machine.staffSession().screens.contains(.people))
        for touch in [
            MaintenanceAction.ask(.people(.unlock("Marco"))), .ask(.people(.remove("Marco"))), .yes,
            .type(.name), .type(.pin(.resetPIN("Marco"))),
        ] {
            machine.touchesInTurn(.staff(touch))
            let form = try machine.staffSession().form
            #expect(machine.effects.isEmpty && form == nil, "\(touch)")
        }
    }
}
