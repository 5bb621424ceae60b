import Reservations

@testable import KioskFlow
@testable import KioskScreens

/// What the machine knows of its parts, on good days and on bad ones.
extension Samples {
    private static let fingerprint =
        "3F:A2:07:9C:51:E8:44:B0:8D:16:C3:7A:F9:20:5E:BB"

    static let reads: [StaffRead] = [
        read(.entryCode, 37, .italian, .valid), read(.typedCode, 10, .us, .refused(.missed)),
        read(.symbolForPhones, 61, nil, nil), read(.other, 128, nil, nil),
    ]

    private static func read(
        _ kind: StaffRead.Kind, _ length: Int, _ layout: KeyboardLayout.Name?,
        _ verdict: StaffRead.Verdict?
    ) -> StaffRead {
        StaffRead(
            at: noon, kind: kind, length: length, layout: layout, attempt: nil, verdict: verdict)
    }

    private static func queueOfStaff(
        closesEarly: Bool = false, ticketsEnded: Bool = false, doors: [String] = [],
        sms: SMSOfDay? = nil
    ) -> StaffQueue {
        var queue = StaffQueue(
            now: noon, isOpen: true, closes: clock("2026-11-20T20:00:00+01:00"),
            closesEarly: closesEarly, ticketsEnded: ticketsEnded,
            ticketAvailable: !closesEarly && !ticketsEnded, people: 28, capacity: 30,
            calling: [42, 41].compactMap(QueueNumber.init(rawValue:)), waiting: 9,
            next: (43...51).compactMap(QueueNumber.init(rawValue:)), visits: 6, issued: 118,
            doorsNotClosed: doors)
        queue.sms = sms
        return queue
    }

    /// No call has an answer yet.
    static let asking = StaffFacts().with { $0.printers = [PrinterFacts(), PrinterFacts()] }

    static let well: StaffFacts = {
        var facts = StaffFacts()
        facts.backend = .answers(after: .milliseconds(12))
        facts.printers = [
            PrinterFacts(
                condition: .ready,
                inspection: PrinterInspection(state: .idle, reasons: [], jobs: []))
        ]
        facts.clockOffset = .milliseconds(200)
        facts.lastRead = StaffRead(
            at: noon, kind: .entryCode, length: 37, layout: .us, attempt: nil)
        facts.body = MachineIdentity(
            diskFree: 61, fingerprint: fingerprint, keyDays: 41, version: "0.1.0",
            mayRestart: true)
        facts.papers = papers(outcomes: [.printed])
        facts.events = []
        facts.network = NetworkFacts(
            address: "https://clup.example.org", isEncrypted: true, isPinned: true)
        facts.calls = (0..<12).map { (index: Int) -> CallReport in
            CallReport(
                at: noon.moment - .seconds(4 * index), status: index % 3 == 0 ? 201 : 200,
                took: .milliseconds(9 + index), isSigned: true)
        }
        facts.queue = .success(queueOfStaff(sms: SMSOfDay(sent: 12, most: 100)))
        facts.members = ["Giulia", "Marco", "Anna Maria Bergamaschi Colombo", "Zoë"].map { name in
            StaffMember(
                person: StaffPerson(name: name, role: name == "Giulia" ? .manager : .staff),
                isLocked: name == "Marco", hasBadge: name < "H")
        }
        return facts
    }()

    static let early = well.with { $0.queue = .success(queueOfStaff(closesEarly: true)) }

    static let ticketsEnded = well.with { $0.queue = .success(queueOfStaff(ticketsEnded: true)) }

    static let doorOpen = well.with {
        $0.queue = .success(
            queueOfStaff(doors: ["entrance-1"], sms: SMSOfDay(sent: 100, most: 100)))
    }

    /// Two customers call for help, one of them at this machine.
    static let called = well.with {
        var queue = queueOfStaff()
        queue.help = helpCalls
        $0.queue = .success(queue)
    }

