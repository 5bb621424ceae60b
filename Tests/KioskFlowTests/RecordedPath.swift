import Reservations

@testable import KioskFlow

/// A path through the flow that a seed chooses: random events, and what the machine does and shows after each of
/// them, in words that do not depend on how the flow is written.
struct RecordedPath {
    private var machine: Machine
    private var random: SplitMix
    /// Attempts that have no answer yet, with what they are of.
    private var open: [Attempt] = []
    /// One line for each event: the event, the effects and what the machine shows then.
    private(set) var lines: [String] = []

    private enum Attempt: Hashable {
        case place(AttemptKey)
        case extension_(ReservationID)
        case confirmation(AttemptKey)
        case print(AttemptKey, ReservationID)
        case lookUp(AttemptKey)
        case deletion(AttemptKey)
        case pin(AttemptKey)
        case gate(AttemptKey)
        case badge(AttemptKey)
        case staffPrint(AttemptKey)
        case deed(AttemptKey)
        case code(AttemptKey)
        case journal
    }

    init(seed: UInt64, events: Int) {
        random = SplitMix(seed: seed)
        machine = Machine()
        machine.flow = KioskFlow(
            languages: ["it", "en", "de"], canSpeak: seed % 4 != 0, isStaffKnown: seed % 8 != 1,
            keyPrefix: "path")
        begin(seed)
        for _ in 0..<events { step() }
    }

    private mutating func begin(_ seed: UInt64) {
        if seed % 16 == 2 { machine.flow.staffPutOut(message: "back-soon") }
        if seed % 16 == 3 {
            machine.flow.settingsKept(MachineSettings(volume: 7, language: "en"))
        }
        let confirmations = [
            OpenConfirmation(key: AttemptKey("old-1"), hold: Facts.hold, deleteWhenKnown: false),
            OpenConfirmation(
                key: AttemptKey("old-2"), hold: ReservationID("hold-2"), deleteWhenKnown: true),
        ]
        let left = seed % 5 == 0 ? Array(confirmations.prefix(1 + Int(seed % 2))) : []
        happens("started \(left.count)") { $0.started(open: left, now: $1) }
        if seed % 32 != 4 {
            happens("shop") { flow, now in
                flow.shopReported(Facts.shop, now: now)
                return []
            }
            happens("queue") { $0.queueReported(Facts.queue(at: $1), now: $1) }
        }
    }

    // MARK: Events

