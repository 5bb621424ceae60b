internal import QueueEngine
public import Reservations
internal import Testing

/// A shop that is open from 08:00 to 13:00 and from 15:00 to 20:00 in Rome, and its queue.
struct Counter {
    static let day = CalendarDay(year: 2026, month: 11, day: 20)!
    static let machine = MachineID("door-1")
    static let other = MachineID("door-2")

    var shop: Shop
    var state: QueueState
    var stored: [ReservationID: ReservationRecord] = [:]
    var events: [(ReservationID, ReservationState, TransitionCause, Moment)] = []
    /// The waits that are quoted; nil to compute them each time.
    var forecast: WaitForecast?
    var counters: [CalendarDay: Int] = [:]
    /// How many numbers of each day were given to no customer.
    var leftOut: [CalendarDay: Int] = [:]
    var closings: [CalendarDay: Moment?] = [:]
    var ticketsEnded: [CalendarDay: Bool] = [:]
    var unregistered = (0, Moment(milliseconds: 0))
    var cells: [Int: DurationSums] = [:]
    var attendance = Attendance()
    var noShows: [HolderID: [Moment]] = [:]
    /// The orders at desks inside the shop.
    var collectors: [Collector] = []
    var now: Moment
    private var drawn = 0

    /// The first of the days whose opening hours are known, and how many they are.
    var firstDay = Counter.day
    var openDays = 2
    var periods = [("08:00", "13:00"), ("15:00", "20:00")]
    /// Opening hours that are not the same every day.
    var otherOpenings: [OpenInterval]?

    init(
        capacity: Int = 2, stay: Int = 20, visitShare: Int = 50, leaveDelay: Int = 0,
        at time: String = "10:00", _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) {
        shop = .market(
            ShopPolicy(
                capacity: capacity, usualStayMinutes: stay, visitSharePercent: visitShare,
                leaveDelaySeconds: leaveDelay))
        decide(&shop.policy)
        state = QueueState(policy: shop.policy)
        now = Counter.at(time)
    }

    /// A shop that gives visits to phones, whose hours are known for so many days.
    static func givingVisits(
        capacity: Int, stay: Int = 20, days: Int = 40,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) -> Counter {
        var counter = Counter(capacity: capacity, stay: stay) {
            $0.phones.hasPlaces = true
            $0.phones.hasVisits = true
            decide(&$0)
        }
        counter.openDays = days
        return counter
    }

    static func at(_ time: String, day: CalendarDay = day) -> Moment {
        time == "24:00"
            ? at("00:00", day: day.advanced(by: 1)) : LocalMoment("\(day)T\(time):00+01:00")!.moment
    }

    static func opening(_ opens: String, _ closes: String, day: CalendarDay = day) -> OpenInterval {
        OpenInterval(
            opens: LocalMoment(at(opens, day: day), offsetMinutes: 60),
            closes: LocalMoment(at(closes, day: day), offsetMinutes: 60))
    }

    var openings: [OpenInterval] {
        if let otherOpenings { return otherOpenings }
        return (0..<openDays).flatMap { offset in
            let day = firstDay.advanced(by: offset)
            return periods.map { Self.opening($0.0, $0.1, day: day) }
        }.joined.filter { now < $0.closes.moment }
    }

    var context: QueueContext {
        let openings = openings
        return QueueContext(
            shop: shop, now: now, openings: openings, forecast: forecast,
            local: { moment in
                openings.first { $0.contains(moment) }?.local(moment)
                    ?? LocalMoment(moment, offsetMinutes: 60)
            })
    }

    /// Decides and stores, as the store does.
    @discardableResult
    mutating func ask(
        _ command: QueueCommand, by sender: HoldOwner? = .machine(machine)
    ) -> Answer {
        drawn += 1
        let records = Records(stored: stored, tag: shop.tag, drawn: drawn)
        let decision = state.perform(command, by: sender, in: context, records)
        for change in decision.changes { store(change) }
        return decision.result
    }

    private mutating func store(_ change: QueueChange) {
        switch change {
        case .inserted(let record), .confirmed(let record): store(record)
        case .moved(let transition):
            guard let record = stored[transition.id], record.state == transition.from else {
                Issue.record(
                    "\(transition) does not fit \(String(describing: stored[transition.id]))")
                return
            }
            store(record.after(transition))
        case .turnChanged(let record), .rebooked(let record, _), .recoded(let record, _):
            let former = stored[record.hold.id]
            if former?.state != record.state || former?.since != record.since {
                Issue.record("\(record) does not fit \(String(describing: former))")
            }
            stored[record.hold.id] = record
        case .questionChanged(let id, let question):
            guard let record = stored[id] else {
                Issue.record("a question of \(id), which is not stored")
                return
            }
            stored[id] = record.with(question)
        case .extended(let hold):
            let record = stored[hold.id]!
            stored[hold.id] = ReservationRecord(
                hold: hold, state: record.state, since: record.since, cause: record.cause,
                confirmation: nil)
        case .closingSet(let day, let moment): closings[day] = moment
        case .ticketsEnded(let day, let ended): ticketsEnded[day] = ended
        case .unregistered(let count, let since): unregistered = (count, since)
        case .learnedStays(let cell, let sums): cells[cell] = sums
        case .learnedAttendance(let learned): attendance = learned
        case .noShow(let holder, let moment): noShows[holder, default: []].append(moment)
        case .noShowsForgotten(let holder): noShows[holder] = nil
        case .orderCalled(let order, let moment):
            guard let index = collectors.firstIndex(where: { $0.order == order }),
                case .awaited = collectors[index].place
            else {
                Issue.record("order \(order) waits for no place")
                return
            }
            collectors[index].place = .taken(since: moment, hasEntered: false)
        case .collectorsChanged: break
        case .counterAdvanced(let day, let number, let leftOut):
            counters[day] = number.rawValue
            if leftOut > 0 { self.leftOut[day, default: 0] += leftOut }
        }
    }

