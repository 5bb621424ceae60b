import Reservations

@testable import KioskFlow
@testable import KioskScreens

extension Samples {
    /// Maintenance mode on a day on which much is well, and on one on which nothing is.
    static let staffScenes: [(name: String, scene: Scene)] = [
        ("staff-entrance", entrance("", nil)),
        ("staff-entrance-typed", entrance("739146", nil)),
        ("staff-entrance-wrong", entrance("", .wrong(wait: .zero))),
        ("staff-entrance-waits", entrance("", .wrong(wait: .seconds(30)), wait: 28)),
        ("staff-entrance-waits-long", entrance("", .early(wait: .seconds(1_900)), wait: 1_900)),
        ("staff-entrance-locked", entrance("", .locked)),
        ("staff-entrance-nobody", entrance("", .nobody)),
        ("staff-entrance-failed", entrance("", .failed)),
        ("staff-overview", staff(.overview, well)),
        ("staff-overview-trouble", staff(.overview, bad, isOut: true, readerThere: false)),
        ("staff-printer", staff(.printer, well)),
        ("staff-printer-trouble", staff(.printer, bad, print: .failed(.jam))),
        ("staff-papers", staff(.papers, well)),
        ("staff-papers-printed", staff(.papers, well, print: .printed)),
        ("staff-papers-gone", staff(.papers, bad, print: .notStanding(.gone))),
        ("staff-reprint", staff(.papers, well, chosen: well.papers?.first)),
        ("staff-events", staff(.events, bad)),
        ("staff-events-none", staff(.events, well)),
        ("staff-machine", staff(.machine, well)),
        ("staff-machine-restart", staff(.machine, bad, isOut: true, isAsked: true)),
    ]

    /// Those that have the foot line: all but maintenance mode itself.
    static let customerScenes = scenes.filter { $0.scene.staffFacts == nil }

    private static func entrance(_ digits: String, _ answer: PINAnswer?, wait: Int? = nil) -> Scene
    {
        var entrance = StaffEntrance()
        entrance.digits = digits
        entrance.answer = answer
        var scene = scene(.staffEntrance(entrance))
        scene.pinWait = wait
        return scene
    }

    private static func staff(
        _ screen: StaffScreen, _ facts: StaffFacts, isOut: Bool = false, readerThere: Bool = true,
        print: StaffPrint.Progress? = nil, chosen: IssuedPaper? = nil, isAsked: Bool = false
    ) -> Scene {
        var visit = StaffVisit(person: StaffPerson(name: "Giulia", role: .manager))
        visit.screen = screen
        visit.print = print.map { StaffPrint(attempt: key, progress: $0) }
        visit.chosen = chosen
        visit.isAsked = isAsked
        var scene = scene(.staff(visit))
        scene.staffFacts = facts
        scene.isPutOut = isOut
        scene.isReaderThere = readerThere
        scene.staffLeft = 108
        return scene
    }

    private static let fingerprint = "3F:A2:07:9C:51:E8:44:B0"

    private static let well: StaffFacts = {
        var facts = StaffFacts()
        facts.latency = .milliseconds(12)
        facts.printersConfigured = 1
        facts.printers = [.ready]
        facts.clockOffset = .milliseconds(200)
        facts.lastRead = StaffFacts.LastRead(at: noon, isCode: true)
        facts.body = MachineBody(
            diskFree: 61, fingerprint: fingerprint, keyDays: 41, version: "0.1.0")
        facts.papers = papers(fates: [.printed])
        facts.events = []
        return facts
    }()

    private static let bad: StaffFacts = {
        var facts = StaffFacts()
        facts.printersConfigured = 2
        facts.printers = [
            PrinterCondition(trouble: .jam), PrinterCondition(trouble: nil, paperLow: true),
        ]
        facts.clockOffset = .seconds(-75)
        facts.body = MachineBody(
            diskFree: 3, fingerprint: fingerprint, keyDays: 1, version: "0.1.0")
        facts.papers = papers(fates: [.notPrinted(.noPaper), .unknown, .givenUp, .printed])
        facts.events = MachineEvent.Kind.allCases.flatMap { kind in
            [nil, "Giulia"].map { person in
                MachineEvent(
                    at: noon.moment, person: person, kind: kind,
                    detail: kind == .printer ? "no-paper" : "")
            }
        }
        return facts
    }()

    private static func papers(fates: [IssuedPaper.Fate]) -> [IssuedPaper] {
        (0..<23).map { index in
            IssuedPaper(
                key: AttemptKey("k-\(index)"), number: QueueNumber(rawValue: 118 - index)!,
                issued: noon.moment - .minutes(index), fate: fates[index % fates.count], code: nil,
                typedCode: nil)
        }
    }
}
