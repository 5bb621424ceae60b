public import Reservations

extension QueueState {
    /// How often a held place can be extended (rules 2).
    public static let maximumExtensions = 10

    /// Decides a command; the state stays as it is until the changes are written and applied.
    ///
    /// Overdue holds lapse first, whatever is asked; their lapse is dated at their expiry.
    /// - Parameters:
    ///   - shop: its policy is the state's.
    ///   - openings: the present opening, where there is one, and those to come, in order.
    ///   - known: the reservation of this name as it is stored; asked only for what is no open hold.
    public func decide<Failure>(
        _ command: QueueCommand, for shop: Shop, at now: Moment, openings: [OpenInterval],
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Decision {
        let overdue = holds.prefix { $0.expires.moment <= now }
        var deciding = Deciding(
            state: self, shop: shop, now: now, openings: openings,
            open: Array(holds.dropFirst(overdue.count)))
        for hold in overdue { deciding.end(hold, at: hold.expires.moment, because: .lapsed) }
        let result: Result<QueueOutcome, QueueRefusal>
        switch command {
        case .tick: result = .success(.ticked)
        case .hold(let kind, let machine, let id):
            result = deciding.hold(kind, machine: machine, id: id)
        case .extend(let id, let machine):
            result = try deciding.extend(id, machine: machine, known: known)
        case .release(let id, let machine):
            result = try deciding.release(id, machine: machine, known: known)
        case .confirm(let id, let machine, let code, let typed):
            result = try deciding.confirm(
                id, machine: machine, code: code, typed: typed, known: known)
        case .delete(let id, let code):
            result = try deciding.delete(id, code: code, known: known)
        }
        return Decision(result: result, changes: deciding.changes)
    }
}

/// One decision while it is made: what is known, what lapsed just now, what is to be written.
private struct Deciding {
    typealias Answer = Result<QueueOutcome, QueueRefusal>

    let state: QueueState
    let shop: Shop
    let now: Moment
    let openings: [OpenInterval]
    /// Holds that are still open; what ends here is stored only with the changes.
    var open: [Hold]
    private var ended: [Hold] = []
    private(set) var changes: [QueueChange] = []

    init(state: QueueState, shop: Shop, now: Moment, openings: [OpenInterval], open: [Hold]) {
        self.state = state
        self.shop = shop
        self.now = now
        self.openings = openings
        self.open = open
    }

    mutating func hold(_ kind: ReservationKind, machine: MachineID, id: ReservationID) -> Answer {
        guard kind == .ticket else { return .failure(.unsupportedKind) }
        // The customer asked anew, so the older offer is on no screen any more (rules 2).
        for older in open where older.machine == machine {
            end(older, at: now, because: .replaced)
        }
        guard let opening = openings.first(where: { $0.contains(now) }) else {
            let next = openings.first { now < $0.opens.moment }
            return .failure(.shopClosed(opens: next?.opens))
        }
        guard let wait = state.offer(at: now, in: opening, holdsAhead: open.count) else {
            return .failure(.noTicketToday)
        }
        let local = opening.opens.at(now)
        let hold = Hold(
            id: id, machine: machine, kind: kind, day: opening.opens.day, taken: local,
            expires: local.at(now + state.policy.holdLife), extensions: 0, wait: wait)
        changes.append(
            .inserted(
                ReservationRecord(
                    hold: hold, state: .pending, since: now, cause: .requested, confirmation: nil)))
        return .success(.held(hold))
    }

    mutating func extend<Failure>(
        _ id: ReservationID, machine: MachineID,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        guard let index = open.firstIndex(where: { $0.id == id && $0.machine == machine }) else {
            let gone = try record(id, machine: machine, known: known)
            return .failure(gone?.state == .deleted ? .holdLapsed : .notFound)
        }
        var hold = open[index]
        guard hold.extensions < QueueState.maximumExtensions else {
            return .success(.extended(hold))
        }
        hold.extensions += 1
        hold.expires = hold.taken.at(now + state.policy.holdLife)
        let before = open.count { $0.id != id && $0.taken.moment <= hold.taken.moment }
        hold.wait = WaitEstimator.estimate(
            state.calls(of: hold.day), holdsAhead: before, policy: state.policy,
            now: hold.taken.at(now))
        changes.append(.extended(hold))
        return .success(.extended(hold))
    }

