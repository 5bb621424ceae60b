import Reservations

@testable import KioskFlow

/// A path through the flow that a seed chooses: random events, and the machine's effects and screens after each of
/// them, in words that do not depend on how the flow is written.
struct RecordedPath {
    private var machine: FlowMachine
    private var random: SplitMix
    /// Attempts that have no answer yet, with their calls.
    private var open: [Attempt] = []
    /// One line for each event: the event, the effects and the state after it.
    private(set) var lines: [String] = []

    private enum Attempt: Hashable {
        case place(AttemptKey)
        case extension_(ReservationID)
        case confirmation(AttemptKey)
        case print(AttemptKey)
        case lookUp(AttemptKey)
        case deletion(AttemptKey)
        case turnChange(AttemptKey)
        case pin(AttemptKey)
        case availability(AttemptKey)
        case badge(AttemptKey)
        case staffPrint(AttemptKey)
        case command(AttemptKey)
        case code(AttemptKey)
        case help(AttemptKey)
        case helpEnd(AttemptKey)
        case helpCalls
        case journal
    }

    init(seed: UInt64, events: Int) {
        random = SplitMix(seed: seed)
        machine = FlowMachine()
        machine.flow = KioskFlow(
            languages: ["it", "en", "de"], canSpeak: seed % 4 != 0, isStaffKnown: seed % 8 != 1,
            keyPrefix: "path")
        begin(seed)
        for _ in 0..<events { step() }
    }

    private mutating func begin(_ seed: UInt64) {
        var kept = KioskEvent.Kept()
        if seed % 16 == 2 {
            kept.service = ServiceStatus(isPutOut: true, message: "back-soon")
        }
        if seed % 16 == 3 { kept.settings = MachineSettings(volume: 7, language: "en") }
        let confirmations = [
            OpenRequest(key: AttemptKey("old-1"), what: .place(Facts.hold), deleteWhenKnown: false),
            OpenRequest(
                key: AttemptKey("old-2"), what: .place(ReservationID("hold-2")),
                deleteWhenKnown: true),
        ]
        kept.open = seed % 5 == 0 ? Array(confirmations.prefix(1 + Int(seed % 2))) : []
        happens("started \(kept.open.count)", .started(kept))
        if seed % 32 != 4 {
            happens("shop", .backend(.profile(Facts.shop)))
            happens("queue", .backend(.queue(.success(Facts.queue(at: machine.now)))))
        }
    }

    // MARK: Events

