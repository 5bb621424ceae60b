internal import QueueEngine
public import Reservations

/// A shop that is open from 08:00 to 13:00 and from 15:00 to 20:00 in Rome, and its queue.
struct Counter {
    static let day = CalendarDay(year: 2026, month: 11, day: 20)!
    static let machine = MachineID("door-1")
    static let other = MachineID("door-2")

    var shop: Shop
    var state: QueueState
    var stored: [ReservationID: ReservationRecord] = [:]
    var events: [(ReservationID, ReservationState, TransitionCause, Moment)] = []
    var now = Counter.at("10:00")
    private var drawn = 0

    /// The first of the days that are known to be open, and how many they are.
    var firstDay = Counter.day
    var openDays = 2
    var periods = [("08:00", "13:00"), ("15:00", "20:00")]

    init(capacity: Int = 2, stay: Int = 20, visitShare: Int = 50) {
        shop = Shop(
            id: "s", tag: ShopTag(rawValue: "DEMO")!, name: "Market", timeZone: "Europe/Rome",
            hours: OpeningHours(weekly: [:]),
            policy: ShopPolicy(
                capacity: capacity, usualStayMinutes: stay, visitSharePercent: visitShare),
            languages: ["it"])
        state = QueueState(policy: shop.policy, days: [Counter.day])
    }

    static func at(_ time: String, day: CalendarDay = day) -> Moment {
        LocalMoment("\(day)T\(time):00+01:00")!.moment
    }

    static func opening(_ opens: String, _ closes: String, day: CalendarDay = day) -> OpenInterval {
        OpenInterval(
            opens: LocalMoment(at(opens, day: day), offsetMinutes: 60),
            closes: LocalMoment(at(closes, day: day), offsetMinutes: 60))
    }

    var openings: [OpenInterval] {
        (0..<openDays).flatMap { offset in
            let day = firstDay.advanced(by: offset)
            return periods.map { Self.opening($0.0, $0.1, day: day) }
        }.filter { now < $0.closes.moment }
    }

    /// Decides and stores, as the store does.
    @discardableResult
    mutating func ask(_ command: QueueCommand) -> Result<QueueOutcome, QueueRefusal> {
        let stored = stored
        let decision = state.decide(command, for: shop, at: now, openings: openings) { stored[$0] }
        for change in decision.changes {
            switch change {
            case .inserted(let record), .moved(let record, _):
                self.stored[record.hold.id] = record
                events.append((record.hold.id, record.state, record.cause, record.since))
            case .extended(let hold):
                let record = self.stored[hold.id]!
                self.stored[hold.id] = ReservationRecord(
                    hold: hold, state: record.state, since: record.since, cause: record.cause,
                    confirmation: nil)
            case .counterAdvanced: break
            }
        }
        state.apply(decision.changes)
        return decision.result
    }

    mutating func hold(_ machine: MachineID = machine) throws -> Hold {
        drawn += 1
        let answer = ask(.hold(.ticket, machine: machine, id: ReservationID("h\(drawn)")))
        guard case .held(let hold) = try answer.get() else { throw Unexpected() }
        return hold
    }

    mutating func holdVisit(_ machine: MachineID = machine) throws -> Hold {
        drawn += 1
        let answer = ask(.hold(.visit, machine: machine, id: ReservationID("v\(drawn)")))
        guard case .held(let hold) = try answer.get() else { throw Unexpected() }
        return hold
    }

    /// A whole visit at once.
    @discardableResult
    mutating func visit(_ machine: MachineID = machine) throws -> Reservation {
        try confirm(try holdVisit(machine).id, machine)
    }

    /// What the holder of a reservation would be told now.
    func report(_ id: ReservationID) -> ReservationReport? {
        stored[id].flatMap { state.report(on: $0, of: shop, at: now, openings: openings) }
    }

    mutating func confirm(_ id: ReservationID, _ machine: MachineID = machine) throws
        -> Reservation
    {
        drawn += 1
        let code = EntryCode(
            tag: shop.tag,
            random: [UInt8](repeating: 0, count: 14) + [
                UInt8(drawn / 256 % 256), UInt8(drawn % 256),
            ])
        let typed = TypedCode(rawValue: drawn.padded(10))!
        let answer = ask(.confirm(id, machine: machine, code: code, typed: typed))
        guard case .confirmed(let reservation) = try answer.get() else { throw Unexpected() }
        return reservation
    }

    /// A whole ticket at once.
    @discardableResult
    mutating func ticket(_ machine: MachineID = machine) throws -> Reservation {
        try confirm(try hold(machine).id, machine)
    }

    /// The minutes of the shop's day at which a wait is expected to end.
    func time(_ wait: WaitEstimate) -> String { wait.expected.time.description }

    mutating func pass(_ duration: Duration) { now = now + duration }
}

struct Unexpected: Error {}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
