import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("The screens of maintenance mode, its settings and its reader")
struct StaffScreenFlowTests {
    @Test("Language on the machine's screen sets the machine's own; a customer's ends with them")
    func language() throws {
        var machine = FlowMachine.inside(on: .machine)
        let own = machine.flow.access.languages[0]
        let other = try #require(machine.flow.access.languages.last)
        machine.touchesInTurn(.openLanguages)
        machine.touches(.choose(language: other))
        machine.expectEffects(
            .noted("settings-changed", "language \(other)", by: "Giulia"),
            .staff(.keepSettings(machine.flow.settings)))
        #expect(machine.flow.settings.language == other)
        machine.touchesLater(.leaveStaff)
        #expect(machine.flow.access.language == other && machine.flow.access.languages[0] == other)
        machine.touchesLater(.choose(language: own))
        #expect(machine.flow.access.language == own && machine.flow.settings.language == other)
        machine.waits(.seconds(200))
        #expect(machine.flow.access.language == other)
    }

    @Test(
        "A message asks before it puts the machine out of service; back in service, it is removed")
    func message() throws {
        var machine = FlowMachine.inside(on: .message).touching(.staff(.message(.backSoon)))
        #expect(!machine.flow.service.isPutOut && machine.effects.isEmpty)
        #expect(try machine.staffSession().question == .putOut(.backSoon))
        machine.touchesLater(.staff(.yes))
        #expect(try machine.staffSession().screen == .machine)
        // The machine already refuses customers, so another sentence needs no question.
        machine.touchesLater(.staff(.message(.askStaff)))
        #expect(machine.flow.service.message == "ask-staff")
        machine.touchesLater(.staff(.message(.backSoon)))
        #expect(machine.flow.service.isPutOut && machine.flow.service.message == "back-soon")
        #expect(
            machine.effects.last == .program(.keepService(isPutOut: true, message: "back-soon")))
        machine.touchesLater(.putOutOfService)
        #expect(!machine.flow.service.isPutOut && machine.flow.service.message == nil)
    }

    @Test("Volume, colours and first printer are kept and recorded, and stay within their limits")
    func settings() throws {
        var machine = FlowMachine.inside(on: .sound).touching(.staff(.volume(11)))
        #expect(machine.flow.settings.volume == 10)
        #expect(machine.effects.contains(.staff(.keepSettings(machine.flow.settings))))
        #expect(machine.effects.last == .staff(.saySample))
        machine.waits(.seconds(1))
        machine.touchesInTurn(.staff(.theme(isLight: true)))
        machine.touches(.staff(.prefer(printer: 1)))
        machine.expectEffects(
            .noted("printer-chosen", "2", by: "Giulia"),
            .staff(.keepSettings(MachineSettings(volume: 10, hasLightTheme: true, printer: 1))))
    }

    @Test("Back goes one step: the question, the form, the person, the screen, the overview")
    func stepsBack() throws {
        var machine = FlowMachine.inside(on: .people)
        machine.touchesInTurn(.staff(.member("Marco")), .staff(.ask(.people(.lock("Marco")))))
        var seen: [StaffSession] = []
        for _ in 0..<3 {
            machine.touchesInTurn(.cancel)
            seen.append(try machine.staffSession())
        }
        #expect(seen[0].question == nil && seen[0].member == "Marco")
        #expect(seen[1].member == nil && seen[1].screen == .people)
        #expect(seen[2].screen == .overview)
        machine.touches(.openStaff(.touchTest))
        machine.does(.touched(nil, at: TouchMark(row: 1, column: 2, rows: 25, columns: 80)))
        #expect(try machine.staffSession().touches.count == 1)
        machine.touchesLater(.cancel)
        #expect(try machine.staffSession().screen == .screen)
    }

    @Test("A scanned code is shown by kind and length, looked up at the backend, and not stored")
    func reader() throws {
        var machine = FlowMachine.inside(on: .reader)
        machine.scans(Facts.code.rawValue.replacing(":", with: "ç").lowercased())
        let attempt = machine.expectAsked { .tryCode(.reservation(.entry(Facts.code)), $0) }
        machine.does(.staff(.code(attempt, .refused(.missed))))
        machine.scans("8001120780000")
        machine.scans(StaffBadge(random: Array(0..<16)).rawValue)
        machine.scans("hello")
        let reads = try machine.staffSession().reads
        #expect(reads.map(\.kind) == [.other, .badge, .barcode, .entryCode])
        #expect(reads.map(\.layout) == [nil, .us, nil, .italian])
        #expect(reads.last?.verdict == .refused(.missed) && reads.last?.length == 37)
        #expect(!"\(machine.flow.state)".contains(Facts.code.rawValue.suffix(20)))
        machine.touchesInTurn(.openStaff(.printer))
        machine.scans(Facts.code.rawValue)
        #expect(machine.effects == [.beep])
    }

    @Test(
        "A symbol that is no code is named in the reader test, and its text is not stored",
        arguments: [
            (
                "https://clup.example/t#CITT0M99001AZA9Q0123456789BCDGHJKMNPRW",
                StaffRead.Kind.symbolForPhones
            ),
            ("BEGIN:VEVENT", .symbolForCalendars),
        ])
    func symbols(_ text: String, _ kind: StaffRead.Kind) throws {
        let machine = FlowMachine.inside(on: .reader).reading(text)
        #expect(machine.effects.isEmpty)
        let read = try #require(try machine.staffSession().reads.first)
        #expect(read.kind == kind && read.length == text.count && read.verdict == nil)
        #expect(!"\(machine.flow.state)".contains(text.suffix(6)))
        #expect(!"\(machine.flow.state)".contains("ZA9Q"))
    }

    @Test("A badge at rest leads to its holder's PIN, but has no effect on a customer's screen")
    func badge() {
        let badge = StaffBadge(random: Array(0..<16))
        // The reader's keys pass through an Italian keyboard.
        let typed = badge.rawValue.lowercased().replacing(":", with: "ç").replacing("-", with: "'")
        var machine = FlowMachine.atHome(isStaffKnown: true).reading(typed)
        let attempt = machine.expectAsked { .checkBadge(badge, $0) }
        machine.does(.staff(.badge(AttemptKey("old"), Facts.giulia)))
        #expect(machine.flow.state == .home)
        machine.does(.staff(.badge(attempt, Facts.giulia)))
        machine.types("739146")
        machine.expectAsked { .checkPIN("739146", $0, holder: "Giulia") }
        var stranger = FlowMachine.atHome(isStaffKnown: true).reading(badge.rawValue)
        let other = stranger.expectAsked { .checkBadge(badge, $0) }
        stranger.does(.staff(.badge(other, nil)), expecting: [.beep, .noted("wrong-badge")])
        for var machine in [FlowMachine.offering(), .issued(), .scanning()] {
            machine.scans(badge.rawValue)
            #expect(machine.effects == [.beep])
        }
    }
}