    private mutating func choose<Value>(_ values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func happens(_ words: String, _ event: KioskEvent) {
        machine.does(event)
        for effect in machine.effects { note(effect) }
        write(words)
    }

    private mutating func write(_ event: String) {
        let effects = machine.effects.map(FlowWords.effect).joined(separator: ", ")
        lines.append(
            "\(event) -> [\(effects)] \(FlowWords.shown(machine.flow, now: machine.now))")
    }

    private mutating func note(_ effect: KioskEffect) {
        let attempt: Attempt? =
            switch effect {
            case .backend(.takePlace(_, let key)): .place(key)
            case .backend(.extend(let hold)): .extension_(hold)
            case .backend(.confirm(_, let key)): .confirmation(key)
            case .printer(.print(let key, _)): .print(key)
            case .backend(.lookUp(_, let key)): .lookUp(key)
            case .backend(.delete(_, _, let key)): .deletion(key)
            case .backend(.changeTurn(_, _, _, let key)): .turnChange(key)
            case .staff(.checkPIN(_, let key, _)): .pin(key)
            case .staff(.askPINAvailability(let key, _)): .availability(key)
            case .staff(.checkBadge(_, let key)): .badge(key)
            case .staff(.printTest(_, let key)), .staff(.reprint(_, let key)),
                .staff(.renewCode(_, _, let key)),
                .staff(.rollChanged(_, let key)):
                .staffPrint(key)
            case .staff(.seeToPaper(_, _, let key)), .staff(.cancelJob(_, _, let key)),
                .staff(.correctQueue(_, _, _, let key)), .staff(.changeStaffList(_, _, let key)),
                .staff(.restartMachine(let key)), .staff(.answerHelp(_, _, let key)):
                .command(key)
            case .help(.call(let key)): .help(key)
            case .help(.endAsMistake(_, let key)): .helpEnd(key)
            case .help(.follow): .helpCalls
            case .staff(.tryCode(_, let key)): .code(key)
            case .journal(.check): .journal
            default: nil
            }
        if let attempt { open.append(attempt) }
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

    /// Lets time pass as in the program: it is handled at every deadline, and at the end.
    private mutating func pass(_ time: Duration) {
        let end = machine.now + time
        var effects: [KioskEffect] = []
        while machine.now < end {
            machine.now = min(end, max(machine.now, machine.flow.nextDeadline ?? end))
            effects += machine.flow.handle(.timePassed, now: machine.now)
        }
        machine.effects = effects
    }

    private mutating func scan() {
        let text = choose([
            Facts.code.rawValue, "0419384512", "CLUP-STAFF:0123456789ABCDEFGHJKMNPQRS",
            "8001234567890", "nonsense", "clupç1çCITT0000000000000000000000000",
        ])
        happens("scan \(text)", .codeRead(text))
    }

    private mutating func touch() {
        var action: UserAction? = choose(
            isStaff ? Self.staffActions + Self.customerActions.prefix(6) : Self.customerActions)
        if case .digit = action, random.next() % 2 == 0 { return typeAll() }
        // A person usually waits until the screen has changed.
        if random.next() % 4 != 0 { pass(.milliseconds(450)) }
        if action == .confirm { action = choiceOfReservation() }
        happens("touch \(FlowWords.action(action))", .touched(action))
    }

    /// What a customer touches who goes on with the reservation that was found; otherwise *Confirm*.
    private mutating func choiceOfReservation() -> UserAction {
        switch machine.flow.state {
        case .found(let found) where !found.delayOffers.isEmpty: choose([.giveUp, .openDelays])
        case .found: .giveUp
        case .delayOffers(let found): .delay(people: choose(found.delayOffers).people)
        case .missedCall: .reclaim
        default: .confirm
        }
    }

    /// Types a whole number, which random touches of a keypad would hardly ever make.
    private mutating func typeAll() {
        let digits = choose(["739146", "0419384512", "42", "824091", "123456"])
        for digit in digits {
            let digit = Int(String(digit)) ?? 0
            happens("digit \(digit)", .touched(.digit(digit)))
        }
        pass(.milliseconds(450))
        happens("enter", .touched(.enterCode))
    }

    private var isStaff: Bool {
        switch machine.flow.state {
        case .pinEntry, .staff: true
        default: false
        }
    }

    private mutating func answer() {
        // Mostly the last one is answered; an older one is answered late, and one in ten twice.
        let index =
            random.next() % 4 == 0 ? Int(random.next() % UInt64(open.count)) : open.count - 1
        let attempt = open[index]
        if random.next() % 10 != 0 { open.remove(at: index) }
        let isGood = random.next() % 3 != 0
        switch attempt {
        case .place(let key):
            let answer = Self.either(
                isGood,
                choose([Facts.place(), Facts.visit(), Facts.place(lifetime: .seconds(60))]),
                failure(Self.ofPlaces))
            happens(
                "place \(key) \(FlowWords.result(answer) { "\($0.id)" })",
                .backend(.place(key, answer)))
        case .extension_(let hold):
            let answer: Result<HeldPlace, BackendFailure> =
                isGood ? .success(Facts.place()) : .failure(failure(Self.ofHolds))
            happens(
                "extension \(hold) \(FlowWords.result(answer) { "\($0.id)" })",
                .backend(.extended(hold, answer)))
        case .confirmation(let key):
            let answer = Self.either(
                isGood, Facts.reservation(at: choose([machine.now, .zero])), failure(Self.ofHolds))
            happens(
                "confirmation \(key) \(FlowWords.result(answer) { $0.number.text })",
                .backend(.confirmed(key, answer)))
        case .print(let key):
            let progress: PrintProgress = choose([
                .submitted(job: 7), .troubled(.noPaper), .printed, .printed, .failed(.jam),
                .failed(.silent, mayComeOut: true),
            ])
            if !progress.isFinal { open.append(attempt) }
            happens(
                "paper \(key) \(FlowWords.progress(progress))",
                .printer(.progress(key, progress)))
        case .lookUp(let key):
            let answer = Self.either(
                isGood,
                choose([Facts.found(), Facts.found(.called), Facts.delayable(), Facts.missed()]),
                failure(Self.ofCodes))
            happens(
                "found \(key) \(FlowWords.result(answer) { "\($0.status)" })",
                .backend(.found(key, answer)))
        case .deletion(let key):
            let failure = isGood ? nil : failure(Self.ofCodes)
            happens(
                "deletion \(key) \(failure.map { "no \(FlowWords.failure($0))" } ?? "yes ")",
                .backend(.deleted(key, failure)))
        case .turnChange(let key):
            let answer = Self.either(
                isGood, Facts.found(choose([.planned, .called])),
                failure(Self.ofCodes + [.refusal(.noDelay)]))
            happens(
                "turn change \(key) \(FlowWords.result(answer) { "\($0.status)" })",
                .backend(.turnChanged(key, answer)))
        case .pin(let key):
            let answer: PINAnswer = isGood ? .person(person()) : pinAnswer()
            happens("pin \(key) \(FlowWords.pin(answer))", .staff(.pin(key, answer)))
        case .availability(let key):
            let answer: PINAnswer? = isGood ? nil : pinAnswer()
            happens(
                "gate \(key) \(answer.map(FlowWords.pin) ?? "open")",
                .staff(.availability(key, answer)))
        case .badge(let key):
            let holder = isGood ? person() : nil
            happens("badge \(key) \(holder?.name ?? "")", .staff(.badge(key, holder)))
        case .staffPrint(let key):
            let progress: StaffPrint.Progress =
                isGood
                ? .printed : choose([.failed(.jam), .reservationNotValid(failure(Self.ofCodes))])
            let isOver = random.next() % 4 != 0
            happens(
                "staff's paper \(key) \(FlowWords.progress(progress)) \(isOver)",
                .staff(.print(key, progress, isOver: isOver)))
        case .command(let key):
            let answer: StaffCommandAnswer =
                isGood
                ? choose([.done, .doneTo(people: 3)])
                : choose([.failed, .people(.lastManager), .backend(failure(Self.ofTheStaff))])
            happens(
                "done \(key) \(answer.isDone) \(answer.reason?.word ?? "")",
                .staff(.done(key, answer)))
        case .code(let key):
            let verdict: StaffRead.Verdict =
                isGood ? .valid : choose([.refused(.alreadyUsed), .unanswered])
            happens("code \(key) \(FlowWords.verdict(verdict))", .staff(.code(key, verdict)))
        case .help(let key):
            let answer = Self.either(
                isGood, Facts.help(at: machine.now), failure([.refusal(.shopClosed)]))
            happens(
                "help \(key) \(FlowWords.result(answer) { "\($0.id)" })",
                .help(.called(key, answer)))
        case .helpEnd(let key):
            let answer = Self.either(
                isGood, Facts.help(at: machine.now, ended: choose([.mistake, .helped])),
                failure([.refusal(.forbidden)]))
            happens(
                "help ended \(key) \(FlowWords.result(answer) { "\($0.id)" })",
                .help(.ended(key, answer)))
        case .helpCalls:
            let calls = choose([
                [Facts.help(at: machine.now)], [Facts.help(at: machine.now, going: true)], [],
                [Facts.help(at: machine.now, ended: choose([.mistake, .helped, .expired]))],
            ])
            let answer = Self.either(
                isGood, HelpCalls(now: Facts.clock(at: machine.now), calls: calls), failure([]))
            happens(
                "calls \(FlowWords.result(answer) { "\($0.calls.count)" })", .help(.calls(answer)))
        case .journal:
            happens("journal recovered", .journal(.recovered))
        }
    }

    private static func either<Value>(
        _ isGood: Bool, _ value: @autoclosure () -> Value,
        _ failure: @autoclosure () -> BackendFailure
    ) -> Result<Value, BackendFailure> {
        isGood ? .success(value()) : .failure(failure())
    }

    private mutating func failure(_ more: [BackendFailure]) -> BackendFailure {
        choose(Self.anyCall + more + more)
    }

    private mutating func pinAnswer() -> PINAnswer {
        choose([
            .wrong(wait: .zero), .wrong(wait: .seconds(30)), .early(wait: .seconds(20)), .locked,
            .noStaff, .personLocked, .failed,
        ])
    }

    private mutating func person() -> StaffPerson {
        choose([
            StaffPerson(name: "Giulia", role: .manager), StaffPerson(name: "Marco", role: .staff),
        ])
    }

    private mutating func report() {
        switch random.next() % 16 {
        case 0, 1, 2: happens("queue", .backend(.queue(.success(Facts.queue(at: machine.now)))))
        case 3:
            happens(
                "closed", .backend(.queue(.success(Facts.queue(at: machine.now, isOpen: false)))))
        case 4, 5:
            let failure = failure([])
            happens("queue \(FlowWords.failure(failure))", .backend(.queue(.failure(failure))))
        case 6:
            let trouble: PrinterTrouble? = choose([nil, nil, .noPaper, .coverOpen])
            happens(
                "printer \(trouble?.rawValue ?? "ready")",
                .printer(.condition(PrinterCondition(trouble: trouble))))
        case 7:
            let isThere = random.next() % 2 == 0
            happens("reader \(isThere)", .readerReported(isThere: isThere))
        case 8:
            let isUnsent = random.next() % 2 == 0
            happens("journal failed \(isUnsent)", .journal(.failed(unsent: isUnsent)))
        case 9:
            happens("speech failed", .speechFailed)
        case 10, 11: happens("staff asked", .staffAsked)
        case 12:
            let kind = choose([
                RemoteCommand.Kind.outOfService, .inService, .restart, .rotate, .unlock,
            ])
            let order = RemoteCommand(
                id: Int64(lines.count), kind: kind,
                message: kind == .outOfService ? "Inventory" : nil,
                given: LocalMoment(Moment(milliseconds: 1_000), offsetMinutes: 60))
            let decided: Moment? = choose([
                nil, Moment(milliseconds: 500), Moment(milliseconds: 2_000),
            ])
            happens("order \(kind.rawValue)", .commanded(order, decided: decided))
        case 13:
            happens("renewal", .newVersionFound)
        case 14:
            var facts = StaffFacts()
            let members = [
                StaffPerson(name: "Giulia", role: .manager),
                StaffPerson(name: "Marco", role: .staff),
            ].map { StaffMember(person: $0, isLocked: false, hasBadge: $0.role == .manager) }
            facts.members = choose([members, [members[0]], [], nil])
            happens("facts \(facts.members?.count ?? -1)", .staff(.facts(facts)))
        default:
            happens(
                "finger",
                .touched(nil, at: TouchMark(row: 3, column: 4, rows: 24, columns: 80)))
        }
    }
}
