import Reservations
import Testing

@testable import KioskFlow

@Suite("The staff's commands in maintenance mode")
struct StaffCommandFlowTests {
    private func inside(_ role: StaffPerson.Role = .manager, on screen: StaffScreen) -> FlowMachine
    {
        var machine = FlowMachine.atHome(isStaffKnown: true)
        machine.does(.staffAsked)
        machine.types("739146")
        machine.answersPIN(.person(StaffPerson(name: "Giulia", role: role)))
        machine.waits(.seconds(1))
        machine.touches(.openStaff(screen))
        machine.waits(.seconds(1))
        return machine
    }

    private func visit(_ machine: FlowMachine) throws -> StaffSession {
        guard case .staff(let visit) = machine.flow.state else { throw NotIn() }
        return visit
    }

    private struct NotIn: Error {}

    private let number = QueueNumber(rawValue: 42)!

    @Test(
        "A number is typed and called again; only deleting one needs a yes, and Back does nothing"
    )
    func numbers() throws {
        var machine = inside(.staff, on: .queue)
        machine.touches(.staff(.type(.number(.callAgain))))
        machine.types("42")
        guard
            case .staff(
                .correctQueue(
                    .reservation(.callAgain, number, at: nil), by: "Giulia", closes: nil,
                    let attempt))? =
                machine.effects.last
        else { throw NotIn() }
        machine.does(.staff(.done(attempt, .backend(.refusal(.full)))))
        #expect(machine.effects == [.noted("not-done", "called-again 042: full", by: "Giulia")])
        machine.does(.staff(.done(attempt, .done)))
        #expect(machine.effects.isEmpty)
        machine.waits(.seconds(1))
        for isSure in [false, true] {
            machine.touches(.staff(.type(.number(.delete))))
            machine.types("42")
            #expect(machine.effects.isEmpty)
            #expect(try visit(machine).question == .queue(.reservation(.delete, number)))
            machine.waits(.seconds(1))
            machine.touches(isSure ? .staff(.yes) : .cancel)
            #expect(machine.effects.isEmpty != isSure)
            machine.waits(.seconds(1))
        }
    }

    @Test("A paper that may be missing is printed again, found, or given back after a yes")
    func missing() throws {
        let paper = IssuedPaper(
            key: AttemptKey("k"), number: number, issued: Moment(milliseconds: 0),
            outcome: .unknown,
            code: nil, typedCode: nil)
        func chosen() throws -> FlowMachine {
            var machine = inside(.staff, on: .overview)
            machine.touches(.staff(.lookAfter(.missing(paper))))
            #expect(try visit(machine).screen == .papers)
            #expect(try visit(machine).chosen == paper)
            machine.waits(.seconds(1))
            return machine
        }
        var machine = try chosen()
        machine.touches(.reprint(.neverCame))
        guard case .staff(.reprint(paper, _))? = machine.effects.last else { throw NotIn() }
        machine = try chosen()
        machine.touches(.staff(.ask(.paper(.found, paper))))
        guard case .staff(.seeToPaper(.found, paper, let found))? = machine.effects.last else {
            throw NotIn()
        }
        #expect(try visit(machine).chosen == nil)
        machine.does(.staff(.done(found, .done)))
        #expect(machine.effects == [.noted("paper-found", "042", by: "Giulia")])
        for isSure in [false, true] {
            machine = try chosen()
            machine.touches(.staff(.ask(.paper(.giveBack, paper))))
            #expect(machine.effects.isEmpty)
            machine.waits(.seconds(1))
            machine.touches(isSure ? .staff(.yes) : .cancel)
            guard isSure else {
                #expect(machine.effects.isEmpty)
                continue
            }
            guard case .staff(.seeToPaper(.giveBack, paper, let attempt))? = machine.effects.last
            else {
                throw NotIn()
            }
            machine.does(.staff(.done(attempt, .backend(.refusal(.alreadyUsed)))))
            #expect(machine.effects == [.noted("not-done", "deleted 042: used", by: "Giulia")])
        }
    }

