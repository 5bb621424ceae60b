import Reservations
import TestSupport
import Testing

@testable import KioskFlow

/// A machine and its surroundings in a test: a clock that is moved by hand, and sample data.
struct FlowMachine: CustomTestStringConvertible {
    var flow = KioskFlow(languages: ["it", "en"], keyPrefix: "test")
    var now: Duration = .seconds(100)
    /// Effects of the last event.
    var effects: [KioskEffect] = []

    var testDescription: String {
        let slip =
            if case .issued(let issued) = flow.state { " \(issued.slip.number.text)" } else { "" }
        return flow.state.name + slip
    }

    /// A machine that has started, with what the last run left.
    static func started(with open: OpenRequest..., at now: Duration = .seconds(100)) -> FlowMachine
    {
        FlowMachine(now: now).doing(.started(KioskEvent.Kept(open: open)))
    }

    /// A machine at Home in an open shop.
    static func atHome(canSpeak: Bool = false, isStaffKnown: Bool = false) -> FlowMachine {
        var machine = FlowMachine()
        machine.flow = KioskFlow(
            languages: ["it", "en"], canSpeak: canSpeak, isStaffKnown: isStaffKnown,
            keyPrefix: "test")
        machine.does(.started(KioskEvent.Kept()))
        machine.does(.backend(.profile(Facts.shop)))
        machine.queueReported()
        machine.waits(.seconds(1))
        return machine
    }

    /// A machine that shows an offer.
    static func offering(lifetime: Duration = .seconds(210)) -> FlowMachine {
        atHome().touching(.getTicket).waiting(.milliseconds(50))
            .after { $0.answersPlace(.success(Facts.place(lifetime: lifetime))) }
            .waiting(.seconds(1))
    }

    /// A machine whose customer has confirmed an offer.
    static func confirming() -> FlowMachine { offering().touching(.confirm) }

    /// A machine that has issued a reservation and prints its paper.
    static func issued() -> FlowMachine {
        confirming().waiting(.milliseconds(20))
            .after { $0.isAnswered() }.waiting(.seconds(1))
    }

    /// A machine that shows that the day has no ticket left.
    static func soldOut() -> FlowMachine {
        atHome().touching(.getTicket)
            .after { $0.answersPlace(.failure(.refusal(.noTicketToday))) }.waiting(.seconds(1))
    }

    /// A machine that shows the first available visit.
    static func offeringVisit() -> FlowMachine {
        soldOut().touching(.bookVisit).after { $0.answersPlace(.success(Facts.visit())) }
            .waiting(.seconds(1))
    }

    /// A machine that asks for a ticket to be scanned.
    static func scanning() -> FlowMachine { atHome().touched(.findReservation) }

    /// A machine that shows a reservation and asks whether to delete it.
    static func found(_ reservation: FoundReservation = Facts.found()) -> FlowMachine {
        scanning().reading(Facts.code.rawValue).after { $0.answersLookUp(.success(reservation)) }
            .waiting(.seconds(1))
    }

    /// A machine at which a text was scanned at Home.
    static func scanned(_ text: String) -> FlowMachine { atHome().reading(text) }

    /// A machine in a shop that is closed.
    static func closed() -> FlowMachine {
        atHome().after { $0.queueReported(Facts.queue(at: $0.now, isOpen: false)) }
            .waiting(.seconds(1))
    }

    /// A machine that is out of service, since its key is not accepted.
    static func broken() -> FlowMachine {
        atHome().doing(.backend(.queue(.failure(.refusal(.notAuthentic))))).waiting(.seconds(1))
    }

