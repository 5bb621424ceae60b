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
        var deciding = Deciding(state: self, shop: shop, now: now, openings: openings)
        for hold in holds.prefix(while: { $0.expires.moment <= now }) {
            deciding.end(hold, at: hold.expires.moment, because: .lapsed)
        }
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
        case .delete(let id, let proof):
            result = try deciding.delete(id, proof: proof, known: known)
        }
        return Decision(result: result, changes: deciding.changes)
    }
}

/// One decision while it is made: what is known, what lapsed just now, what is to be written.
private struct Deciding {
    typealias Answer = Result<QueueOutcome, QueueRefusal>

    /// Without the holds that ended here; what else is decided is not in it.
    private(set) var state: QueueState
    let shop: Shop
    let now: Moment
    let openings: [OpenInterval]
    private var ended: [Hold] = []
    private(set) var changes: [QueueChange] = []

    init(state: QueueState, shop: Shop, now: Moment, openings: [OpenInterval]) {
        self.state = state
        self.shop = shop
        self.now = now
        self.openings = openings
    }

    mutating func hold(_ kind: ReservationKind, machine: MachineID, id: ReservationID) -> Answer {
        // The customer asked anew, so the older offer is on no screen any more (rules 2).
        for older in state.holds where older.machine == machine {
            end(older, at: now, because: .replaced)
        }
        guard let opening = openings.first(where: { $0.contains(now) }) else {
            let next = openings.first { now < $0.opens.moment }
            return .failure(.shopClosed(opens: next?.opens))
        }
        let ticket = state.offer(at: now, in: opening)
        var day = opening.opens.day
        let wait: WaitEstimate
        var visit: VisitSlot?
        switch kind {
        case .ticket:
            guard let ticket else { return .failure(.noTicketToday) }
            wait = ticket
        case .visit:
            guard ticket == nil else { return .failure(.ticketAvailable) }
            guard let first = state.firstVisit(at: now, in: opening, openings: openings) else {
                return .failure(.nothingWithinAMonth)
            }
            day = first.day
            visit = first.slot
            let start = first.slot.start
            wait = WaitEstimate(expected: start, earliest: start, latest: start, peopleAhead: 0)
        }
        let local = opening.local(now)
        let hold = Hold(
            id: id, machine: machine, kind: kind, day: day, taken: local,
            expires: local.at(now + state.policy.holdLife), extensions: 0, wait: wait, visit: visit)
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
        guard var hold = open(id, machine) else {
            let gone = try record(id, machine: machine, known: known)
            return .failure(gone?.state == .deleted ? .holdLapsed : .notFound)
        }
        guard hold.extensions < QueueState.maximumExtensions else {
            return .success(.extended(hold))
        }
        hold.extensions += 1
        hold.expires = hold.taken.at(now + state.policy.holdLife)
        if hold.kind == .ticket {
            let before = state.holds.count {
                $0.kind == .ticket && $0.id != id && $0.taken.moment <= hold.taken.moment
            }
            hold.wait = wait(of: hold, behind: before)
        }
        changes.append(.extended(hold))
        return .success(.extended(hold))
    }

    mutating func release<Failure>(
        _ id: ReservationID, machine: MachineID,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        if let hold = open(id, machine) {
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
        guard var hold = open(id, machine) else {
            guard let record = try record(id, machine: machine, known: known) else {
                return .failure(.notFound)
            }
            guard let reservation = record.reservation(of: shop) else {
                return .failure(.holdLapsed)
            }
            return record.state == .deleted
                ? .failure(.alreadyDeleted) : .success(.confirmed(reservation))
        }
        guard let number = QueueNumber(rawValue: state.lastNumber(of: hold.day) + 1) else {
            return .failure(.noTicketToday)
        }
        let issued = hold.taken.at(now)
        // The position is drawn now, so other holds are not ahead any more (rules 1).
        if hold.kind == .ticket { hold.wait = wait(of: hold, behind: 0) }
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
        _ id: ReservationID, proof: PresentedCode,
        known: (ReservationID) throws(Failure) -> ReservationRecord?
    ) throws(Failure) -> Answer {
        guard let record = try known(id), let confirmation = record.confirmation,
            confirmation.isProved(by: proof),
            let standing = record.standing(at: now, openings: openings)
        else { return .failure(.notFound) }
        switch standing {
        case .deleted: return .failure(.alreadyDeleted)
        case .used: return .failure(.alreadyUsed)
        case .missed: return .failure(.missed)
        case .inside: return .failure(.inside)
        case .planned, .called:
            changes.append(
                .moved(
                    record.becoming(.deleted, at: now, because: .withdrawn), from: record.state))
            return .success(.deleted(id))
        }
    }

    mutating func end(_ hold: Hold, at moment: Moment, because cause: TransitionCause) {
        ended.append(hold)
        let change = hold.ended(at: moment, because: cause)
        state.apply([change])
        changes.append(change)
    }

    private func open(_ id: ReservationID, _ machine: MachineID) -> Hold? {
        state.holds.first { $0.id == id && $0.machine == machine }
    }

    private func wait(of hold: Hold, behind holdsAhead: Int) -> WaitEstimate {
        WaitEstimator.estimate(
            state.calls(of: hold.day), holdsAhead: holdsAhead, policy: state.policy,
            now: hold.taken.at(now))
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

extension Hold {
    /// The fact that a held place is free again.
    func ended(at moment: Moment, because cause: TransitionCause) -> QueueChange {
        .moved(
            ReservationRecord(
                hold: self, state: .deleted, since: moment, cause: cause, confirmation: nil),
            from: .pending)
    }
}
