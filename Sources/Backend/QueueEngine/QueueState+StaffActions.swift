public import Reservations

/// Corrections that the staff makes (rules: closing, corrections).
extension QueueState {
    /// A number of people that is larger than any shop holds.
    private static let maxOccupancy = 100_000

    mutating func letIn(
        _ holder: ConfirmedReservation, at entered: Moment?, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        let moment = min(entered ?? deciding.now, deciding.now)
        guard moment >= holder.confirmation.issued.moment else { return .refused(.implausible) }
        guard record.state == .called || record.state == .planned || record.lostItsPlace else {
            return .refused(Self.refusal(record))
        }
        // An entry that has happened already is a fact; only a new one needs a place.
        guard record.state == .called || entered != nil || freePlaces > 0 else {
            return .refused(.full)
        }
        switch record.state {
        case .called: leaveCalled(holder.live)
        case .planned: leaveLine(holder.live)
        // The reservation lost its place, so it is in no queue.
        case .pending, .active, .expired, .deleted: book(holder.live)
        }
        activate(holder, at: moment, because: .letIn, &deciding)
        return .success(.entered(holder.passage()))
    }

    mutating func callAgain(_ holder: ConfirmedReservation, _ deciding: inout Deciding)
        -> Deciding.Answer
    {
        guard holder.state == .called else {
            return holder.state == .planned
                ? .refused(.notYetCalled, wait: expected(holder, deciding))
                : .refused(Self.refusal(holder.record))
        }
        leaveCalled(holder.live)
        // A second call needs a later moment: an event's key is the reservation, the moment and the state.
        let moment = max(deciding.now, holder.record.since + .milliseconds(1))
        let live = holder.live.since(moment)
        called.insert(live, key: enterBy(live, called: moment))
        deciding.move(holder.id, from: .called, to: .called, at: moment, because: .calledAgain)
        let until = deciding.local(enterBy(live, called: moment), like: holder.record.hold.taken)
        return .success(.called(holder.passage(enterBy: until)))
    }

    mutating func restore(_ holder: ConfirmedReservation, _ deciding: inout Deciding)
        -> Deciding.Answer
    {
        let record = holder.record
        switch record.state {
        case .planned, .called: return .refused(.stillValid)
        case .expired where record.lostItsPlace:
            guard deciding.opening?.includes(record.hold.day) == true,
                isNumberFree(of: holder.live, deciding)
            else {
                return .refused(Self.refusal(record))
            }
            return putBack(answeredFor(holder, &deciding), because: .restored, &deciding)
        case .pending, .active, .expired, .deleted: return .refused(Self.refusal(record))
        }
    }

    mutating func correctOccupancy(_ people: Int, _ deciding: inout Deciding) -> Deciding.Answer {
        guard (0...Self.maxOccupancy).contains(people) else { return .refused(.implausible) }
        let now = deciding.now
        let difference = people - occupancy
        if difference > 0 {
            unregistered += difference
            unregisteredSince = now
            deciding.add(.unregistered(unregistered, since: now))
        } else if difference < 0 {
            forget(-difference, &deciding)
        }
        return .success(.occupancy(occupancy))
    }

    /// Removes people from the count: first unregistered ones, then those who left already, then those longest inside.
    private mutating func forget(_ people: Int, _ deciding: inout Deciding) {
        var rest = people
        let unknown = min(rest, unregistered)
        if unknown > 0 {
            unregistered -= unknown
            rest -= unknown
            deciding.add(.unregistered(unregistered, since: unregisteredSince))
        }
        let out = leaving.removeFirst(upTo: .max, limit: rest)
        for live in out { goOut(live, &deciding) }
        rest -= out.count
        for live in inside.removeFirst(upTo: .max, limit: rest) {
            deciding.move(
                live.id, from: .active, to: .expired, at: max(deciding.now, live.since),
                because: .inferred)
        }
    }
}

extension ReservationRecord {
    /// Whether its holder never entered, so that the staff may give them the place back.
    fileprivate var lostItsPlace: Bool {
        state == .expired && lossStatus != nil
    }
}

extension StaffAction {
    /// What it asks of the queue; nil for the lifting of a block, whose holder is found by the reference.
    public var command: QueueCommand? {
        switch self {
        case .reservation(let action, let number, let moment):
            let command: ReservationCommand =
                switch action {
                case .callAgain: .callAgain
                case .letIn: .letIn(at: moment?.moment)
                case .restore: .restore
                case .delete: .deleteForCustomer
                }
            return .reservation(.number(number), command)
        case .newCode(let number, let code):
            return .reservation(.code(.entry(code)), .recode(number))
        case .unblock: return nil
        case .occupancy(let people): return .correctOccupancy(people: people)
        case .endTickets: return .endTickets
        case .sendHome: return .sendHome
        case .closeEarly(let moment): return .closeEarly(at: moment.moment)
        case .openAgain: return .openAgain
        }
    }
}