    /// - Parameter expected: the effects that it must have; nil if that is not to be checked.
    mutating func does(
        _ event: KioskEvent, expecting expected: [KioskEffect]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        effects = flow.handle(event, now: now)
        if let expected { #expect(effects == expected, sourceLocation: sourceLocation) }
    }

    mutating func touches(
        _ action: UserAction?, expecting expected: [KioskEffect]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) { does(.touched(action), expecting: expected, sourceLocation: sourceLocation) }

    /// Makes each touch, with a second after it.
    mutating func touchesInTurn(_ actions: UserAction?...) {
        for action in actions {
            touches(action)
            waits(.seconds(1))
        }
    }

    /// A second passes, and then the touch comes.
    mutating func touchesLater(_ action: UserAction?) {
        waits(.seconds(1))
        touches(action)
    }

    /// The machine after something has been done with it.
    func after(_ change: (inout FlowMachine) -> Void) -> FlowMachine {
        var machine = self
        change(&machine)
        return machine
    }

    /// The machine after a touch.
    func touching(_ action: UserAction?) -> FlowMachine { after { $0.touches(action) } }

    /// The machine after a touch and a second.
    func touched(_ action: UserAction?) -> FlowMachine { after { $0.touchesInTurn(action) } }

    /// The machine after a time.
    func waiting(_ duration: Duration) -> FlowMachine { after { $0.waits(duration) } }

    /// The machine after an event.
    func doing(_ event: KioskEvent) -> FlowMachine { after { $0.does(event) } }

    /// The machine after a code was read.
    func reading(_ text: String) -> FlowMachine { after { $0.scans(text) } }

    /// The machine after a report of the printer.
    func printing(_ progress: PrintProgress) -> FlowMachine { after { $0.prints(progress) } }

    /// Lets time pass as the runtime does: `timePassed` at every deadline on the way.
    mutating func waits(
        _ duration: Duration, expecting expected: [KioskEffect]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let end = now + duration
        effects = []
        while let due = flow.nextDeadline, due <= end {
            now = max(now, due)
            effects += flow.handle(.timePassed, now: now)
        }
        now = end
        if let expected { #expect(effects == expected, sourceLocation: sourceLocation) }
    }

    /// Lets time pass, after which the machine must be at Home.
    mutating func goesHome(
        after duration: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        waits(duration)
        #expect(flow.state == .home, sourceLocation: sourceLocation)
    }

    mutating func answersPlace(_ answer: Result<HeldPlace, BackendFailure>) {
        guard case .asking(let asking) = flow.state else { return }
        does(.backend(.place(asking.attempt, answer)))
    }

    mutating func answersLookUp(_ answer: Result<FoundReservation, BackendFailure>) {
        guard case .lookingUp(let looking) = flow.state else { return }
        does(.backend(.found(looking.attempt, answer)))
    }

    mutating func answersDeletion(_ failure: BackendFailure?) {
        guard case .deleting(let deleting) = flow.state else { return }
        does(.backend(.deleted(deleting.attempt, failure)))
    }

    mutating func scans(_ text: String) { does(.codeRead(text)) }

    mutating func answersConfirmation(_ answer: Result<Reservation, BackendFailure>) {
        guard let key else { return }
        does(.backend(.confirmed(key, answer)))
    }

    /// The backend answers the confirmation of a place, or the arrival for an order: as asked for, or with a failure.
    mutating func isAnswered(_ failure: BackendFailure? = nil, at issued: Duration? = nil) {
        let issued = issued ?? now
        switch requested {
        case .place:
            let reservation = Facts.reservation(at: issued)
            answersConfirmation(failure.map { .failure($0) } ?? .success(reservation))
        case .arrival:
            answersArrival(failure.map { .failure($0) } ?? .success(Facts.arrived(at: issued)))
        case nil: break
        }
    }

    mutating func prints(_ progress: PrintProgress) {
        guard let key else { return }
        does(.printer(.progress(key, progress)))
    }

    mutating func queueReported(_ report: QueueStatus? = nil) {
        let report = report ?? Facts.queue(at: now)
        does(.backend(.queue(.success(report))))
    }

    /// The place is held longer, as the machine has asked for.
    mutating func answersExtension(lifetime: Duration = .seconds(210)) {
        does(.backend(.extended(Facts.hold, .success(Facts.place(lifetime: lifetime)))))
    }

    /// What the screen shows, which must be of this kind; a test with another one ends here.
    func shown<Screen>(_ kind: (Screen) -> KioskState) throws -> Screen {
        try requireCase(kind, of: flow.state)
    }

    /// The key of the last attempt.
    var lastKey: AttemptKey {
        var keys = flow.keys
        let next = keys.next().rawValue.split(separator: "-")
        return AttemptKey("\(next[0])-\(Int(next[1])! - 1)")
    }

    /// Expects that the last event had these effects, in this order.
    func expectEffects(
        _ expected: KioskEffect..., sourceLocation: SourceLocation = #_sourceLocation
    ) { #expect(effects == expected, sourceLocation: sourceLocation) }

    /// Expects that the last event made the machine look a code up, and nothing else.
    func expectLookUp(_ code: ReadCode, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(effects == [.backend(.lookUp(code, lastKey))], sourceLocation: sourceLocation)
    }

    /// The effects of the last event without the search for a call for help, which every start makes.
    var effectsWithoutHelp: [KioskEffect] { effects.filter { $0 != .help(.follow) } }

    /// What the backend was asked to confirm, in the states that wait for it.
    var requested: Requested? {
        switch flow.state {
        case .confirming(let confirming): confirming.what
        case .unresolved(let unresolved): unresolved.asked.what
        default: nil
        }
    }

    /// The confirmation's key in the states that have one.
    var key: AttemptKey? {
        switch flow.state {
        case .confirming(let confirming): confirming.key
        case .unresolved(let unresolved): unresolved.asked.key
        case .issued(let issued): issued.key
        default: nil
        }
    }
}

extension [KioskEffect] {
    static func records(_ records: JournalRecord...) -> Self {
        records.map { .journal(.record($0)) }
    }
}

extension KioskEffect {
    /// An event in the form that is stored on the disk.
    static func noted(_ kind: String, _ detail: String = "", by person: String? = nil) -> Self {
        .staff(.note(MachineEvent.What(kind: kind, detail: detail), by: person))
    }
}

enum Facts {
    static let hold = ReservationID("hold-1")
    static let shop = MachineProfile(
        machine: MachineID("door"), shop: ShopID("citta-studi"), shopName: "Città Studi",
        timeZone: "Europe/Rome", languages: ["it"], now: clock(at: .zero))

    /// The shop's clock: 2026-11-20 14:00 in Italy at the monotonic zero.
    static func clock(at now: Duration) -> LocalMoment {
        LocalMoment(Moment(milliseconds: 1_795_179_600_000) + now, offsetMinutes: 60)
    }

    static func wait(at now: Duration, minutes: Int = 25) -> WaitEstimate {
        func after(_ minutes: Int) -> LocalMoment { clock(at: now + .minutes(minutes)) }
        return WaitEstimate(
            expected: after(minutes), earliest: after(minutes - 5), latest: after(minutes + 10),
            peopleAhead: 9)
    }

    static func place(lifetime: Duration = .seconds(210), id: ReservationID = hold) -> HeldPlace {
        held(id, .ticket, lifetime: lifetime)
    }

    private static func held(
        _ id: ReservationID, _ kind: ReservationKind, lifetime: Duration, visit: VisitSlot? = nil
    ) -> HeldPlace {
        let now = clock(at: .seconds(101))
        return HeldPlace(
            id: id, kind: kind, now: now, expires: now.at(now.moment + lifetime),
            wait: wait(at: .zero), visit: visit)
    }

    static let visitTime = VisitSlot(
        start: clock(at: .minutes(25 * 60)), end: clock(at: .minutes(25 * 60 + 35)))

    static func visit(id: ReservationID = ReservationID("hold-v")) -> HeldPlace {
        held(id, .visit, lifetime: .seconds(210), visit: visitTime)
    }

    static let code = EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))

    static func found(_ status: ReservationStatus = .planned) -> FoundReservation {
        FoundReservation(
            reservation(at: .zero), day: clock(at: .zero).day, status: status,
            now: clock(at: .zero), enterBy: nil)
    }

    static func queue(
        at now: Duration, isOpen: Bool = true, opens: LocalMoment? = nil
    ) -> QueueStatus {
        QueueStatus(
            now: clock(at: now), isOpen: isOpen, closes: nil, opens: opens, ticketAvailable: isOpen,
            calling: [], waiting: 9, wait: isOpen ? wait(at: now) : nil)
    }

    static func paper(
        _ number: SlipNumber = .queue(QueueNumber(rawValue: 42)!),
        _ outcome: IssuedPaper.Outcome = .printed
    ) -> IssuedPaper {
        IssuedPaper(
            key: AttemptKey("k"), number: number, issued: Moment(milliseconds: 0),
            outcome: outcome, code: nil, typedCode: nil)
    }

    static func reservation(at now: Duration) -> Reservation {
        Reservation(
            id: hold, kind: .ticket, number: QueueNumber(rawValue: 42)!, shopName: "Città Studi",
            code: code, typedCode: TypedCode(rawValue: "0419384512")!, issued: clock(at: now),
            wait: wait(at: now))
    }
}
