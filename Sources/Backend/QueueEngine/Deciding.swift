public import Reservations

/// The time, the shop and the openings for which a command is decided.
public struct QueueContext: Sendable {
    /// The shop; its policy is the state's.
    public let shop: Shop
    public let now: Moment
    /// The present opening, if there is one, and those to come, in order.
    public let openings: [OpenInterval]
    /// A recent forecast; nil to compute the wait at once.
    public internal(set) var forecast: WaitForecast?
    /// A moment as the shop's clock shows it, open or closed.
    public let local: @Sendable (Moment) -> LocalMoment

    public init(
        shop: Shop, now: Moment, openings: [OpenInterval], forecast: WaitForecast?,
        local: @escaping @Sendable (Moment) -> LocalMoment
    ) {
        self.shop = shop
        self.now = now
        self.openings = openings
        self.forecast = forecast
        self.local = local
    }
}

/// One decision while it is made: its circumstances, and what is to be stored.
struct Deciding {
    typealias Answer = Result<QueueOutcome, Refused>

    let shop: Shop
    let now: Moment
    /// The openings as the calendar has them.
    let calendar: [OpenInterval]
    /// The openings with early closings in force.
    var openings: [OpenInterval] {
        didSet { opening = openings.first { [now] in $0.contains(now) } }
    }
    /// The present opening; nil while the shop is closed.
    private(set) var opening: OpenInterval?
    var forecast: WaitForecast?
    /// A moment as the shop's clock shows it, open or closed.
    let localTime: @Sendable (Moment) -> LocalMoment
    private(set) var changes: [QueueChange] = []

    init(_ context: QueueContext, openings: [OpenInterval]) {
        shop = context.shop
        now = context.now
        forecast = context.forecast
        calendar = context.openings
        localTime = context.local
        self.openings = openings
        opening = openings.first { [now] in $0.contains(now) }
    }

    /// The present opening by the calendar, or the next one.
    var planned: OpenInterval? { calendar.first { now < $0.closes.moment } }

    /// When the day that the staff would end now is over by the calendar.
    var plannedEnd: Moment? {
        planned.flatMap { planned in
            calendar.last { $0.staffDay == planned.staffDay }?.closes.moment
        }
    }

    /// The days on which customers may have been sent home whom an opening takes back: with an evening, its part after
    /// midnight was ended too.
    var daysToOpenAgain: [CalendarDay] {
        let coming = calendar.filter { now < $0.closes.moment }
        guard let first = coming.first else { return [] }
        let ended = coming.filter { $0.begins.moment <= now || $0.staffDay == first.staffDay }
        return Set([first.begins.day] + [first.opens.day] + ended.map(\.opens.day)).sorted()
    }

    mutating func add(_ change: QueueChange) { changes.append(change) }

    mutating func move(
        _ id: ReservationID, from: ReservationState, to: ReservationState, at moment: Moment,
        because cause: TransitionCause
    ) { add(.moved(Transition(id: id, from: from, to: to, at: moment, cause: cause))) }

    /// A moment as the shop's clock shows it; after closing, with the offset of `other`.
    func local(_ moment: Moment, like other: LocalMoment) -> LocalMoment {
        opening?.local(moment) ?? other.at(moment)
    }

    /// A stored record as it is after the changes that were decided so far.
    func present(_ record: ReservationRecord) -> ReservationRecord {
        changes.reduce(record) { record, change in
            if case .moved(let transition) = change, transition.id == record.hold.id {
                return record.after(transition)
            }
            if case .turnChanged(let changed) = change, changed.hold.id == record.hold.id {
                return changed
            }
            if case .rebooked(let changed, _) = change, changed.hold.id == record.hold.id {
                return changed
            }
            if case .recoded(let changed, _) = change, changed.hold.id == record.hold.id {
                return changed
            }
            if case .questionChanged(let id, let question) = change, id == record.hold.id {
                return record.with(question)
            }
            return record
        }
    }
}

extension QueueState {
    /// Decides a command and applies the changes that follow from it.
    ///
    /// First comes what the passing of time changes, whatever the command: holds expire, calls are missed, places
    /// become free. At the end, the customers whose turn it is are called.
    /// - Parameter sender: Who asks; nil for what no customer asks.
    public mutating func perform<Records: QueueRecords>(
        _ command: QueueCommand, by sender: HoldOwner?, in context: QueueContext,
        _ records: Records
    ) throws(Records.Failure) -> Decision {
        var deciding = Deciding(context, openings: effective(context.openings))
        pass(&deciding)
        let answer = try answer(to: command, by: sender, &deciding, records)
        call(&deciding)
        return Decision(result: answer, changes: deciding.changes)
    }