    mutating func release<Failure>(
        _ id: ReservationID, machine: MachineID,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        if let hold = open.first(where: { $0.id == id && $0.machine == machine }) {
            end(hold, at: now, because: .cancelled)
            return .success(.released)
        }
        if ended.contains(where: { $0.id == id && $0.machine == machine }) {
            return .success(.released)
        }
        guard let record = try known(id) else { return .success(.released) }
        // A confirmed place is given back with its code only; another machine's is not to be seen.
        guard record.hold.machine == machine, record.state == .deleted else {
            return .failure(.notFound)
        }
        return .success(.released)
    }

    mutating func confirm<Failure>(
        _ id: ReservationID, machine: MachineID, code: EntryCode, typed: TypedCode,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        guard let open = open.first(where: { $0.id == id && $0.machine == machine }) else {
            guard let record = try record(id, machine: machine, known: known) else {
                return .failure(.notFound)
            }
            guard let reservation = record.reservation(of: shop) else {
                return .failure(.holdLapsed)
            }
            return record.state == .deleted
                ? .failure(.alreadyDeleted) : .success(.confirmed(reservation))
        }
        guard let number = QueueNumber(rawValue: state.lastNumber(of: open.day) + 1) else {
            return .failure(.noTicketToday)
        }
        // The position is drawn now, so other holds are not ahead any more (rules 1).
        var hold = open
        let issued = hold.taken.at(now)
        hold.wait = WaitEstimator.estimate(
            state.calls(of: hold.day), holdsAhead: 0, policy: state.policy, now: issued)
        let record = ReservationRecord(
            hold: hold, state: .planned, since: now, cause: .confirmed,
            confirmation: Confirmation(
                number: number, code: code, typedCode: typed, issued: issued))
        changes.append(.counterAdvanced(hold.day, to: number))
        changes.append(.moved(record, from: .pending))
        guard let reservation = record.reservation(of: shop) else { return .failure(.notFound) }
        return .success(.confirmed(reservation))
    }

    mutating func delete<Failure>(
        _ id: ReservationID, code: EntryCode,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        guard let record = try known(id), let confirmation = record.confirmation,
            confirmation.code.isSame(as: code)
        else { return .failure(.notFound) }
        switch record.state {
        case .pending: return .failure(.notFound)
        case .deleted: return .failure(.alreadyDeleted)
        case .active, .expired: return .failure(.alreadyExpired)
        case .planned, .called:
            // A day none of whose openings is left is over, and with it its tickets (rules 8).
            let left = openings.filter { $0.opens.day == record.hold.day }
            guard left.contains(where: { now < $0.closes.moment }) else {
                return .failure(.alreadyExpired)
            }
            changes.append(
                .moved(
                    record.becoming(.deleted, at: now, because: .withdrawn), from: record.state))
            return .success(.deleted(id))
        }
    }

    mutating func end(_ hold: Hold, at moment: Moment, because cause: TransitionCause) {
        open.removeAll { $0.id == hold.id }
        ended.append(hold)
        let record = ReservationRecord(
            hold: hold, state: .deleted, since: moment, cause: cause, confirmation: nil)
        changes.append(.moved(record, from: .pending))
    }

    /// What is known of this machine's reservation, what ended just now included.
    private func record<Failure>(
        _ id: ReservationID, machine: MachineID,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> ReservationRecord? {
        if let hold = ended.first(where: { $0.id == id }) {
            return hold.machine == machine
                ? ReservationRecord(
                    hold: hold, state: .deleted, since: now, cause: .lapsed, confirmation: nil)
                : nil
        }
        guard let record = try known(id), record.hold.machine == machine else { return nil }
        return record
    }
}

extension ReservationRecord {
    /// The reservation as its holder knows it; nil where it was never confirmed.
    public func reservation(of shop: Shop) -> Reservation? {
        guard let confirmation else { return nil }
        return Reservation(
            id: hold.id, kind: hold.kind, number: confirmation.number, shopName: shop.name,
            code: confirmation.code, typedCode: confirmation.typedCode, issued: confirmation.issued,
            wait: hold.wait)
    }
}

extension EntryCode {
    /// Compares every character, so that the time taken does not tell how much of a guess is right.
    func isSame(as other: EntryCode) -> Bool {
        zip(rawValue.utf8, other.rawValue.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
