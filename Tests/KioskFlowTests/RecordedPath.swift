import Reservations
import Testing

@testable import KioskFlow

/// A path through the flow that a seed chooses: random events, and the machine's effects and screens after each of
/// them, in words that do not depend on how the flow is written.
struct RecordedPath {
    private var machine: FlowMachine
    private var random: SplitMix
    /// Effects that have no answer yet.
    private var open: [KioskEffect] = []
    /// The events, and how long the machine was left alone between them.
    private(set) var steps: [any Hashable] = []
    /// One line for each step: the effects and the state after it.
    private(set) var lines: [String] = []

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
        happens(.started(kept))
        if seed % 32 != 4 {
            happens(.backend(.profile(Facts.shop)))
            happens(.backend(.queue(.success(Facts.queue(at: machine.now)))))
        }
    }

    // MARK: Events

    private mutating func choose<Value>(_ values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func happens(_ event: KioskEvent) {
        machine.does(event)
        write(event)
    }

    private mutating func write(_ step: any Hashable) {
        open += machine.effects.filter(isAnswered)
        let effects = machine.effects.map(FlowWords.effect).joined(separator: ", ")
        steps.append(step)
        lines.append("[\(effects)] \(FlowWords.shown(machine.flow, now: machine.now))")
    }

    private func isAnswered(_ effect: KioskEffect) -> Bool {
        switch effect {
        case .backend(.release), .backend(.resolve), .printer(.leave), .journal(.record),
            .staff(.openMonitor), .staff(.note), .staff(.keepSettings), .staff(.saySample),
            .program, .beep, .refresh:
            false
        case .backend, .printer, .journal, .staff, .help: true
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
        write(time)
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
        happens(.codeRead(text))
    }

    private mutating func touch() {
        var action: UserAction? = choose(
            isStaff ? Self.staffActions + Self.customerActions.prefix(6) : Self.customerActions)
        if case .digit = action, random.next() % 2 == 0 { return typeAll() }
        // A person usually waits until the screen has changed.
        if random.next() % 4 != 0 { pass(.milliseconds(450)) }
        if action == .confirm { action = choiceOfReservation() }
        happens(.touched(action))
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
        for digit in digits { happens(.touched(.digit(digit.wholeNumberValue ?? 0))) }
        pass(.milliseconds(450))
        happens(.touched(.enterCode))
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
        let effect = open[index]
        if random.next() % 10 != 0 { open.remove(at: index) }
        let isGood = random.next() % 3 != 0
        switch effect {
        case .backend(.takePlace(_, let key)):
            let answer = Self.either(
                isGood,
                choose([Facts.place(), Facts.visit(), Facts.place(lifetime: .seconds(60))]),
                failure(Self.ofPlaces))
            happens(.backend(.place(key, answer)))
        case .backend(.extend(let hold)):
            let answer = Self.either(isGood, Facts.place(), failure(Self.ofHolds))
            happens(.backend(.extended(hold, answer)))
        case .backend(.confirm(_, let key)):
            let answer = Self.either(
                isGood, Facts.reservation(at: choose([machine.now, .zero])), failure(Self.ofHolds))
            happens(.backend(.confirmed(key, answer)))
        case .printer(.print(let key, _)):
            let progress: PrintProgress = choose([
                .submitted(job: 7), .troubled(.noPaper), .printed, .printed, .failed(.jam),
                .failed(.silent, mayComeOut: true),
            ])
            if !progress.isFinal { open.append(effect) }
            happens(.printer(.progress(key, progress)))
        case .backend(.lookUp(_, let key)):
            let answer = Self.either(
                isGood,
                choose([Facts.found(), Facts.found(.called), Facts.delayable(), Facts.missed()]),
                failure(Self.ofCodes))
            happens(.backend(.found(key, answer)))
        case .backend(.delete(_, _, let key)):
            happens(.backend(.deleted(key, isGood ? nil : failure(Self.ofCodes))))
        case .backend(.changeTurn(_, _, _, let key)):
            let answer = Self.either(
                isGood, Facts.found(choose([.planned, .called])),
                failure(Self.ofCodes + [.refusal(.noDelay)]))
            happens(.backend(.turnChanged(key, answer)))
        case .staff(.checkPIN(_, let key, _)):
            happens(.staff(.pin(key, isGood ? .person(person()) : pinAnswer())))
        case .staff(.askPINAvailability(let key, _)):
            happens(.staff(.availability(key, isGood ? nil : pinAnswer())))
        case .staff(.checkBadge(_, let key)):
            happens(.staff(.badge(key, isGood ? person() : nil)))
        case .staff(.printTest(_, let key)), .staff(.reprint(_, let key)),
            .staff(.renewCode(_, _, let key)), .staff(.rollChanged(_, let key)):
            let progress: StaffPrint.Progress =
                isGood
                ? .printed : choose([.failed(.jam), .reservationNotValid(failure(Self.ofCodes))])
            happens(.staff(.print(key, progress, isOver: random.next() % 4 != 0)))
        case .staff(.seeToPaper(_, _, let key)), .staff(.cancelJob(_, _, let key)),
            .staff(.correctQueue(_, _, _, let key)), .staff(.changeStaffList(_, _, let key)),
            .staff(.restartMachine(let key)), .staff(.answerHelp(_, _, let key)):
            let answer: StaffCommandAnswer =
                isGood
                ? choose([.done, .doneTo(people: 3)])
                : choose([.failed, .people(.lastManager), .backend(failure(Self.ofTheStaff))])
            happens(.staff(.done(key, answer)))
        case .staff(.tryCode(_, let key)):
            let verdict: StaffRead.Verdict =
                isGood ? .valid : choose([.refused(.alreadyUsed), .unanswered])
            happens(.staff(.code(key, verdict)))
        case .help(.call(let key)):
            let answer = Self.either(
                isGood, Facts.help(at: machine.now), failure([.refusal(.shopClosed)]))
            happens(.help(.called(key, answer)))
        case .help(.endAsMistake(_, let key)):
            let answer = Self.either(
                isGood, Facts.help(at: machine.now, ended: choose([.mistake, .helped])),
                failure([.refusal(.forbidden)]))
            happens(.help(.ended(key, answer)))
        case .help(.follow):
            let calls = choose([
                [Facts.help(at: machine.now)], [Facts.help(at: machine.now, going: true)], [],
                [Facts.help(at: machine.now, ended: choose([.mistake, .helped, .expired]))],
            ])
            let answer = Self.either(
                isGood, HelpCalls(now: Facts.clock(at: machine.now), calls: calls), failure([]))
            happens(.help(.calls(answer)))
        case .journal(.check): happens(.journal(.recovered))
        default: preconditionFailure("\(effect) has no answer")
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
        case 0, 1, 2: happens(.backend(.queue(.success(Facts.queue(at: machine.now)))))
        case 3: happens(.backend(.queue(.success(Facts.queue(at: machine.now, isOpen: false)))))
        case 4, 5: happens(.backend(.queue(.failure(failure([])))))
        case 6:
            let trouble: PrinterTrouble? = choose([nil, nil, .noPaper, .coverOpen])
            happens(.printer(.condition(PrinterCondition(trouble: trouble))))
        case 7: happens(.readerReported(isThere: random.next() % 2 == 0))
        case 8: happens(.journal(.failed(unsent: random.next() % 2 == 0)))
        case 9: happens(.speechFailed)
        case 10, 11: happens(.staffAsked)
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
            happens(.commanded(order, decided: decided))
        case 13: happens(.newVersionFound)
        case 14:
            var facts = StaffFacts()
            let members = [
                StaffPerson(name: "Giulia", role: .manager),
                StaffPerson(name: "Marco", role: .staff),
            ].map { StaffMember(person: $0, isLocked: false, hasBadge: $0.role == .manager) }
            facts.members = choose([members, [members[0]], [], nil])
            happens(.staff(.facts(facts)))
        default: happens(.touched(nil, at: TouchMark(row: 3, column: 4, rows: 24, columns: 80)))
        }
    }
}
