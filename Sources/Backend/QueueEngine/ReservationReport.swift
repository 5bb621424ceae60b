public import Reservations

/// What the holder of a code is told of his reservation [UC13].
public struct ReservationReport: Hashable, Sendable {
    /// With the wait that is left to a ticket; that of its confirmation where nothing is awaited any more.
    public let reservation: Reservation
    /// The shop's day it is of.
    public let day: CalendarDay
    public let standing: Standing
    /// Until when the one who is called may enter [R12]; nil in every other standing.
    public let enterBy: LocalMoment?
}

extension QueueState {
    /// What is told of a stored reservation; nil for a place that was never confirmed.
    public func report(on record: ReservationRecord, in context: QueueContext)
        -> ReservationReport?
    {
        let deciding = Deciding(context, openings: effective(context.openings))
        guard let live = LiveReservation(record), let confirmation = record.confirmation,
            let standing = standing(of: record, live, deciding)
        else { return nil }
        var present = record.hold
        let holder = Holder(record: record, confirmation: confirmation, live: live)
        if standing == .planned, let wait = expected(holder, deciding) { present.wait = wait }
        let told = ReservationRecord(
            hold: present, state: record.state, since: record.since, cause: record.cause,
            confirmation: confirmation, entered: record.entered)
        let until =
            standing == .called
            ? deciding.local(enterBy(live, called: record.since), like: present.taken) : nil
        guard let reservation = told.reservation(of: context.shop) else { return nil }
        return ReservationReport(
            reservation: reservation, day: present.day, standing: standing, enterBy: until)
    }

    /// What the reservation is worth; nil where it was never confirmed.
    private func standing(
        of record: ReservationRecord, _ live: LiveReservation, _ deciding: Deciding
    ) -> Standing? {
        switch record.state {
        case .pending: return nil
        case .deleted: return .deleted
        case .active: return .inside
        case .expired:
            return record.cause == .missed ? .missed : record.cause.isOfClosing ? .closed : .used
        case .called:
            return enterBy(live, called: record.since) <= deciding.now ? .missed : .called
        case .planned:
            return (live.slot ?? live.since) >= cutoff(deciding) ? .planned : .closed
        }
    }
}

extension ReservationRecord {
    /// The reservation as its holder knows it; nil where it was never confirmed.
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
    func isProved(by code: PresentedCode) -> Bool {
        switch code {
        case .entry(let entry): Self.isSame(self.code.rawValue, entry.rawValue)
        case .typed(let typed): Self.isSame(typedCode.rawValue, typed.rawValue)
        }
    }

    /// Compares every character, so that the time taken does not tell how much of a guess is right.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
