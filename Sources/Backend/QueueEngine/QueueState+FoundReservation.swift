public import Reservations

extension QueueState {
    /// What the holder of a code is shown of the reservation [UC13]; nil for a place that was never confirmed.
    public func found(_ record: ReservationRecord, in context: QueueContext) -> FoundReservation? {
        LiveReservation(record).flatMap {
            found(record, $0, Deciding(context, openings: effective(context.openings)))
        }
    }

    /// - Parameter live: the record as it is in the queue, or would be.
    func found(
        _ record: ReservationRecord, _ live: LiveReservation, _ deciding: Deciding
    ) -> FoundReservation? {
        guard let confirmation = record.confirmation,
            let status = status(of: record, live, deciding)
        else { return nil }
        var present = record
        let holder = ConfirmedReservation(record: record, confirmation: confirmation, live: live)
        if status == .planned, let wait = expected(holder, deciding) { present.hold.wait = wait }
        func local(_ moment: Moment) -> LocalMoment {
            deciding.local(moment, like: record.hold.taken)
        }
        let until = status == .called ? local(enterBy(live, called: record.since)) : nil
        guard let reservation = present.reservation(of: deciding.shop) else { return nil }
        var found = FoundReservation(
            reservation, day: record.hold.day, status: status,
            now: deciding.localTime(deciding.now),
            enterBy: until)
        if status == .planned { found.delayOffers = delayOffers(live, deciding) }
        found.reclaimBy = reclaimBy(holder, deciding).map(local)
        found.answerBy = answerBy(live, status, deciding).map(local)
        found.undoBy = undoBy(holder, deciding).map(local)
        return found
    }

    /// What is shown now to those who follow these reservations; nil for one that is in the queue no more, or was moved to
    /// another slot since the record was read: the stored one has the rest.
    public func found(
        _ records: [ReservationRecord], in context: QueueContext
    ) -> [FoundReservation?] {
        let deciding = informed(Deciding(context, openings: effective(context.openings)))
        let wanted = Set(records.map(\.hold.id))
        var present: [ReservationID: (ReservationState, LiveReservation)] = [:]
        for day in Set(records.filter { $0.hold.kind == .visit }.map(\.hold.day)) {
            for entry in visits.entries(of: day) where wanted.contains(entry.live.id) {
                present[entry.live.id] = (.planned, entry.live)
            }
        }
        for (line, state): (ActiveQueue, ReservationState) in [
            (tickets, .planned), (called, .called), (inside, .active),
        ] {
            for entry in line.entries where wanted.contains(entry.live.id) {
                present[entry.live.id] = (state, entry.live)
            }
        }
        return records.map { record in
            present[record.hold.id].flatMap { state, live in
                live.isBooked(as: record)
                    ? found(record.inQueue(state, live), live, deciding) : nil
            }
        }
    }

    /// The reservation's status; nil if it was never confirmed.
    private func status(
        of record: ReservationRecord, _ live: LiveReservation, _ deciding: Deciding
    ) -> ReservationStatus? {
        switch record.state {
        case .pending: return nil
        case .deleted: return .deleted
        case .active: return .inside
        case .expired:
            return record.lossStatus ?? .used
        case .called: return enterBy(live, called: record.since) <= deciding.now ? .missed : .called
        case .planned: return (live.slot ?? live.since) >= cutoff(deciding) ? .planned : .closed
        }
    }
}

extension ReservationRecord {
    /// The status of a reservation whose holder never came in; nil if it has not ended so.
    var lossStatus: ReservationStatus? {
        switch cause {
        case .missed, .unanswered: .missed
        case .closed, .sentHome: .closed
        case .requested, .confirmed, .cancelled, .replaced, .holdExpired, .withdrawn, .declined,
            .undone, .delayed, .rebooked, .reclaimed, .deletedByStaff, .cancelledByShop, .turn,
            .calledAgain,
            .restored, .entered, .letIn, .checkedOut, .left, .inferred, .blocked:
            nil
        }
    }

    /// The reservation as its holder knows it; nil if it was never confirmed.
    public func reservation(of shop: Shop, enterBy: LocalMoment? = nil) -> Reservation? {
        guard let confirmation else { return nil }
        return Reservation(
            id: hold.id, kind: hold.kind, number: confirmation.number, shopName: shop.name,
            code: confirmation.code, typedCode: confirmation.typedCode, issued: confirmation.issued,
            wait: hold.wait, visit: hold.visit, enterBy: enterBy)
    }
}

extension Confirmation {
    /// Whether a presented code is one of this reservation's.
    public func isProved(by code: PresentedCode) -> Bool {
        switch code {
        case .entry(let entry): Self.isSame(self.code.rawValue, entry.rawValue)
        case .typed(let typed): Self.isSame(typedCode.rawValue, typed.rawValue)
        }
    }

    /// Compares every character, so that the time taken does not reveal how much of a guess is right. It is written
    /// here again, as the engine is pure and may not import Cryptography, whose function is one of libsodium.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
