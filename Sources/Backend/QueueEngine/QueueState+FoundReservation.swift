public import Reservations

extension QueueState {
    /// What the holder of a code is shown of the reservation [UC13]; nil for a place that was never confirmed.
    public func found(_ record: ReservationRecord, in context: QueueContext) -> FoundReservation? {
        found(record, Deciding(context, openings: effective(context.openings)), context)
    }

    private func found(
        _ record: ReservationRecord, _ deciding: Deciding, _ context: QueueContext
    ) -> FoundReservation? {
        guard let live = LiveReservation(record), let confirmation = record.confirmation,
            let status = status(of: record, live, deciding)
        else { return nil }
        var present = record
        let holder = ConfirmedReservation(record: record, confirmation: confirmation, live: live)
        if status == .planned, let wait = expected(holder, deciding) { present.hold.wait = wait }
        let until =
            status == .called
            ? deciding.local(enterBy(live, called: record.since), like: record.hold.taken) : nil
        guard let reservation = present.reservation(of: context.shop) else { return nil }
        return FoundReservation(
            reservation, day: record.hold.day, status: status, now: context.local(context.now),
            enterBy: until)
    }

    /// What is shown now to those who follow these reservations; nil for one that is in the queue no more, of which the
    /// stored record has the rest.
    public func found(
        _ records: [ReservationRecord], in context: QueueContext
    ) -> [FoundReservation?] {
        let deciding = Deciding(context, openings: effective(context.openings))
        let wanted = Set(records.map(\.hold.id))
        var states: [ReservationID: (ReservationState, Moment)] = [:]
        for (line, state): (ActiveQueue, ReservationState) in [
            (tickets, .planned), (visits, .planned), (called, .called), (inside, .active),
        ] {
            for entry in line.entries where wanted.contains(entry.live.id) {
                states[entry.live.id] = (state, entry.live.since)
            }
        }
        return records.map { record in
            states[record.hold.id].flatMap {
                found(record.inQueue($0, since: $1), deciding, context)
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
            return record.cause == .missed ? .missed : record.cause.isClosing ? .closed : .used
        case .called: return enterBy(live, called: record.since) <= deciding.now ? .missed : .called
        case .planned: return (live.slot ?? live.since) >= cutoff(deciding) ? .planned : .closed
        }
    }
}

extension ReservationRecord {
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