    private mutating func choose<Value>(_ values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func happens(
        _ event: String, _ body: (inout KioskFlow, Duration) -> [KioskEffect]
    ) {
        machine.does(body)
        // As the runtime does after every event.
        machine.effects += machine.flow.restingReached(now: machine.now)
        for effect in machine.effects { note(effect) }
        write(event)
    }

    private mutating func write(_ event: String) {
        let effects = machine.effects.map(FlowWords.effect).joined(separator: ", ")
        lines.append(
            "\(event) -> [\(effects)] \(FlowWords.shown(machine.flow, now: machine.now))")
    }

    private mutating func note(_ effect: KioskEffect) {
        switch effect {
        case .takePlace(_, let key): open.append(.place(key))
        case .extend(let hold): open.append(.extension_(hold))
        case .confirm(_, let key): open.append(.confirmation(key))
        case .print(let key, let reservation): open.append(.print(key, reservation.id))
        case .lookUp(_, let key): open.append(.lookUp(key))
        case .delete(_, _, let key): open.append(.deletion(key))
        case .checkPIN(_, let key, _): open.append(.pin(key))
        case .askGate(let key, _): open.append(.gate(key))
        case .checkBadge(_, let key): open.append(.badge(key))
        case .printTest(_, let key), .reprint(_, let key), .rollChanged(_, let key):
            open.append(.staffPrint(key))
        case .seeToPaper(_, _, let key), .cancelJob(_, _, let key), .actOnQueue(_, _, _, let key),
            .changePeople(_, _, let key), .restartMachine(let key):
            open.append(.deed(key))
        case .tryCode(_, let key): open.append(.code(key))
        case .checkJournal: open.append(.journal)
        case .beep, .release, .settle, .leavePaper, .record, .refresh, .lookAfter, .note,
            .keepService, .keepSettings, .saySample, .keepOrder, .obeyed, .rotate, .unlock,
            .restartOnce, .restart, .renew:
            break
        }
    }

    private mutating func step() {
        switch random.next() % 100 {
        case 0..<35 where !open.isEmpty: answer()
        case 0..<62: touch()
        case 62..<80: wait()
        case 80..<88: scan()
        default: report()
        }
    }

    private mutating func wait() {
        let time: Duration = choose([
            .milliseconds(50), .milliseconds(500), .seconds(1), .seconds(2), .seconds(13),
            .seconds(31), .seconds(65), .seconds(185),
        ])
        pass(time)
        for effect in machine.effects { note(effect) }
        write("wait \(time)")
    }

    /// Time passes as in the program: it is handled at every deadline, and at the end.
    private mutating func pass(_ time: Duration) {
        let end = machine.now + time
        var effects: [KioskEffect] = []
        while machine.now < end {
            machine.now = min(end, max(machine.now, machine.flow.nextDeadline ?? end))
            effects += machine.flow.timePassed(now: machine.now)
            effects += machine.flow.restingReached(now: machine.now)
        }
        machine.effects = effects
    }

    private mutating func scan() {
        let text = choose([
            Facts.code.rawValue, "0419384512", "CLUP-STAFF:0123456789ABCDEFGHJKMNPQRS",
            "8001234567890", "nonsense", "clupç1çCITT0000000000000000000000000",
        ])
        happens("scan \(text)") { $0.codeScanned(text, now: $1) }
    }

    private mutating func touch() {
        let action: KioskAction? = choose(
            isStaff ? Self.staffActions + Self.customerActions.prefix(6) : Self.customerActions)
        if case .digit = action, random.next() % 2 == 0 { return typeAll() }
        // A person waits until the screen has changed, mostly.
        if random.next() % 4 != 0 { pass(.milliseconds(450)) }
        happens("touch \(FlowWords.action(action))") { $0.touched(action, now: $1) }
    }

    /// A whole number at once, as nobody comes through a keypad by chance.
    private mutating func typeAll() {
        let digits = choose(["739146", "0419384512", "42", "824091", "123456"])
        for digit in digits {
            let digit = Int(String(digit)) ?? 0
            happens("digit \(digit)") { $0.touched(.digit(digit), now: $1) }
        }
        pass(.milliseconds(450))
        happens("enter") { $0.touched(.enterCode, now: $1) }
    }

    private var isStaff: Bool {
        switch machine.flow.state {
        case .staffEntrance, .staff: true
        default: false
        }
    }

    private mutating func answer() {
        // Mostly the last one; an older one comes late, and one in ten comes twice.
        let index =
            random.next() % 4 == 0 ? Int(random.next() % UInt64(open.count)) : open.count - 1
        let attempt = open[index]
        if random.next() % 10 != 0 { open.remove(at: index) }
        let isGood = random.next() % 3 != 0
        switch attempt {
        case .place(let key):
            let answer: Result<HeldPlace, BackendFailure> =
                isGood
                ? .success(choose([Facts.place(), Facts.visit(), Facts.place(life: .seconds(60))]))
                : .failure(failure(Self.ofPlaces))
            happens("place \(key) \(FlowWords.result(answer) { "\($0.id)" })") {
                $0.placeAnswered(key, answer, now: $1)
            }
        case .extension_(let hold):
            let answer: Result<HeldPlace, BackendFailure> =
                isGood ? .success(Facts.place()) : .failure(failure(Self.ofHolds))
            happens("extension \(hold) \(FlowWords.result(answer) { "\($0.id)" })") {
                $0.extensionAnswered(hold, answer, now: $1)
            }
        case .confirmation(let key):
            let answer: Result<Reservation, BackendFailure> =
                isGood
                ? .success(Facts.reservation(at: choose([machine.now, .zero])))
                : .failure(failure(Self.ofHolds))
            happens("confirmation \(key) \(FlowWords.result(answer) { $0.number.text })") {
                $0.confirmationAnswered(key, answer, now: $1)
            }
        case .print(let key, let reservation):
            let progress: PrintProgress = choose([
                .submitted(job: 7), .troubled(.noPaper), .printed, .printed, .failed(.jam),
                .failed(.silent, mayComeOut: true),
            ])
            if !progress.isFinal { open.append(attempt) }
            happens("paper \(key) \(FlowWords.progress(progress))") {
                $0.printProgressed(key, reservation, progress, now: $1)
            }
        case .lookUp(let key):
            let answer: Result<FoundReservation, BackendFailure> =
                isGood
                ? .success(Facts.found(choose([.planned, .called])))
                : .failure(failure(Self.ofCodes))
            happens("found \(key) \(FlowWords.result(answer) { "\($0.state)" })") {
                $0.lookUpAnswered(key, answer, now: $1)
            }
        case .deletion(let key):
            let answer: Result<Void, BackendFailure> =
                isGood ? .success(()) : .failure(failure(Self.ofCodes))
            happens("deletion \(key) \(FlowWords.result(answer) { _ in "" })") {
                $0.deletionAnswered(key, answer, now: $1)
            }
        case .pin(let key):
            let answer: PINAnswer = isGood ? .person(person()) : pinAnswer()
            happens("pin \(key) \(FlowWords.pin(answer))") {
                $0.pinAnswered(key, answer, now: $1)
            }
        case .gate(let key):
            let answer: PINAnswer? = isGood ? nil : pinAnswer()
            happens("gate \(key) \(answer.map(FlowWords.pin) ?? "open")") { flow, now in
                flow.gateAnswered(key, answer, now: now)
                return []
            }
        case .badge(let key):
            let holder = isGood ? person() : nil
            happens("badge \(key) \(holder?.name ?? "")") {
                $0.badgeAnswered(key, holder, now: $1)
            }
        case .staffPrint(let key):
            let progress: StaffPrint.Progress =
                isGood ? .printed : choose([.failed(.jam), .notStanding(failure(Self.ofCodes))])
            let isOver = random.next() % 4 != 0
            happens("staff's paper \(key) \(FlowWords.progress(progress)) \(isOver)") {
                $0.staffPrintProgressed(key, progress, isOver: isOver, now: $1)
            }
        case .deed(let key):
            let answer: DeedAnswer =
                isGood
                ? choose([.done, .doneTo(people: 3)])
                : choose([.failed, .people(.lastManager), .backend(failure(Self.ofTheStaff))])
            happens("done \(key) \(answer.isDone) \(answer.reason)") {
                $0.deedAnswered(key, answer, now: $1)
            }
        case .code(let key):
            let verdict: StaffRead.Verdict =
                isGood ? .valid : choose([.refused(.used), .unanswered])
            happens("code \(key) \(FlowWords.verdict(verdict))") { flow, _ in
                flow.codeTried(key, verdict)
                return []
            }
        case .journal:
            happens("journal recovered") { flow, now in
                flow.journalRecovered(now: now)
                return []
            }
        }
    }

    /// Failures that every call can have.
    private static let anyCall: [BackendFailure] = [
        .unanswered, .notUnderstood, .busy, .notAuthentic, .noKey(.missing), .refused("malformed"),
    ]
    private static let ofPlaces: [BackendFailure] = [
        .noTicketToday, .shopClosed(opens: nil), .ticketAvailable, .nothingWithinAMonth,
    ]
    private static let ofHolds: [BackendFailure] = [.holdLapsed, .gone]
    private static let ofCodes: [BackendFailure] = [
        .code(.unknown), .code(.used), .code(.missed), .code(.otherShop), .code(.tooManyTries),
    ]
    private static let ofTheStaff: [BackendFailure] = [
        .code(.used), .code(.unknown), .refused("full"), .shopClosed(opens: nil),
    ]

    private mutating func failure(_ more: [BackendFailure]) -> BackendFailure {
        choose(Self.anyCall + more + more)
    }

    private mutating func pinAnswer() -> PINAnswer {
        choose([
            .wrong(wait: .zero), .wrong(wait: .seconds(30)), .early(wait: .seconds(20)), .locked,
            .nobody, .personLocked, .failed,
        ])
    }

    private mutating func person() -> StaffPerson {
        choose([
            StaffPerson(name: "Giulia", role: .manager), StaffPerson(name: "Marco", role: .staff),
        ])
    }

    private mutating func report() {
        switch random.next() % 16 {
        case 0, 1, 2: happens("queue") { $0.queueReported(Facts.queue(at: $1), now: $1) }
        case 3:
            happens("closed") { $0.queueReported(Facts.queue(at: $1, isOpen: false), now: $1) }
        case 4, 5:
            let failure = failure([])
            happens("queue \(FlowWords.failure(failure))") { $0.queueFailed(failure, now: $1) }
        case 6:
            let trouble: PrinterTrouble? = choose([nil, nil, .noPaper, .coverOpen])
            happens("printer \(trouble?.rawValue ?? "ready")") { flow, now in
                flow.printerReported(PrinterCondition(trouble: trouble), now: now)
                return []
            }
        case 7:
            let isThere = random.next() % 2 == 0
            happens("reader \(isThere)") { flow, now in
                flow.readerReported(isThere: isThere, now: now)
                return []
            }
        case 8:
            let isUnsent = random.next() % 2 == 0
            happens("journal failed \(isUnsent)") { $0.journalFailed(unsent: isUnsent, now: $1) }
        case 9:
            happens("speech failed") { flow, _ in
                flow.speechFailed()
                return []
            }
        case 10, 11: happens("staff asked") { $0.staffAsked(now: $1) }
        case 12:
            let deed: ShopOrder.Deed = choose([
                .outOfService(message: "Inventory"), .inService, .restart, .rotate, .unlock,
            ])
            let order = ShopOrder(
                id: Int64(lines.count), deed: deed, given: Moment(milliseconds: 1_000))
            let decided: Moment? = choose([
                nil, Moment(milliseconds: 500), Moment(milliseconds: 2_000),
            ])
            happens("order \(order.name)") { $0.ordered(order, decided: decided, now: $1) }
        case 13:
            happens("renewal") { flow, _ in
                flow.renewalCame()
                return []
            }
        case 14:
            var facts = StaffFacts()
            facts.members = choose([
                [
                    StaffMember(
                        person: StaffPerson(name: "Giulia", role: .manager), isLocked: false,
                        hasBadge: true),
                    StaffMember(
                        person: StaffPerson(name: "Marco", role: .staff), isLocked: false,
                        hasBadge: false),
                ],
                [
                    StaffMember(
                        person: StaffPerson(name: "Giulia", role: .manager), isLocked: false,
                        hasBadge: true)
                ], [], nil,
            ])
            happens("facts \(facts.members?.count ?? -1)") { $0.staffReported(facts, now: $1) }
        default:
            happens("finger") { flow, now in
                flow.staffPointed(TouchMark(row: 3, column: 4, rows: 24, columns: 80), now: now)
                return flow.touched(nil, now: now)
            }
        }
    }

    private static let paper = IssuedPaper(
        key: AttemptKey("paper-1"), number: Facts.reservation(at: .zero).number,
        issued: Moment(milliseconds: 0), fate: .unknown, code: nil, typedCode: nil)

    private static let customerActions: [KioskAction?] = [
        nil, .openLanguages, .closeLanguages, .choose(language: "en"), .changeAppearance,
        .changeVoice, .getTicket, .getTicket, .getTicket, .bookVisit, .bookVisit, .findReservation,
        .digit(4), .erase, .enterCode, .confirm, .confirm, .confirm, .cancel, .leave, .done,
        .leaveStaff, .staff(.yes),
    ]

    private static let staffActions: [KioskAction?] =
        [
            .digit(7), .digit(3), .digit(9), .erase, .enterCode, .cancel, .leaveStaff,
            .turnPage(1), .testPrint(0), .testPrint(1), .choosePaper(paper), .reprint(.torn),
            .putOutOfService, .staff(.lookAfter(.reader)), .staff(.lookAfter(.missing(paper))),
            .staff(.yes), .staff(.yes), .staff(.type(.number(.callAgain))),
            .staff(.type(.number(.delete))), .staff(.type(.people)), .staff(.type(.name)),
            .staff(.type(.pin(.resetPIN("Marco")))), .staff(.letter("a")), .staff(.letter("N")),
            .staff(.accent), .staff(.choose(.staff)), .staff(.member("Marco")),
            .staff(.rollChanged(0)), .staff(.prefer(printer: 1)), .staff(.volume(3)),
            .staff(.sample), .staff(.theme(isLight: true)), .staff(.theme(isLight: false)),
            .staff(.message(.askStaff)), .staff(.message(nil)), .staff(.ask(.queue(.endTickets))),
            .staff(.ask(.queue(.sendHome))), .staff(.ask(.queue(.openAgain))),
            .staff(.ask(.people(.lock("Marco")))), .staff(.ask(.people(.unlock("Marco")))),
            .staff(.ask(.people(.remove("Marco")))), .staff(.ask(.people(.revokeBadge("Marco")))),
            .staff(.ask(.cancelJob(printer: 0, job: 12))), .staff(.ask(.paper(.found, paper))),
            .staff(.ask(.paper(.giveBack, paper))), .staff(.ask(.restartProgram)),
            .staff(.ask(.restartMachine)),
        ] + StaffScreen.allCases.map { .openStaff($0) }
}