    static let noPaper = well.with {
        $0.printers[0].condition = PrinterCondition(trouble: .noPaper)
    }

    /// The power was cut while two papers were printed.
    /// A machine without a printer, whose tickets are shown only.
    static let noPrinter = well.with {
        $0.printers = []
        $0.papers = papers(outcomes: [.notPrinted(.absent), .notPrinted(.absent)])
    }

    static let missing = well.with {
        $0.papers = papers(
            outcomes: [.unknown, .unknown] + Array(repeating: .printed, count: 21))
    }

    static let bad: StaffFacts = {
        var facts = StaffFacts()
        facts.backend = .silent
        facts.printers = [
            PrinterFacts(
                condition: PrinterCondition(trouble: .jam),
                inspection: PrinterInspection(
                    state: .stopped, reasons: ["media-jam-error", "paused"],
                    jobs: (118..<121).map { QueuedJob(id: $0, title: "CLup \($0)") })),
            PrinterFacts(condition: PrinterCondition(trouble: nil, paperLow: true)),
        ]
        facts.clockOffset = .seconds(-75)
        facts.body = MachineIdentity(
            diskFree: 3, fingerprint: fingerprint, keyDays: 0, version: "0.1.0",
            isUpdateWaiting: true)
        facts.papers = papers(
            outcomes: [.notPrinted(.noPaper), .reprinted, .underWay, .givenUp, .over])
        facts.network = NetworkFacts(
            address: "http://127.0.0.1:8081", isEncrypted: false, isPinned: false)
        let answers: [Int?] = [nil, 503, 401]
        facts.calls = answers.map { status in
            CallReport(
                at: noon.moment, status: status, took: .milliseconds(2_500),
                isSigned: status.map { _ in false })
        }
        facts.queue = .failure(.unanswered)
        facts.events = everythingThatHappens.flatMap { what in
            [nil, "Giulia"].map { MachineEvent(at: noon.moment, person: $0, what: what) }
        }
        return facts
    }()

    private static let everythingThatHappens: [MachineEvent.What] =
        [
            .notDone(.number(.calledAgain, .queue(number)), .backend(.refusal(.full))),
            .personAdded(StaffPerson(name: "Giulia", role: .manager)),
            .jobCancelled(printer: 0, job: 7), .peopleInside(28), .wrongPIN(seconds: 30),
            .wrongPIN(seconds: nil), .putOut(nil), .settingChanged(.volume(5)),
            .settingChanged(.language("de")), .settingChanged(.theme(isLight: true)),
            .keyRotated(fingerprint: fingerprint),
            .unknown(kind: "later", detail: "another version's"),
        ]
        + MachineEvent.Plain.allCases.map { .plain($0) }
        + MachineEvent.OfNumber.allCases.map { .number($0, .queue(number)) }
        + MachineEvent.OfPerson.allCases.map { .person($0, "Giulia") }
        + MachineEvent.OfPrinter.allCases.map { .printer($0, 0) }
        + ReprintReason.allCases.map { .reprint(.queue(number), $0) }
        + OutOfService.allCases.map { .fault($0) }
        + PrinterTrouble.allCases.map { .printerTrouble($0) }
        + RemoteCommand.Kind.allCases.map { .commanded($0) }

    private static func papers(outcomes: [IssuedPaper.Outcome]) -> [IssuedPaper] {
        (0..<23).map { index in
            IssuedPaper(
                key: AttemptKey("k-\(index)"), number: .queue(QueueNumber(rawValue: 118 - index)!),
                issued: noon.moment - .minutes(index), outcome: outcomes[index % outcomes.count],
                code: nil, typedCode: nil)
        }
    }
}

extension StaffFacts {
    /// The facts with something changed.
    fileprivate func with(_ change: (inout StaffFacts) -> Void) -> StaffFacts {
        var facts = self
        change(&facts)
        return facts
    }
}