    @Test("A manager who is removed, locked or demoted during the session is logged out")
    func removedMeanwhile() throws {
        let giulia = StaffPerson(name: "Giulia", role: .manager)
        func member(_ person: StaffPerson, isLocked: Bool = false) -> StaffMember {
            StaffMember(person: person, isLocked: isLocked, hasBadge: false)
        }
        let marco = member(StaffPerson(name: "Marco", role: .manager))
        let others: [[StaffMember]] = [
            [marco], [marco, member(giulia, isLocked: true)],
            [marco, member(StaffPerson(name: "Giulia", role: .staff))],
        ]
        for members in [[], [marco, member(giulia)]] + others {
            var machine = inside(on: .people)
            var facts = StaffFacts()
            machine.does(.staff(.facts(facts)))
            #expect(throws: Never.self) { try visit(machine) }
            facts.members = members
            machine.does(.staff(.facts(facts)))
            let isIn = machine.flow.state.name == "staff"
            #expect(isIn == !others.contains(members))
            #expect(isIn || machine.effects.first == .noted("left", by: "Giulia"))
        }
    }

    @Test("Only a manager may report more people than the capacity, and must confirm it")
    func people() throws {
        let queue = StaffQueue(
            now: Facts.clock(at: .zero), isOpen: true, closes: nil, closesEarly: false,
            ticketAvailable: true, people: 4,
            capacity: 6, calling: [], waiting: 0, next: [], visits: 0, issued: 4)
        for (role, people, isAsked) in [
            (StaffPerson.Role.staff, "6", true), (.staff, "7", false), (.staff, "999", false),
            (.manager, "999", true),
        ] {
            var machine = inside(role, on: .queue)
            var facts = StaffFacts()
            facts.queue = .success(queue)
            machine.does(.staff(.facts(facts)))
            machine.touches(.staff(.type(.people)))
            machine.waits(.seconds(1))
            for digit in people { machine.touches(.digit(digit.wholeNumberValue!)) }
            machine.touches(.enterCode)
            #expect(machine.effects.isEmpty)
            let visit = try visit(machine)
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
            var machine = inside(on: .machine)
            machine.touches(.staff(.ask(command)))
            #expect(machine.effects.isEmpty, "\(command)")
            machine.waits(.seconds(1))
            machine.touches(.staff(.yes))
            #expect(!machine.effects.isEmpty, "\(command)")
        }
        for command in [
            StaffCommand.queue(.reservation(.restore, number)), .queue(.openAgain),
            .queue(.endTickets),
            .people(.unlock("Marco")),
        ] {
            var machine = inside(on: .machine)
            machine.touches(.staff(.ask(command)))
            #expect(machine.effects.count == 1, "\(command)")
        }
    }