    /// Whether a tick at this moment would change anything.
    public func isDue(in context: QueueContext) -> Bool {
        var copy = self
        var deciding = Deciding(context, openings: effective(context.openings))
        copy.pass(&deciding)
        copy.call(&deciding)
        return !deciding.changes.isEmpty || copy.leaving.count != leaving.count
            || copy.collectors.count != collectors.count
    }

    private mutating func answer<Records: QueueRecords>(
        to command: QueueCommand, by sender: HoldOwner?, _ deciding: inout Deciding,
        _ records: Records
    ) throws(Records.Failure) -> Deciding.Answer {
        switch command {
        case .tick: return .success(.ticked)
        case .collect(let collectors): return collect(collectors, &deciding)
        case .hold(let kind, let isRemote):
            guard let sender else { return .refused(.notFound) }
            return hold(
                kind, owner: sender, isRemote: isRemote, id: records.newID(at: deciding.now),
                &deciding)
        case .holdVisit(let slot):
            guard let holder = sender?.holder else { return .refused(.notFound) }
            return holdVisit(
                slot, holder: holder, id: records.newID(at: deciding.now), &deciding)
        case .unblock(let holder): return unblock(holder, &deciding)
        case .correctOccupancy(let people): return correctOccupancy(people, &deciding)
        case .endTickets: return endTickets(&deciding)
        case .sendHome: return sendHome(&deciding)
        case .closeEarly(let moment): return closeEarly(at: moment, &deciding)
        case .openAgain:
            let sentHome = try records.sentHome(on: deciding.daysToOpenAgain)
            return openAgain(sentHome.map(deciding.present), &deciding)
        case .held(let id, let command):
            guard let sender else { return .refused(.notFound) }
            if let hold = holds.first(where: { $0.id == id && $0.owner == sender }) {
                return try perform(command, on: hold, &deciding, records)
            }
            return perform(
                command, onFormer: try records.record(.id(id)).map(deciding.present), of: sender,
                deciding)
        case .reservation(let name, let command):
            guard let record = try records.record(name).map(deciding.present),
                let confirmation = record.confirmation, let live = LiveReservation(record)
            else { return .refused(.notFound) }
            let holder = ConfirmedReservation(
                record: record, confirmation: confirmation, live: live)
            return try perform(command, by: sender, for: holder, &deciding, records)
        }
    }

    private mutating func perform<Records: QueueRecords>(
        _ command: HoldCommand, on hold: Hold, _ deciding: inout Deciding, _ records: Records
    ) throws(Records.Failure) -> Deciding.Answer {
        switch command {
        case .extend: return extend(hold, &deciding)
        case .confirm:
            let (code, typed) = try records.newCodes(isAnother: false)
            return confirm(hold, code: code, typed: typed, &deciding)
        case .release:
            end(hold, at: deciding.now, because: .cancelled, &deciding)
            return .success(.released)
        }
    }

    private mutating func perform<Records: QueueRecords>(
        _ command: ReservationCommand, by sender: HoldOwner?, for holder: ConfirmedReservation,
        _ deciding: inout Deciding, _ records: Records
    ) throws(Records.Failure) -> Deciding.Answer {
        if let proof = command.proof, !holder.confirmation.isProved(by: proof) {
            return .refused(.notFound)
        }
        switch command {
        case .delete: return withdraw(holder, &deciding)
        case .undo: return undo(holder, &deciding)
        case .delay(let people, _): return delay(holder, by: people, &deciding)
        case .reclaim: return reclaim(holder, &deciding)
        case .move(let slot, _):
            // The days that were claimed are those of the sender.
            guard holder.record.hold.owner == sender else { return .refused(.notFound) }
            return move(holder, to: slot, &deciding)
        case .comes: return comes(holder, &deciding)
        case .deleteForCustomer: return delete(holder, because: .deletedByStaff, &deciding)
        case .enter: return enter(holder, &deciding)
        case .letIn(let moment): return letIn(holder, at: moment, &deciding)
        case .exit(let point): return exit(holder, at: point, &deciding)
        case .callAgain: return callAgain(holder, &deciding)
        case .restore: return restore(holder, &deciding)
        case .recode(let number):
            guard holder.confirmation.number == number else { return .refused(.notFound) }
            let (code, typed) = try records.newCodes(isAnother: true)
            return recode(holder, code: code, typed: typed, &deciding)
        }
    }
}

/// A confirmed reservation that a command is about, as it is now.
struct ConfirmedReservation {
    let record: ReservationRecord
    let confirmation: Confirmation
    let live: LiveReservation

    var id: ReservationID { record.hold.id }
    var state: ReservationState { record.state }

    func passage(enterBy: LocalMoment? = nil, stay: Duration? = nil) -> Passage {
        Passage(
            id: id, kind: record.hold.kind, number: confirmation.number, enterBy: enterBy,
            staySeconds: stay.map { $0.wholeSeconds })
    }
}