    private mutating func store(_ record: ReservationRecord) {
        stored[record.hold.id] = record
        events.append((record.hold.id, record.state, record.cause, record.since))
    }

    /// The queue as it is rebuilt from what is stored.
    var restored: QueueState {
        var state = QueueState(policy: shop.policy)
        for (day, counter) in counters {
            state.restore(
                day: day, counter: counter, closes: closings[day] ?? nil,
                endsTickets: ticketsEnded[day] ?? false)
        }
        for record in stored.values.sorted(by: { $0.since < $1.since }) {
            if record.state == .pending {
                state.restore(hold: record.hold)
            } else if record.state != .expired
                || record.cause == .checkedOut && record.since > now - shop.policy.leaveDelay
            {
                state.restore(record)
            }
        }
        state.restore(unregistered: unregistered.0, since: unregistered.1)
        state.restore(stays: LearnedStays(cells: cells), attendance: attendance)
        state.restore(noShows: noShows)
        state.restore(collectors: collectors)
        return state
    }

    func state(of id: ReservationID) -> ReservationState? { stored[id]?.state }

    /// Numbers of reservations in a state, rising.
    func numbers(_ state: ReservationState) -> [Int] {
        stored.values.filter { $0.state == state }.compactMap { $0.confirmation?.number.rawValue }
            .sorted()
    }

    mutating func hold(_ machine: MachineID = machine) throws -> Hold {
        try hold(owner: .machine(machine))
    }

    mutating func hold(owner: HoldOwner, isRemote: Bool = false) throws -> Hold {
        try ask(.hold(.ticket, isRemote: isRemote), by: owner)
            .content(of: QueueOutcome.held)
    }

    mutating func holdVisit(_ machine: MachineID = machine) throws -> Hold {
        try ask(.hold(.visit), by: .machine(machine))
            .content(of: QueueOutcome.held)
    }

    /// Books a whole visit.
    @discardableResult
    mutating func visit(_ machine: MachineID = machine) throws -> Reservation {
        try confirm(try holdVisit(machine).id, machine)
    }

    /// What the holder of a reservation would be shown now.
    func report(_ id: ReservationID) -> FoundReservation? {
        stored[id].flatMap { state.found($0, in: context) }
    }

    mutating func confirm(
        _ id: ReservationID, _ machine: MachineID = machine
    ) throws -> Reservation {
        try confirm(id, owner: .machine(machine))
    }

    @discardableResult
    mutating func confirm(_ id: ReservationID, owner: HoldOwner) throws -> Reservation {
        try ask(.held(id, .confirm), by: owner).reservation
    }

    /// Takes a whole ticket.
    @discardableResult
    mutating func ticket(_ machine: MachineID = machine) throws -> Reservation {
        try confirm(try hold(machine).id, machine)
    }

    /// The time of the shop's day at which a wait is expected to end.
    func time(_ wait: WaitEstimate) -> String { wait.expected.time.description }

    mutating func pass(_ duration: Duration) { now = now + duration }
}

/// What a counter has stored, with the identifier and the codes of its next reservation.
private struct Records: QueueRecords {
    let stored: [ReservationID: ReservationRecord]
    let tag: ShopTag
    let drawn: Int

    func record(_ name: ReservationName) -> ReservationRecord? {
        switch name {
        case .id(let id): stored[id]
        case .code(let code): stored.values.first { $0.confirmation?.isProved(by: code) == true }
        case .number(let number): stored.values.first { $0.confirmation?.number == number }
        }
    }

    func sentHome(on days: [CalendarDay]) -> [ReservationRecord] {
        stored.values.filter {
            $0.state == .expired && $0.cause == .sentHome && days.contains($0.hold.day)
        }
    }

    func newID(at now: Moment) -> ReservationID { ReservationID("r-\(stored.count + 1)") }

    func newCodes(isAnother: Bool) -> (code: EntryCode, typed: TypedCode) {
        let bytes = [UInt8(drawn / 256 % 256), UInt8(drawn % 256)]
        return (
            EntryCode(tag: tag, random: [UInt8](repeating: 0, count: 14) + bytes),
            TypedCode(rawValue: drawn.padded(10))!
        )
    }
}

struct Unexpected: Error {}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