    @Test("A command is recorded once, with its outcome, even if the staff member has left")
    func noted() throws {
        for hasLeft in [false, true] {
            for (answer, reason) in [
                (StaffCommandAnswer.done, nil), (.people(.lastManager), "last-manager"),
                (.failed, "failed"),
            ] as [(StaffCommandAnswer, String?)] {
                var machine = inside(on: .people)
                machine.touches(.staff(.ask(.people(.unlock("Marco")))))
                guard case .staff(.changeStaffList(_, _, let attempt))? = machine.effects.last
                else {
                    throw NotIn()
                }
                #expect(machine.effects.count == 1)
                machine.waits(.seconds(1))
                if hasLeft { machine.touches(.leaveStaff) }
                machine.does(.staff(.done(attempt, answer)))
                let note: KioskEffect =
                    reason.map {
                        .noted("not-done", "person-unlocked Marco: \($0)", by: "Giulia")
                    } ?? .noted("person-unlocked", "Marco", by: "Giulia")
                #expect(machine.effects == [note])
                machine.does(.staff(.done(attempt, answer)))
                #expect(machine.effects.isEmpty)
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
            .number(.calledAgain, number), .person(.locked, "Rossi: Marco"), .plain(.openedAgain),
            .jobCancelled(printer: 1, job: 7),
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

    @Test(
        "Language under FlowMachine sets the machine's own; a customer's choice ends with the customer"
    )
    func language() throws {
        var machine = inside(on: .machine)
        let own = machine.flow.access.languages[0]
        let other = try #require(machine.flow.access.languages.last)
        machine.touches(.openLanguages)
        machine.waits(.seconds(1))
        machine.touches(.choose(language: other))
        #expect(
            machine.effects == [
                .noted("settings-changed", "language \(other)", by: "Giulia"),
                .staff(.keepSettings(machine.flow.settings)),
            ])
        #expect(machine.flow.settings.language == other)
        machine.waits(.seconds(1))
        machine.touches(.leaveStaff)
        #expect(machine.flow.access.language == other && machine.flow.access.languages[0] == other)
        machine.waits(.seconds(1))
        machine.touches(.choose(language: own))
        #expect(machine.flow.access.language == own && machine.flow.settings.language == other)
        machine.waits(.seconds(200))
        #expect(machine.flow.access.language == other)
    }

    @Test("An older backend is asked to close in the next minute of the shop's clock")
    func closing() throws {
        var machine = inside(on: .queue)
        machine.touches(.staff(.ask(.queue(.sendHome))))
        machine.waits(.seconds(1))
        let clock = try #require(machine.flow.shopClock(now: machine.now))
        machine.touches(.staff(.yes))
        guard case .staff(.correctQueue(.sendHome, _, let closes, _))? = machine.effects.last else {
            throw NotIn()
        }
        #expect(closes?.moment == clock.moment + .seconds(60))
    }

    @Test("A person is added: name, role, PIN twice; a common PIN and two that differ are refused")
    func adding() throws {
        var machine = inside(on: .people)
        machine.touches(.staff(.type(.name)))
        machine.waits(.seconds(1))
        machine.touches(.enterCode)
        #expect(try visit(machine).form?.fault == .empty)
        for letter in "ZOE" { machine.touches(.staff(.letter(String(letter)))) }
        for _ in 0..<4 { machine.touches(.staff(.accent)) }
        machine.waits(.seconds(1))
        #expect(try visit(machine).form?.text == "Zoë")
        machine.touches(.enterCode)
        machine.waits(.seconds(1))
        machine.touches(.staff(.choose(.manager)))
        machine.types("123456")
        #expect(try visit(machine).form?.fault == .pin(.common))
        machine.types("824091")
        machine.types("824092")
        #expect(try visit(machine).form?.fault == .differs)
        machine.types("824091")
        machine.types("824091")
        let zoe = StaffPerson(name: "Zoë", role: .manager)
        guard
            case .staff(.changeStaffList(.add(zoe), pin: "824091", let attempt))? = machine.effects
                .last
        else {
            Issue.record("\(machine.effects)")
            return
        }
        machine.does(.staff(.done(attempt, .done)))
        #expect(machine.effects == [.noted("person-added", "Zoë (manager)", by: "Giulia")])
        #expect(!"\(machine.flow.state)".contains("824091"))
    }

    @Test("A staff member who is no manager neither sees the people nor changes them")
    func staffOnly() throws {
        var machine = inside(.staff, on: .people)
        #expect(try visit(machine).screen == .overview)
        #expect(try !visit(machine).screens.contains(.people))
        for touch in [
            MaintenanceAction.ask(.people(.unlock("Marco"))), .ask(.people(.remove("Marco"))), .yes,
            .type(.name), .type(.pin(.resetPIN("Marco"))),
        ] {
            machine.touches(.staff(touch))
            machine.waits(.seconds(1))
            let form = try visit(machine).form
            #expect(machine.effects.isEmpty && form == nil, "\(touch)")
        }
    }

    @Test(
        "A scanned code is shown by kind and length, looked up at the backend, and not stored")
    func reader() throws {
        var machine = inside(on: .reader)
        machine.scans(Facts.code.rawValue.replacing(":", with: "ç").lowercased())
        guard case .staff(.tryCode(.entry(Facts.code), let attempt))? = machine.effects.last else {
            throw NotIn()
        }
        machine.does(.staff(.code(attempt, .refused(.missed))))
        machine.scans("8001120780000")
        machine.scans(StaffBadge(random: Array(0..<16)).rawValue)
        machine.scans("hello")
        let reads = try visit(machine).reads
        #expect(reads.map(\.kind) == [.other, .badge, .barcode, .entryCode])
        #expect(reads.map(\.layout) == [nil, .us, nil, .italian])
        #expect(reads.last?.verdict == .refused(.missed) && reads.last?.length == 37)
        #expect(!"\(machine.flow.state)".contains(Facts.code.rawValue.suffix(20)))
        machine.touches(.openStaff(.printer))
        machine.waits(.seconds(1))
        machine.scans(Facts.code.rawValue)
        #expect(machine.effects == [.beep])
    }

    @Test("A badge at rest leads to its holder's PIN, but has no effect on a customer's screen")
    func badge() throws {
        let badge = StaffBadge(random: Array(0..<16))
        let giulia = StaffPerson(name: "Giulia", role: .manager)
        // The reader's keys pass through an Italian keyboard.
        let typed = badge.rawValue.lowercased().replacing(":", with: "ç").replacing("-", with: "'")
        var machine = FlowMachine.atHome(isStaffKnown: true)
        machine.scans(typed)
        guard case .staff(.checkBadge(badge, let attempt))? = machine.effects.last else {
            throw NotIn()
        }
        machine.does(.staff(.badge(AttemptKey("old"), giulia)))
        #expect(machine.flow.state == .home)
        machine.does(.staff(.badge(attempt, giulia)))
        machine.types("739146")
        guard case .staff(.checkPIN("739146", _, holder: "Giulia"))? = machine.effects.last else {
            throw NotIn()
        }
        var stranger = FlowMachine.atHome(isStaffKnown: true)
        stranger.scans(badge.rawValue)
        guard case .staff(.checkBadge(_, let other))? = stranger.effects.last else { throw NotIn() }
        stranger.does(.staff(.badge(other, nil)))
        #expect(stranger.effects == [.beep, .noted("wrong-badge")])
        for machine in [FlowMachine.offering(), .issued(), .scanning()] {
            var machine = machine
            machine.scans(badge.rawValue)
            #expect(machine.effects == [.beep])
        }
    }

    @Test(
        "A message asks before it puts the machine out of service; back in service, it is removed")
    func message() throws {
        var machine = inside(on: .message)
        machine.touches(.staff(.message(.backSoon)))
        #expect(!machine.flow.service.isPutOut && machine.effects.isEmpty)
        #expect(try visit(machine).question == .putOut(.backSoon))
        machine.waits(.seconds(1))
        machine.touches(.staff(.yes))
        #expect(try visit(machine).screen == .machine)
        // The machine already refuses customers, so another sentence needs no question.
        machine.waits(.seconds(1))
        machine.touches(.staff(.message(.askStaff)))
        #expect(machine.flow.service.message == "ask-staff")
        machine.waits(.seconds(1))
        machine.touches(.staff(.message(.backSoon)))
        #expect(machine.flow.service.isPutOut && machine.flow.service.message == "back-soon")
        #expect(
            machine.effects.last == .program(.keepService(isPutOut: true, message: "back-soon")))
        machine.waits(.seconds(1))
        machine.touches(.putOutOfService)
        #expect(!machine.flow.service.isPutOut && machine.flow.service.message == nil)
    }

    @Test(
        "Volume, colours and the first printer are kept and recorded, and stay within their limits")
    func settings() throws {
        var machine = inside(on: .sound)
        machine.touches(.staff(.volume(11)))
        #expect(machine.flow.settings.volume == 10)
        #expect(machine.effects.contains(.staff(.keepSettings(machine.flow.settings))))
        #expect(machine.effects.last == .staff(.saySample))
        machine.waits(.seconds(1))
        machine.touches(.staff(.theme(isLight: true)))
        machine.waits(.seconds(1))
        machine.touches(.staff(.prefer(printer: 1)))
        #expect(
            machine.effects == [
                .noted("printer-chosen", "2", by: "Giulia"),
                .staff(.keepSettings(MachineSettings(volume: 10, hasLightTheme: true, printer: 1))),
            ])
    }

    @Test("Back goes one step: the question, the form, the person, the screen, the overview")
    func stepsBack() throws {
        var machine = inside(on: .people)
        machine.touches(.staff(.member("Marco")))
        machine.waits(.seconds(1))
        machine.touches(.staff(.ask(.people(.lock("Marco")))))
        var seen: [StaffSession] = []
        for _ in 0..<3 {
            machine.waits(.seconds(1))
            machine.touches(.cancel)
            seen.append(try visit(machine))
        }
        #expect(seen[0].question == nil && seen[0].member == "Marco")
        #expect(seen[1].member == nil && seen[1].screen == .people)
        #expect(seen[2].screen == .overview)
        machine.waits(.seconds(1))
        machine.touches(.openStaff(.touchTest))
        machine.does(.touched(nil, at: TouchMark(row: 1, column: 2, rows: 25, columns: 80)))
        #expect(try visit(machine).touches.count == 1)
        machine.waits(.seconds(1))
        machine.touches(.cancel)
        #expect(try visit(machine).screen == .screen)
    }
}
